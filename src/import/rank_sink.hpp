// rank_sink.hpp: one rank of several on its way into one trace: what two ranks may both have (process
// numbers, devices, launch ids, owners without a name) is kept apart, and times go to the common clock.
#pragma once
#include "import/json/rank_content.hpp"
#include "trace/forward_sink.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace prof {

// Numbers that ranks took so far.
struct RankNumbers {
  std::set<std::int64_t> pids;
  std::set<std::pair<DeviceKind, std::int64_t>> devices;
};

// Processes, devices and counters of nobody are named "... (rank 3)": SQL's rank columns are read from there.
// A process keeps its number, and a device gets the rank's, where no other rank has it.
class RankSink final : public ForwardSink {
public:
  struct Rank {
    std::int64_t number = 0;
    std::int64_t order = 0;    // among the ranks of the trace
    std::int64_t shift_ns = 0; // from its clock to the trace clock
  };
  RankSink(TraceSink& to, RankNumbers& taken, Rank rank);

  StrId intern(std::string_view text) override;
  Id<Process> process(const Process& row) override;
  Id<Device> device(const Device& row) override;
  Id<CounterTrack> counter_track(const CounterTrack& row) override;
  void slice(const Slice& row) override;
  void kernel(const Kernel& row) override;
  void counter(Id<CounterTrack> track, Ts ts, double value) override;
  void sample(const Sample& row) override;
  void gap(const Gap& row) override;
  void note(const Note& row) override;
  // Keys of the rank's own get its number: "kineto.trace_id" becomes "kineto.rank3.trace_id".
  void metadata(std::string_view key, std::string_view value) override;
  // Names what has no name.
  void finish();

  [[nodiscard]] std::optional<std::int64_t> start_realtime_ns() const { return start_realtime_ns_; }
  [[nodiscard]] RankContent content() const;
  // When collectives ended, by name, on the trace clock.
  [[nodiscard]] const std::map<std::string, std::vector<std::int64_t>>& collective_ends() const {
    return ends_;
  }

private:
  [[nodiscard]] StrId labelled(StrId name);
  [[nodiscard]] Ts shifted(Ts ts) const;
  [[nodiscard]] std::uint64_t own_flow(std::uint64_t flow) const;

  RankNumbers& taken_;
  Rank rank_;
  std::string label_; // "(rank 3)"
  std::unordered_map<std::uint32_t, std::string> texts_;
  std::map<std::int64_t, std::int64_t> pids_;
  std::set<std::int64_t> unnamed_; // of the trace
  std::map<std::pair<DeviceKind, std::int64_t>, std::int64_t> devices_;
  std::map<std::string, std::vector<std::int64_t>> ends_;
  std::unordered_map<std::uint32_t, std::int64_t> categories_, kernels_, steps_; // by text: rows
  std::vector<std::uint64_t> flows_out_, flows_in_;
  std::optional<std::int64_t> start_realtime_ns_;
};

} // namespace prof
