// writer.hpp: writes a trace as a stream of Perfetto TracePackets (docs/tracefile.md). Append-only: what was
// flushed is readable whatever happens next.
#pragma once
#include "base/result.hpp"
#include "trace/sink.hpp"

#include <filesystem>
#include <functional>
#include <memory>
#include <string_view>

namespace prof {

struct WriterOptions {
  bool compress = true;                  // zlib-compressed packet groups
  std::int64_t group_bytes = 256 * 1024; // raw bytes per compressed group (Perfetto's limit is 512 KiB)
  bool is_live = true; // the trace clock is this machine's CLOCK_MONOTONIC; false: an imported trace with a
                       // clock of its own
  bool stands_damage = false; // a damaged group costs itself: see kImported
};
// How an imported trace is written: it may be small and comes in few flushes. Groups are small (a sixteenth
// of what stands before, 4 to 64 KiB), each gives again what its packets need of the ones before, and what is
// defined once stands in two groups.
inline constexpr WriterOptions kImported{.group_bytes = 64 * 1024, .is_live = false, .stands_damage = true};

struct WriterStats {
  std::int64_t events = 0;          // slices, counters, samples, switches, wakeups
  std::int64_t bytes = 0;           // in the file so far; 0 while it has not appeared
  std::int64_t left_out_slices = 0; // that overlap too deeply on one track; a note in the file says so too
  std::int64_t left_out_times = 0;  // rows at times beyond the format's; likewise
};

// Gets the bytes of a trace instead of a file, a number of whole packets at a time; after an error it is not
// called again.
using PacketTaker = std::function<Status(std::string_view)>;

// Not thread-safe. After the first I/O error it drops everything and status() says why; what was written
// stays valid.
class TraceFileWriter : public TraceSink {
public:
  // A live recording appears under its name with the first flush(), whole and in place of what was there; an
  // imported one is written where it is. Errors: io (also: another recording is writing it), permission.
  [[nodiscard]] static Result<std::unique_ptr<TraceFileWriter>> create(const std::filesystem::path& path,
                                                                       WriterOptions options = {});
  // The same into `take`.
  [[nodiscard]] static std::unique_ptr<TraceFileWriter> create(PacketTaker take, WriterOptions options = {});
  // What is written from here on can be read without what was written before (flushed by this): a file may
  // begin here. Signals, notes, gaps, metadata and symbols are not repeated.
  virtual void begin_anew() = 0;
  // Writes out everything buffered, as whole packets. Live capture calls it at least once a second.
  [[nodiscard]] virtual Status flush() = 0;
  // flush + close.
  [[nodiscard]] virtual Status finish() = 0;
  // Closes without writing more: a recording that has not appeared leaves nothing.
  virtual void abandon() = 0;
  [[nodiscard]] virtual WriterStats stats() const = 0;
};

} // namespace prof
