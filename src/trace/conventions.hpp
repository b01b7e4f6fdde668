// conventions.hpp: the words that producers and analysis agree on. Every producer (SDK, shim, readers) uses
// them; the store builds its typed tables (request, stage, op) from them. Adding a word here means
// documenting it in docs/sql.md.
#pragma once
#include <string_view>

namespace prof::words {

// --- slice categories
// ------------------------------------------------------------------------------------------- One
// user-visible unit of work, on an async track. Args: request_id (int), status ("ok", "error", "timeout",
// "rejected", "cancelled"; "unfinished" = the recording ended first, dur is what was seen of it).
inline constexpr std::string_view kRequest = "request";
// A phase of one or more requests. Args: request_id (once per request served), wait_class (when it is
// waiting). On a thread track: that thread works for these requests meanwhile. On an async track: nobody runs
// (a queue). covers "process": what any thread of its process does meanwhile is work for it too, where no
// stage of that thread says otherwise (a training or inference step that one thread marks for all).
inline constexpr std::string_view kStage = "stage";
// One operator of a model graph, on a thread track. Args: op_type, model, provider, input_shapes,
// output_shapes.
inline constexpr std::string_view kOp = "op";
// One run of a model (a session run). Args: model.
inline constexpr std::string_view kRun = "run";
// A thread that waited for a mutex. Args: address (hex text), owner_tid.
inline constexpr std::string_view kLock = "lock";
// Any other span.
inline constexpr std::string_view kSpan = "span";
// A mark in time set by the profiler itself (trigger fired, phase of a benchmark).
inline constexpr std::string_view kMark = "mark";

// --- argument keys
// ----------------------------------------------------------------------------------------------
inline constexpr std::string_view kArgRequestId = "request_id";
inline constexpr std::string_view kArgStatus = "status";
inline constexpr std::string_view kArgWaitClass =
    "wait_class"; // "queue_wait" | "batch_wait" | "device_wait" | "network"
inline constexpr std::string_view kArgCovers = "covers", kCoversProcess = "process";
// bool false on a request of which only the total was recorded (--sampling_rate below 100 %); else absent.
inline constexpr std::string_view kArgSampled = "sampled";
inline constexpr std::string_view kArgOpType = "op_type";
inline constexpr std::string_view kArgModel = "model";
inline constexpr std::string_view kArgProvider = "provider";
inline constexpr std::string_view kArgInputShapes = "input_shapes";
inline constexpr std::string_view kArgOutputShapes = "output_shapes";
inline constexpr std::string_view kArgAddress = "address";
inline constexpr std::string_view kArgOwnerTid = "owner_tid";

// --- counters
// --------------------------------------------------------------------------------------------------- Written
// by the SDK user: "queue_depth" (count), "batch_size" (count). By collectors: "rss", "cpu_util" (percent,
// per cpu or per process), "cpu_freq" (MHz), "mem_used", "psi_cpu_some" / "psi_memory_some" /
// "psi_memory_full" / "psi_io_some" (ns, cumulative), "run_delay" (ns, cumulative, per thread),
// "nr_throttled", "throttled_time" (ns, cumulative), "heap_in_use", "heap_held" (bytes, per process),
// "minor_faults", "major_faults" (cumulative, per process).

// --- sample events
// ----------------------------------------------------------------------------------------------
inline constexpr std::string_view kEventCpu = "cpu-clock";
inline constexpr std::string_view kEventFault = "page-faults";
inline constexpr std::string_view kEventSwitch = "context-switches";

// --- signals (beside every metric id)
// -----------------------------------------------------------------------------
inline constexpr std::string_view kSignalRequests = "requests";
inline constexpr std::string_view kSignalStages = "stages";
inline constexpr std::string_view kSignalOps = "ops";
inline constexpr std::string_view kSignalSched = "sched";
inline constexpr std::string_view kSignalStacks = "cpu_stacks";
inline constexpr std::string_view kSignalFaults = "page_fault_events";
inline constexpr std::string_view kSignalLocks = "locks";
inline constexpr std::string_view kSignalKernels = "kernels";
inline constexpr std::string_view kSignalHeap = "heap";

// --- metadata keys
// -------------------------------------------------------------------------------------------- "service" (SDK
// name), "target", "scope", "sampling_rate", "duration_ns", "host", "kernel", "cpu_model", "cpu_count",
// "profiler_version", "command", "capture.cpu_ns" (own cost), "capture.bytes", "capture.events",
// "capture.lost", "capture.state" ("recording", at the end "ended"), "program.ended" (how that ended),
// "clock"
// ("CLOCK_MONOTONIC"), "start_realtime_ns", "model.<name>" (path of a model file seen), "config.<key>" (an
// option of the service and its value, as the service itself names it).
inline constexpr std::string_view kConfigPrefix = "config.";
// The option by which the service reads a YAML file of those keys: "--config".
inline constexpr std::string_view kConfigOption = "config.option";

} // namespace prof::words
