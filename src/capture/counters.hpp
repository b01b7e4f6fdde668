// counters.hpp: cheap writing of counters that are read from /proc and /sys over and over.
#pragma once
#include "base/clock.hpp"
#include "trace/sink.hpp"

#include <map>
#include <string_view>
#include <tuple>

namespace prof {

// Whose counter it is: nothing set = the machine.
struct CounterOwner {
  std::int64_t cpu = -1;
  Id<Thread> thread{};
  Id<Process> process{};
  Id<Device> device{};
};

// Remembers the track of each counter and writes a value only when it differs from the last one (a reading
// that stays the same says nothing new; the first and the last of a run of equal values are both written, so
// that lines stay flat).
class CounterSet {
public:
  void set(TraceSink& sink, std::string_view name, std::string_view unit, const CounterOwner& owner, Ts ts,
           double value) {
    const Key key{sink.intern(name), owner.cpu, owner.thread.row, owner.process.row, owner.device.row};
    auto [it, is_new] = tracks_.try_emplace(key, State{});
    State& state = it->second;
    if (is_new)
      state.track = sink.counter_track({.name = std::get<0>(key),
                                        .unit = sink.intern(unit),
                                        .cpu = owner.cpu,
                                        .thread = owner.thread,
                                        .process = owner.process,
                                        .device = owner.device});
    if (!is_new && state.value == value) {
      state.seen = ts;
      return;
    }
    if (state.seen.ns > state.written.ns) sink.counter(state.track, state.seen, state.value);
    sink.counter(state.track, ts, value);
    state = {.track = state.track, .written = ts, .seen = ts, .value = value};
  }
  // The end of the recording: the last reading of every counter that stayed the same until then.
  void finish(TraceSink& sink) {
    for (auto& [key, state] : tracks_)
      if (state.seen.ns > state.written.ns) sink.counter(state.track, state.seen, state.value);
  }

private:
  using Key = std::tuple<StrId, std::int64_t, std::uint32_t, std::uint32_t, std::uint32_t>;
  struct State {
    Id<CounterTrack> track{};
    Ts written{}, seen{};
    double value = 0;
  };
  std::map<Key, State> tracks_;
};

// Says yes at most once per `pause`.
class Pace {
public:
  explicit Pace(Dur pause) : pause_(pause) {}
  [[nodiscard]] bool is_due(Ts now) {
    if (now < next_) return false;
    next_ = now + pause_;
    return true;
  }

private:
  Dur pause_;
  Ts next_;
};

} // namespace prof
