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

// A slice as it was: its layer says that it is one; its category where the event has Kineto's for it; which
// arguments were added for other readers; flows between slices by number ("1 7").
// The recorded argument of a name that the event has for another value stands under kOwnArg + its name.
inline constexpr std::string_view kOwn = "cann.", kOwnArg = "cann.own.", kLayerOf = "cann.layer",
                                  kCategoryOf = "cann.category", kAdded = "cann.added",
                                  kFlowsOut = "cann.flows_out", kFlowsIn = "cann.flows_in";
// Of an event on a thread made up for what does not nest on the one with this tid.
inline constexpr std::string_view kBesideTid = "cann.beside_tid";
// Of a kernel: the correlation id that was recorded, where the event has another.
inline constexpr std::string_view kCorrelationOf = "cann.correlation";
// Of a thread_name: the event's thread is a track of another kind; of which stream, or of no process.
inline constexpr std::string_view kTrackOf = "cann.track", kTrackDevice = "cann.device",
                                  kTrackStream = "cann.stream", kNoProcess = "cann.no_process";
// Of a track that others stand under, and of those.
inline constexpr std::string_view kTrackRow = "cann.row", kTrackParent = "cann.parent";
inline constexpr std::string_view kCmdlineOf = "cann.cmdline"; // of a process_name
// The member of the file that says so: {"metadata":[[key,value]],"signals":[...],"notes":[...],"gaps":[...],
// "devices":[[number, index, kind, name, [[stream, name]]]],"samples":n,"base_ns":n}. It stands first.
// base_ns: what the times of the events count from; those in the ledger count from zero.
inline constexpr std::string_view kLedger = "cann.ledger";

// A counter whose only argument is named by its unit: the category is this word and the owner, and the name
// ends with the same.
inline constexpr std::string_view kCounter = "cann.counter";
inline constexpr std::string_view kOfCpu = " cpu ", kOfThread = " thread ", kOfDevice = " device ",
                                  kOfProcess = " process ";
struct CounterOwner {
  std::int64_t cpu = -1, tid = -1, device = -1; // -1: none; the process is the event's, 0 for none
  std::int64_t pid = -1;                        // 0 where that is really its number
  [[nodiscard]] std::string text() const {
    std::string out;
    if (cpu >= 0) out.append(kOfCpu).append(std::to_string(cpu));
    if (tid >= 0) out.append(kOfThread).append(std::to_string(tid));
    if (device >= 0) out.append(kOfDevice).append(std::to_string(device));
    if (pid >= 0) out.append(kOfProcess).append(std::to_string(pid));
    return out;
  }
};

} // namespace prof::words
