// flight_tap.hpp: what a flight recorder does with rows on their way into the ring: it reads the live metrics
// off them, and keeps those that stand in a trace once, since the ring forgets them.
#pragma once
#include "capture/live_metrics.hpp"
#include "trace/forward_sink.hpp"

#include <deque>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>

namespace prof {

// Until release() signals, notes, gaps and metadata are kept: of signals and metadata the last of a name, of
// notes one of a code with the sum of the counts, of gaps the newest thousand.
class FlightTap final : public ForwardSink {
public:
  FlightTap(TraceSink& to, LiveMetrics& live);

  // The kept rows go on, and whatever comes from now on goes straight through. Gaps that end before
  // `since` are left out.
  void release(Ts since);

  Id<Process> process(const Process& row) override;
  Id<CounterTrack> counter_track(const CounterTrack& row) override;
  void counter(Id<CounterTrack> track, Ts ts, double value) override;
  void slice(const Slice& row) override;
  void signal(const Signal& row) override;
  void note(const Note& row) override;
  void gap(const Gap& row) override;
  void metadata(std::string_view key, std::string_view value) override;

private:
  struct Watched {
    std::string_view name;
    LiveOwner owner;
  };
  [[nodiscard]] RequestOutcome outcome_of(const Slice& row) const;

  LiveMetrics& live_;
  StrId request_, run_, status_, ok_, unfinished_;
  std::unordered_map<std::uint32_t, std::string_view> names_; // counters that a live metric is made of
  std::unordered_map<std::uint32_t, std::int64_t> pids_;      // by process row
  std::unordered_map<std::uint32_t, Watched> tracks_;         // by counter track row
  std::map<StrId, Signal> signals_;
  std::map<std::pair<Severity, StrId>, Note> notes_;
  std::deque<Gap> gaps_;
  std::map<std::string, std::string, std::less<>> metadata_;
  bool is_released_ = false;
};

} // namespace prof
