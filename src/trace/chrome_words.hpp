// chrome_words.hpp: what our Chrome JSON says beyond Kineto's words, so that it comes back as it was: kinds
// of kernels, what ran on each CPU, what each thread waited for, and whose a counter is.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace prof::words {

inline constexpr std::string_view kArgKernelKind = "kernel_kind"; // compute, communication, memory

// A thread on a CPU: tid = number of the CPU. Args: tid, pid (absent: not known), end_state (as
// sched.end_state).
inline constexpr std::string_view kSchedRun = "cann.sched_run";
// What a thread did off the CPU, on a lane of its own; name = the state. Args: tid, waker (of "runnable").
inline constexpr std::string_view kSchedState = "cann.sched_state";
inline constexpr std::string_view kArgTid = "tid", kArgPid = "pid", kArgEndState = "end_state",
                                  kArgWaker = "waker";

// A counter whose only argument is named by its unit: the category is this word and the owner, and the name
// ends with the same.
inline constexpr std::string_view kCounter = "cann.counter";
inline constexpr std::string_view kOfCpu = " cpu ", kOfThread = " thread ", kOfDevice = " device ";
struct CounterOwner {
  std::int64_t cpu = -1, tid = -1, device = -1; // -1: none; the process is the event's, 0 for none
  [[nodiscard]] std::string text() const {
    std::string out;
    if (cpu >= 0) out.append(kOfCpu).append(std::to_string(cpu));
    if (tid >= 0) out.append(kOfThread).append(std::to_string(tid));
    if (device >= 0) out.append(kOfDevice).append(std::to_string(device));
    return out;
  }
};

} // namespace prof::words
