// flight_recorder.hpp: a recording that keeps only the last seconds, in memory, until a trigger fires: then
// those and the seconds after become a trace file.
//
//   before           after
//   |<-- ring -->|fired|----->|
//   [s][s][s][s][s]           each segment [s] begins with clocks, descriptors and fresh tables of names, so
//                             that the file may begin with any of them. It gets its name with the first
//                             packets in it, and grows on: whatever happens then, it can be read
#pragma once
#include "base/file.hpp"
#include "capture/flight_tap.hpp"
#include "capture/live_metrics.hpp"
#include "capture/packet_ring.hpp"
#include "capture/trigger.hpp"
#include "tracefile/writer.hpp"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace prof {

struct FlightOptions {
  Dur before{30'000'000'000}, after{5'000'000'000};
  Dur window{10'000'000'000}; // of percentiles and rates
  std::int64_t ring_bytes = std::int64_t{256} << 20;
  Ts not_before{};                // the cool-down of an earlier capture
  std::filesystem::path output{}; // "-" is standard output
  std::filesystem::path proc_root = "/proc";
};

// What fired, and what of it is in the file.
struct FlightCapture {
  Ts fired;
  std::string values{}; // "p99_latency 312 ms (> 200 ms)"
  Dur before;           // that the ring held
  bool is_cut = false;  // because its bytes were used up
  Dur after;
  std::int64_t events = 0, bytes = 0;
};

// One capture. Single-threaded; the time is the caller's, and never goes back.
class FlightRecorder {
public:
  FlightRecorder(FlightOptions options, Trigger& trigger, Ts now);
  FlightRecorder(const FlightRecorder&) = delete;
  FlightRecorder& operator=(const FlightRecorder&) = delete;
  ~FlightRecorder();

  // Where the rows go.
  [[nodiscard]] TraceSink& sink() { return *tap_; }
  // Encodes what came, and lets go of what is too old. Errors: of the file, once it has fired.
  [[nodiscard]] Status flush(Ts now);
  // Looks at the metrics, and fires when the trigger holds and the cool-down is over. Errors: of the file.
  [[nodiscard]] Status look(Ts now);
  // What came after it fired is recorded: the recording may end.
  [[nodiscard]] bool is_complete(Ts now) const { return capture_ && now - capture_->fired >= options_.after; }
  // The last rows are in the sink: finishes the file, if it fired. Errors: of the file. After one of any call
  // the file has what fitted and takes nothing more.
  [[nodiscard]] Status finish(Ts now);

  [[nodiscard]] const std::optional<FlightCapture>& capture() const { return capture_; }
  // Something of the capture can be read under the output's name, after an error too.
  [[nodiscard]] bool has_appeared() const { return file_ && file_->is_in_place(); }
  [[nodiscard]] WriterStats stats() const { return writer_->stats(); }
  [[nodiscard]] const LiveMetrics& live() const { return live_; }
  [[nodiscard]] Dur held(Ts now) const { return now - ring_.oldest(); }
  [[nodiscard]] std::int64_t held_bytes() const { return ring_.bytes(); }
  [[nodiscard]] bool is_cooling(Ts now) const { return now < options_.not_before; }

private:
  [[nodiscard]] Status take(std::string_view bytes);
  [[nodiscard]] Status write(std::string_view bytes);
  [[nodiscard]] Status fire(Ts now);
  void write_mark();
  void write_facts(Ts now);
  void forget_the_dead(Ts now);

  FlightOptions options_;
  Trigger& trigger_;
  LiveMetrics live_;
  PacketRing ring_;
  Dur segment_; // how long one is
  Ts segment_begin_, first_, checked_;
  std::int64_t counted_events_ = 0; // of the writer, up to the newest segment
  std::optional<AtomicFile> file_;  // once it has fired
  Status file_status_;
  std::optional<FlightCapture> capture_;
  std::unique_ptr<TraceFileWriter> writer_; // hands its bytes to take()
  std::unique_ptr<FlightTap> tap_;
};

// "p99_latency 312 ms (> 200 ms), error_rate 0.5 % (> 1 %)": every condition with the value of the last look.
[[nodiscard]] std::string describe_values(const Trigger& trigger);

} // namespace prof
