// trace_index.hpp: what one pass over a trace_view.json (or msprof_*.json) finds on the device side, and the
// links between the layers. The host side, which is the larger part, is read in a second pass.
#pragma once
#include "import/ascend/notes.hpp"
#include "import/ascend/npu_side.hpp"
#include "import/json/event_args.hpp"
#include "import/json/event_stream.hpp"

#include <filesystem>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace prof::ascend {

// What an event of the file is, from its own fields: process names stand at the end of the file, which may be
// cut off.
enum class EventRole : std::uint8_t { host, cann, task, collective, part, overlap, other };
[[nodiscard]] EventRole role_of_event(const json::EventBatch& batch, const json::TraceEvent& event);
[[nodiscard]] std::optional<std::uint64_t> connection_of(const json::EventBatch& batch,
                                                         const json::TraceEvent& event);
// One number for a (pid, tid) pair, as written.
[[nodiscard]] std::uint64_t lane_of(std::string_view pid, std::string_view tid);

// One number for a row, to tell whether it was there before.
[[nodiscard]] std::uint64_t row_key(std::uint64_t lane, std::int64_t ts, std::int64_t dur,
                                    std::uint32_t name);

// A task of a device stream, or a collective as a whole.
struct DeviceTask {
  std::int64_t ts = 0, dur = 0;
  std::int64_t stream = kUnknownStream, task = -1, subtask = -1, bytes = 0;
  std::uint64_t lane = 0, connection = 0, flow_in = 0;
  StrId name{}, type{}, direction{};
  std::uint32_t details = 0; // collectives: 1 + row in TraceIndex::details
  TaskRole role = TaskRole::other;
  bool has_connection = false, is_collective = false, is_used = false;
};

// Where a flow starts or ends: at the slice of that lane that begins then.
struct FlowPoint {
  std::uint64_t lane = 0;
  std::int64_t ts = 0;
  std::uint64_t id = 0; // of flow_id()
  friend auto operator<=>(const FlowPoint&, const FlowPoint&) = default;
};

class TraceIndex {
public:
  TraceIndex(TraceSink& sink, std::int64_t rank) : sink_(sink), texts_(sink), rank_(rank) {}

  // A part of the trace (large ones are split). Errors: as json::stream_events().
  [[nodiscard]] Result<json::StreamReport> read(const std::filesystem::path& path);
  // After the last part, before anything below. Older tools write the same tasks to several files: what is
  // there twice counts once.
  void link();

  // Sorted by start.
  [[nodiscard]] std::vector<DeviceTask>& tasks() { return tasks_; }
  [[nodiscard]] std::vector<NpuSide::Task>& parts() { return parts_; } // of collectives
  [[nodiscard]] const std::vector<Arg>& details(const DeviceTask& task) const;
  // The unused task that a row of the table of kernels describes, or null. Times of the two files differ by
  // up to 1 ns, which their writer's rounding explains.
  [[nodiscard]] DeviceTask* find(Ts ts, StrId name, std::optional<std::int64_t> stream,
                                 std::optional<std::int64_t> task);

  [[nodiscard]] std::optional<std::int64_t> device() const { return device_; }
  [[nodiscard]] const std::string& python_pid() const { return python_pid_; }
  [[nodiscard]] bool has_host() const { return !python_pid_.empty(); }
  [[nodiscard]] std::int64_t rank() const { return rank_; }
  [[nodiscard]] const StepSpans& steps() const { return steps_; }

  // Flows of host slices. Out of an operator that starts there (several: it launched several); the first
  // caller gets them.
  [[nodiscard]] std::vector<std::uint64_t> take_op_flows(std::uint64_t lane, std::int64_t ts);
  [[nodiscard]] std::uint64_t autograd_out(std::uint64_t lane, std::int64_t ts) const;
  [[nodiscard]] std::uint64_t autograd_in(std::uint64_t lane, std::int64_t ts) const;
  // Of a CANN call with this connection: to what it launched, and from the operator that made it.
  [[nodiscard]] std::uint64_t launch_out(std::uint64_t connection) const;
  [[nodiscard]] std::uint64_t launch_in(std::uint64_t connection) const;

private:
  void take(const json::EventBatch& batch);
  void name(const json::EventBatch& batch, const json::TraceEvent& event);
  void add_task(const json::EventBatch& batch, const json::TraceEvent& event);
  void add_collective(const json::EventBatch& batch, const json::TraceEvent& event);
  void add_part(const json::EventBatch& batch, const json::TraceEvent& event);
  void add_flow(const json::TraceEvent& event);
  void drop_repeated();

  TraceSink& sink_;
  json::TextCache texts_;
  std::int64_t rank_ = 0, files_ = 0;
  std::vector<DeviceTask> tasks_;
  std::vector<NpuSide::Task> parts_;
  std::vector<std::vector<Arg>> details_;
  std::unordered_map<std::uint64_t, std::int64_t> number_of_lane_; // of groups and planes, from their names
  std::unordered_set<std::uint64_t> cann_connections_, device_connections_, part_keys_;
  std::vector<FlowPoint> op_out_, op_in_, autograd_out_, autograd_in_;
  std::unordered_map<std::uint64_t, std::uint64_t> launch_in_;
  std::optional<std::int64_t> device_;
  bool is_device_labelled_ = false;
  std::string python_pid_;
  StepSpans steps_;
};

} // namespace prof::ascend
