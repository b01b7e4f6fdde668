// request_time.hpp: the exclusive accounting of every request: each instant of its wall time belongs to
// exactly one class.
//
//   request   |------------------------------------------------|
//   queue     |~~~~~~~|                                            -> queue_wait
//   denoise           |== worker thread ==========================|
//   thread            | X  X  | R | X | S (pool runs) | S | D |    -> by scheduler state, operators, locks
//   and stacks
//
// The classes of one request sum to its duration, to the nanosecond.
#pragma once
#include "store/store.hpp"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace prof {

enum class TimeClass : std::uint8_t {
  cpu_op, // on a CPU inside an operator; or the worker waits in a run while pool threads of its process run
          // for it
  cpu_other,   // on a CPU outside operators
  host_code,   // in a recorded call of the host that is no operator (a function of Python, an annotation, a
               // call of the runtime); whether it was on a CPU meanwhile was not recorded
  runnable,    // woken, waiting for a CPU
  preempted,   // put off the CPU while it still wanted to run
  throttled,   // off the CPU because the cgroup's quota was used up (only where the counters prove it)
  lock_wait,   // waiting for a mutex
  io,          // waiting for files or block devices
  page_fault,  // waiting for a page
  sleeping,    // asleep for another reason, or one that no data shows
  queue_wait,  // in the service's queue; or its worker thread is busy with other requests between two stages
               // of this one
  batch_wait,  // waiting for a batch to fill
  device_wait, // waiting for a device or its stream: a stage says so, or a call that waits for it
               // (knowledge/calls) while it works, or it works on a step of which no thread is known
  sync_idle,   // in a call that waits for the device, which does nothing meanwhile
  network,     // waiting for the network
  unexplained, // no data says what happened
};
inline constexpr std::size_t kTimeClasses = 16;
[[nodiscard]] std::string_view word(TimeClass time_class); // "cpu_op"

// What is accounted. Without requests, model runs or iterations take their place, and `kind` says so.
struct UnitTable {
  std::string_view kind = "request"; // "request" | "run" | "iteration"
  Column<std::uint32_t> slice;
  Column<std::int64_t> ts, dur;
  Column<StrId> name;
  // False: recording ended first, so that dur is only what was seen of it. Latency and error figures leave
  // such rows out.
  Column<bool> is_complete;
  // The row of the first rank's part of the same step of a job: rows of one step share it. Else the own row.
  Column<std::uint32_t> job_step;
};
// What a thread was in, in the classes host_code, device_wait and sync_idle: own time of each call by name.
struct CallTime {
  std::uint32_t thread = 0;
  TimeClass time_class = TimeClass::host_code;
  StrId name;
  std::int64_t ns = 0;
};
struct RequestTime {
  UnitTable unit; // row i is RequestTable row i when kind is "request"
  std::vector<std::array<std::int64_t, kTimeClasses>> ns; // per unit, by class
  std::vector<CallTime> calls;                            // by thread, class and name
};

// Pure: same store, same answer. About 1 us per scheduler state inside a request.
[[nodiscard]] RequestTime account_requests(const Store& store);
// The same classes for threads, over all that was recorded of each: for traces without any unit of work. By
// thread, in order of row; the classes of one sum to its dur.
//
// - Where the scheduler was recorded: from its first to its last state. Waiting for something to happen
// (epoll,
//   poll, a pipe, a condition variable) is sleeping here: nobody says that a request waits meanwhile.
// - Else, where it ran operators or runs: from its first to its last slice.
// - Else the CPU time of its samples, all of it on a CPU: what it did otherwise was not recorded.
//
// Threads of which nothing is known but that they took a CPU from others (no process) are left out.
struct ThreadTime {
  std::vector<std::uint32_t> thread;
  std::vector<std::int64_t> ts, dur;
  std::vector<std::array<std::int64_t, kTimeClasses>> ns;
  std::vector<CallTime> calls;
};
[[nodiscard]] ThreadTime account_threads(const Store& store);
[[nodiscard]] UnitTable find_units(const Store& store);
// What units of this kind are to people: "request", "run" or "iteration". A reader that found steps or model
// runs hands them over as requests, and says so in the metadata.
[[nodiscard]] std::string_view unit_word(const Store& store, std::string_view kind);
// The name of a step without its number, so that the steps of a trace are one kind of work: "ProfilerStep#5"
// -> "ProfilerStep#N". Other names as they are.
[[nodiscard]] std::string without_step_number(std::string_view name);

} // namespace prof
