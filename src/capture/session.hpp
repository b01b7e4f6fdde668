// session.hpp: one recording: starts the collectors, reads them ten times a second, follows the target's
// processes, keeps the file flushed, and names the addresses at the end. Runs in the calling thread at low
// priority.
#pragma once
#include "capture/signal_states.hpp"
#include "capture/stack_book.hpp"
#include "tracefile/writer.hpp"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace prof {

// Where the rows go. `flush` is called at least every 0.5 s and `stats` after it; a TraceFileWriter gives
// both.
struct CaptureOutput {
  TraceSink& sink;
  std::function<Status()> flush;
  std::function<WriterStats()> stats;
};

enum class CapturePhase : std::uint8_t { recording, naming };
struct CaptureProgress {
  CapturePhase phase = CapturePhase::recording;
  double done = 0, all = 0; // seconds while recording (all 0 = until stopped), addresses while naming
  std::int64_t events = 0;
};

struct CaptureOptions {
  CaptureRequest request;
  Dur duration;                                              // 0 = until stopped
  Dur naming_limit{20'000'000'000};                          // for symbols at the end
  std::vector<std::pair<std::string, std::string>> metadata; // written first
  // Called once everything records: lets a launched program run. An error ends the capture.
  std::function<Status()> on_started;
  // Called once when the first rows are in the output.
  std::function<void()> on_recording;
  // Ten times a second; true stops the recording.
  std::function<bool()> should_stop;
  std::function<void(const CaptureProgress&)> on_progress;
  // The target's processes as far as its name tells (a restarted service has a new process). Asked every 2 s;
  // With it and a duration, the end of all its processes is not the end: a new one is waited for, and asked
  // for three times a second (`is_gone`). May be empty.
  std::function<std::vector<std::int64_t>(bool is_gone)> rediscover;
  bool waits_for_target = false; // the same without a duration
  // Called when a process of the target's name has started beside one that runs: both pids.
  std::function<void(std::int64_t joined, std::int64_t running)> on_joined;
  // Asked after the recording: whether addresses are to be named. Empty: they are. A flight recorder that did
  // not fire has nothing to name them in.
  std::function<bool()> wants_names;
  // Asked while naming: true skips the rest. Empty: should_stop, unless it has ended the recording.
  std::function<bool()> skip_naming;
  // Given every signal's state, the states of the metrics that the user asked for. Written to the trace
  // beside the signals.
  std::function<std::vector<SignalState>(const std::vector<SignalState>&)> judge_metrics;
};

enum class CaptureEnd : std::uint8_t { duration, asked, target_ended, write_error };
struct CaptureReport {
  CaptureEnd end = CaptureEnd::duration;
  Dur recorded;
  std::int64_t restarts = 0; // the target was gone and came back
  Dur absent;                // in all, and
  Dur ended;                 // when it went for good; 0 = never
  Dur kept;                  // that the rows up to the last flush that succeeded cover, as a reader counts it
  std::optional<Error> write_error{};
  WriterStats stats;
  std::int64_t lost = 0;
  std::vector<Unread> unread; // in the order told
  std::int64_t own_cpu_ns = 0, own_peak_rss_bytes = 0;
  std::int64_t processes = 0; // seen in all
  std::int64_t stacks = 0, leaf_only_stacks = 0;
  SymboliseResult symbols;
  std::vector<SignalState> signals, metrics;
  std::vector<std::pair<std::string, Error>> failed; // collectors that could not start
};

// Records until the duration is over, should_stop says so, the target ends or the output fails. Errors: only
// what on_started gives; everything else is in the report. The caller finishes the output.
[[nodiscard]] Result<CaptureReport> run_capture(const CaptureOptions& options, const CaptureOutput& output);

} // namespace prof
