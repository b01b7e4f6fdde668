// rows.hpp: what rocprofv3 records, whichever of its formats (database, CSV, JSON) says it: calls of the HIP
// and HSA interfaces, kernels and copies, tied by the correlation id of the call that launched them.
#pragma once
#include "import/json/event_args.hpp"
#include "trace/sink.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace prof::rocprof {

// A CPU or GPU of the machine, under the id that the file gives it.
struct Agent {
  bool is_gpu = true;
  std::int64_t index = 0; // among the GPUs
  std::string name;
};

struct Call {
  std::int64_t pid = 0, tid = 0, start = 0, end = 0; // ns
  std::string_view name{}, domain{};                 // domain: a category of slices
  std::uint64_t correlation = 0;                     // unique within the process; 0 = none
};
struct Dispatch {
  std::int64_t pid = 0, agent = 0, start = 0, end = 0;
  std::int64_t queue = -1; // -1 = not said: copy engines have none
  std::int64_t stream = -1, bytes = 0;
  std::string_view name{};
  std::uint64_t correlation = 0;
  bool is_copy = false;
  std::vector<std::pair<std::string_view, std::int64_t>> args{}; // "workgroup_x" ...
};

// "HIP_RUNTIME_API" -> "hip_runtime": what other readers call such calls.
[[nodiscard]] std::string_view category_of(std::string_view domain);

class Rows {
public:
  // `reader`: whose name stands with the signals.
  Rows(TraceSink& sink, std::string_view reader) : sink_(sink), texts_(sink), reader_(reader) {}

  // Before the first dispatch on it.
  void agent(std::int64_t id, Agent agent) { agents_[id] = std::move(agent); }
  void process(std::int64_t pid, std::string_view command);
  void call(const Call& row);
  void dispatch(const Dispatch& row);
  void not_read(std::string_view what, std::int64_t count);
  // Error: malformed when there was nothing.
  [[nodiscard]] Status finish(std::string_view format);

private:
  Id<Process> process_of(std::int64_t pid);
  Id<Device> device_of(std::int64_t agent);
  std::uint64_t flow_of(std::int64_t pid, std::uint64_t correlation);

  TraceSink& sink_;
  json::TextCache texts_;
  std::string_view reader_;
  std::map<std::int64_t, Agent> agents_;
  std::map<std::int64_t, Id<Process>> processes_;
  std::map<std::int64_t, Id<Device>> devices_;
  std::map<std::int64_t, std::uint64_t> numbers_; // of processes, for flow ids
  std::map<std::string, std::int64_t> not_read_;
  std::vector<Arg> args_;
  std::int64_t kernels_ = 0, rows_ = 0, without_time_ = 0;
};

} // namespace prof::rocprof
