// host_calls.hpp: what the recorded calls of a thread say about its time where no scheduler does: waiting for
// a device, or code of the host that is no operator (functions of Python, annotations, calls of a runtime).
//
//   thread   |== aten::copy_ =====================|  |== forward (Python) ====|
//              |~~ cudaStreamSynchronize ~~~~~~~|       |= aten::mm =|
//            | op                               |  | code|    op     | code  |   and the wait is no op
#pragma once
#include "store/intervals.hpp"
#include "store/store.hpp"

#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace prof {

// The rank in "(rank 3)" at the end of a name; -1: there is none.
[[nodiscard]] std::int64_t rank_in(std::string_view name);

class HostCalls {
public:
  // `units`: slices that stand for the work as a whole, which is no call. O(n log n) in slices.
  HostCalls(const Store& store, std::span<const std::uint32_t> units);
  struct OfThread {
    IntervalSet waits, code; // code: all of its calls, those inside operators left out
  };
  [[nodiscard]] const std::vector<OfThread>& threads() const { return threads_; }
  [[nodiscard]] bool has_waits() const { return has_waits_; }

private:
  std::vector<OfThread> threads_;
  bool has_waits_ = false;
};

// When the devices worked that a process waits for: those that it launched kernels on; without any those of
// its rank; without that all.
class DeviceWork {
public:
  explicit DeviceWork(const Store& store);
  [[nodiscard]] const IntervalSet& busy(std::uint32_t process) const; // process: kNoRow = not known

private:
  std::vector<IntervalSet> of_process_;
  IntervalSet all_;
};

// Own time of the calls of each thread inside these instants of it: each belongs to the innermost call of the
// kind asked for. Those inside no such call stay in `of_thread`.
enum class CallSort : std::uint8_t { code, waits, any }; // any: operators too
using TimeByName = std::map<StrId, std::int64_t>;
[[nodiscard]] std::vector<TimeByName> own_call_time(const Store& store, std::vector<IntervalSet>& of_thread,
                                                    CallSort sort, std::span<const std::uint32_t> units);
// The waits inside each operator (row of OpTable), ns; a wait inside another wait counts once.
[[nodiscard]] std::vector<std::int64_t> waits_in_ops(const Store& store);

} // namespace prof
