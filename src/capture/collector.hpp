// collector.hpp: a live source of data. One file src/capture/collectors/<name>_collector.cpp each, registered
// by its name.
#pragma once
#include "base/result.hpp"
#include "trace/sink.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace prof {

class CaptureShared;

// What the user asked for, resolved.
struct CaptureRequest {
  std::vector<std::int64_t> pids; // the target's processes at the start
  bool is_whole_machine = false;
  std::vector<Layer> layers;        // of --scope
  std::vector<std::string> metrics; // of --metrics; empty = everything of the scope
  double sampling_rate = 1.0;       // share of requests in detail, 0..1
  int cpu_hz = 199;
  std::filesystem::path proc_root = "/proc", sys_root = "/sys"; // tests bring their own
  // What the collectors of one session know together (capture/shared.hpp); set by the session before
  // create(), null in probe().
  std::shared_ptr<CaptureShared> shared;
};

// Whether a signal (metric id or word of trace/conventions.hpp) can be had here. reason and mend are text
// ids.
struct SignalState {
  std::string name{};
  bool is_available = false;
  std::string reason{}, mend{}, detail{};
};

// A source whose data is not in the trace at all, though it was asked for: the text id of the note that says
// so, and which ("pid 7: ...").
struct Unread {
  std::string code, where;
  std::string zh{}; // `where` in Chinese; empty = it is the same
};
// "pid 7: ..." with the error's words.
[[nodiscard]] inline Unread unread_for(std::string code, std::string_view of, const Error& error) {
  const auto place = [&](const std::string& what) { return std::string(of) + ": " + what; };
  return {.code = std::move(code),
          .where = place(error.what),
          .zh = error.zh.empty() ? std::string() : place(error.zh)};
}

// A running collector. All calls come from the session's one thread.
class Collector {
public:
  virtual ~Collector() = default;
  // Begins recording. Data may be handed to the sink in any of the three calls, but names of processes and
  // threads must not be read from /proc in this one: a program that is launched is not yet itself then.
  // poll() follows at once.
  [[nodiscard]] virtual Status start(TraceSink& sink) = 0;
  // Called about ten times a second; takes what has gathered since. Must not block.
  virtual void poll(TraceSink& sink) = 0;
  // Ends recording, hands over the rest and notes about losses.
  virtual void stop(TraceSink& sink) = 0;
  // The target's processes changed (fork, exit); `pids` is the full new list.
  virtual void on_processes(std::span<const std::int64_t> pids, TraceSink& sink) = 0;
  // Signals whose state became another one since the last call: a service announced itself, or a program that
  // was launched turned out to have no engine.
  [[nodiscard]] virtual std::vector<SignalState> changed_signals() { return {}; }
  // Asked once, after stop().
  [[nodiscard]] virtual std::vector<Unread> unread() { return {}; }
};

struct CollectorInfo {
  std::string_view name{};        // "cpu_samples"
  std::string_view description{}; // text id
  Layer layer = Layer::os;
  // What it would give for this request, without starting anything. Also what `profiler doctor` prints.
  std::vector<SignalState> (*probe)(const CaptureRequest& request) = nullptr;
  std::unique_ptr<Collector> (*create)(const CaptureRequest& request) = nullptr;
};
[[nodiscard]] std::span<const CollectorInfo* const> all_collectors();

} // namespace prof
