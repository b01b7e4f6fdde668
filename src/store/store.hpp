// store.hpp: a sealed trace in memory. Immutable, columnar; safe to read from several threads.
#pragma once
#include "base/result.hpp"
#include "store/tables.hpp"
#include "trace/sink.hpp"

#include <memory>
#include <optional>
#include <string_view>

namespace prof {

class Store {
public:
  Store(Tables tables, StringPool strings, Ts start, Ts end);
  [[nodiscard]] const Tables& tables() const { return tables_; }
  [[nodiscard]] std::string_view text(StrId id) const { return strings_.text(id); }
  [[nodiscard]] const StringPool& strings() const { return strings_; }
  // The id of a text; the empty text's id when this trace never used it.
  [[nodiscard]] StrId id_of(std::string_view text) const;
  // First and last instant of anything recorded; equal in an empty trace.
  [[nodiscard]] Ts start() const { return start_; }
  [[nodiscard]] Ts end() const { return end_; }
  // The value of a metadata key; empty view when absent. Lives as long as the store.
  [[nodiscard]] std::string_view metadata(std::string_view key) const;
  // The signal row of `name`, or nullopt when the trace says nothing about it.
  [[nodiscard]] std::optional<std::size_t> find_signal(std::string_view name) const;
  // The first arg of a slice's arg set under `key`, or nullptr. Lives as long as the store.
  [[nodiscard]] const ArgValue* find_arg(std::uint32_t arg_set, std::string_view key) const;

private:
  Tables tables_;
  StringPool strings_;
  Ts start_, end_;
};

// Takes rows in any order and seals them: sorts, nests, interns arg sets, pairs flows, derives request,
// stage, op, sched and thread_state, applies symbols. Peak memory about twice the sealed size.
class StoreBuilder : public TraceSink {
public:
  StoreBuilder();
  ~StoreBuilder() override;
  StoreBuilder(const StoreBuilder&) = delete;
  StoreBuilder& operator=(const StoreBuilder&) = delete;

  StrId intern(std::string_view text) override;
  Id<Process> process(const Process& row) override;
  Id<Thread> thread(const Thread& row) override;
  Id<Device> device(const Device& row) override;
  Id<Stream> stream(const Stream& row) override;
  Id<Track> track(const Track& row) override;
  Id<CounterTrack> counter_track(const CounterTrack& row) override;
  void slice(const Slice& row) override;
  void kernel(const Kernel& row) override;
  void counter(Id<CounterTrack> track, Ts ts, double value) override;
  Id<Mapping> mapping(const Mapping& row) override;
  Id<Frame> frame(const Frame& row) override;
  Id<Callstack> callstack(const Callstack& row) override;
  void sample(const Sample& row) override;
  void symbol(Id<Mapping> mapping, std::uint64_t rel_pc, int inline_depth, StrId function, StrId source_file,
              std::uint32_t line) override;
  void sched_switch(const SchedSwitch& row) override;
  void sched_wakeup(const SchedWakeup& row) override;
  void signal(const Signal& row) override;
  void note(const Note& row) override;
  void gap(const Gap& row) override;
  void metadata(std::string_view key, std::string_view value) override;

  // Ends building; the builder is empty afterwards.
  [[nodiscard]] Store seal();

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace prof
