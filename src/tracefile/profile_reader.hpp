// profile_reader.hpp: CPU samples, call stacks, symbols; scheduler events; device work.
#pragma once
#include "tracefile/proto_message.hpp"
#include "tracefile/reader_core.hpp"

#include <map>
#include <unordered_map>

namespace prof::detail {

class SampleReader {
public:
  explicit SampleReader(ReaderCore& core) : core_(core) {}
  void read_perf_sample(SequenceState& sequence, std::int64_t ts, std::string_view message);
  void read_stack_sample(SequenceState& sequence, std::int64_t ts, std::string_view message);
  void read_module_symbols(std::string_view message);
  // A call stack that hangs on a track event.
  void add_event_stack(SequenceState& sequence, std::int64_t ts, Id<Thread> thread, std::uint64_t stack_iid);

private:
  Id<Callstack> resolve_stack(SequenceState& sequence, std::uint64_t iid);
  Id<Frame> resolve_frame(SequenceState& sequence, std::uint64_t iid);
  Id<Mapping> resolve_mapping(SequenceState& sequence, std::uint64_t iid);
  Id<Callstack> read_inline_stack(Message message);
  void read_addresses(Id<Mapping> mapping, Message message);
  ReaderCore& core_;
  std::map<std::pair<StrId, StrId>, Id<Mapping>> modules_; // (path, build id)
};

class SchedReader {
public:
  explicit SchedReader(ReaderCore& core) : core_(core) {}
  void read_bundle(SequenceState& sequence, std::string_view message);
  // After a loss: who runs where is not known.
  void forget_running() { running_.clear(); }

private:
  struct Row {
    std::int64_t ts = 0;
    bool is_switch = false, is_compact = false;
    SchedSwitch sw;
    SchedWakeup wake;
  };
  void read_event(Message message, std::vector<Row>& rows);
  void read_compact(Message message, std::vector<Row>& rows);
  ReaderCore& core_;
  std::map<std::int32_t, std::int64_t> running_;
};

class TrackReader;

class GpuReader {
public:
  GpuReader(ReaderCore& core, TrackReader& tracks) : core_(core), tracks_(tracks) {}
  void read_info(std::string_view message);
  void read_render_stage(SequenceState& sequence, std::int64_t ts, std::string_view message);
  void read_counters(SequenceState& sequence, std::int64_t ts, std::string_view message);

private:
  struct Launch {
    std::vector<Arg> args;
    StrId op_type;
    std::uint64_t correlation = 0, flow_in = 0;
    std::int64_t bytes = 0;
    std::optional<std::int64_t> stream;
  };
  void read_launch(SequenceState& sequence, Message message, Launch& launch);
  void read_arg(SequenceState& sequence, Message message, Launch& launch);
  ReaderCore& core_;
  TrackReader& tracks_;
};

// A flow id for "this kernel", from the event id by which launching slices name it.
[[nodiscard]] constexpr std::uint64_t gpu_flow(std::uint64_t event_id) {
  return 0x6770750000000000ULL ^ event_id;
}

} // namespace prof::detail
