// npu_side.hpp: what Ascend devices did, as rows of a trace: kernels on streams, the other tasks of a stream
// (copies, events, parts of collectives) on tracks beside them.
#pragma once
#include "trace/sink.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace prof::ascend {

// What a task of a stream is, from the words that CANN gives to it. Copies are no kernels here: the vendor's
// own figures (computing, communication, free) leave them out.
enum class TaskRole : std::uint8_t { compute, copy, event, communication_part, other };
[[nodiscard]] TaskRole role_of_task(std::string_view task_type, std::string_view name);
[[nodiscard]] std::string_view category_of(TaskRole role);
// A collective as a whole ("hcom_allReduce__586_0_1"), by its name or by what stands for its core.
[[nodiscard]] bool is_collective(std::string_view name, std::string_view core);

// Streams that the data has no number for. Hardware streams count from 0.
inline constexpr std::int64_t kUnknownStream = -1;
[[nodiscard]] constexpr std::int64_t group_stream(std::int64_t group) {
  return -2 - group; // collectives as a whole: one made-up stream per communication group
}

// Flow ids that cannot meet: of kinds, of several ranks in one trace, of numbers beyond 64 bits.
enum class FlowKind : std::uint8_t { launch, op, queue, autograd };
[[nodiscard]] std::uint64_t flow_id(FlowKind kind, std::int64_t rank, std::string_view number);
[[nodiscard]] std::uint64_t flow_id(FlowKind kind, std::int64_t rank, std::uint64_t number);

class NpuSide {
public:
  NpuSide(TraceSink& sink, std::string rank_label) : sink_(sink), rank_label_(std::move(rank_label)) {}

  [[nodiscard]] Id<Device> device(std::int64_t index);
  void name_chip(std::string_view chip) { chip_ = chip; } // before the first device
  [[nodiscard]] Id<Stream> stream(std::int64_t device, std::int64_t number, std::string_view label = {});

  // A task that is no kernel. Kept until flush(): they come in any order and may lie across each other.
  struct Task {
    std::int64_t device = 0, stream = 0, plane = -1; // plane: of a collective, -1 = the stream itself
    Ts ts{};
    Dur dur{};
    StrId name{}, category{};
    std::uint64_t flow_in = 0;
    std::vector<Arg> args;
  };
  void add(Task task) { tasks_.push_back(std::move(task)); }
  void flush();

private:
  [[nodiscard]] Id<Track> lane(const Task& task, std::size_t number);

  TraceSink& sink_;
  std::string rank_label_, chip_;
  std::map<std::int64_t, Id<Device>> devices_;
  std::map<std::pair<std::int64_t, std::int64_t>, Id<Stream>> streams_;
  std::vector<Task> tasks_;
};

// Steps that the program marked stand in for requests, on a track of their own.
class Steps {
public:
  explicit Steps(TraceSink& sink) : sink_(sink) {}
  void add(std::int64_t number, Ts ts, Dur dur, Id<Process> process);
  [[nodiscard]] bool has_any() const { return count_ > 0; }
  [[nodiscard]] static bool number_of(std::string_view name, std::int64_t& number); // "ProfilerStep#50"

private:
  TraceSink& sink_;
  std::map<std::uint32_t, Id<Track>> tracks_; // by process
  std::int64_t count_ = 0;
};

// Where the steps of each thread lie. A step begins inside the Python call that marks it and ends long after
// it: on one track such calls would cut the step off, so they go beside it.
class StepSpans {
public:
  void add(std::uint64_t thread, Ts ts, Dur dur) { spans_[thread].emplace(ts.ns, ts.ns + dur.ns); }
  [[nodiscard]] bool is_cut_by(std::uint64_t thread, Ts ts, Dur dur) const {
    const auto of_thread = spans_.find(thread);
    if (of_thread == spans_.end()) return false;
    const std::int64_t end = ts.ns + dur.ns;
    const auto step = of_thread->second.upper_bound(ts.ns);
    return step != of_thread->second.end() && step->first < end && end < step->second;
  }

private:
  std::map<std::uint64_t, std::map<std::int64_t, std::int64_t>> spans_; // start -> end
};

} // namespace prof::ascend
