// trace_bytes.hpp: from rows to the bytes of a trace file and back, for the tests of this folder.
#pragma once
#include "text_sink.hpp"
#include "tracefile/reader.hpp"
#include "tracefile/writer.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <sstream>
#include <unistd.h>

namespace prof {

inline std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

// Reads `bytes` as they would come from a pipe, `chunk` at a time.
inline Status read_bytes(std::string_view bytes, TraceSink& sink,
                         std::size_t chunk = std::numeric_limits<std::size_t>::max()) {
  return read_tracefile(
      [&]() -> Result<std::string_view> {
        const std::string_view part = bytes.substr(0, chunk);
        bytes.remove_prefix(part.size());
        return part;
      },
      sink);
}

// A path of this process's own that is removed at the end.
class TempFile {
public:
  TempFile()
      : path_(std::filesystem::temp_directory_path() /
              fmt::format("prof_tracefile_{}_{}.pb", getpid(), next_++)) {}
  ~TempFile() { std::filesystem::remove(path_); }
  TempFile(const TempFile&) = delete;
  TempFile& operator=(const TempFile&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
  static inline int next_ = 0;
  std::filesystem::path path_;
};

// The file that the writer makes of what `fill` puts in. `fill` may flush.
inline std::string write_trace(const std::function<void(TraceFileWriter&)>& fill,
                               WriterOptions options = {.is_live = false}) {
  const TempFile file;
  auto writer = TraceFileWriter::create(file.path(), options);
  EXPECT_TRUE(writer.ok());
  fill(**writer);
  EXPECT_TRUE((*writer)->finish().ok());
  return bytes_of(file.path());
}

// The rows of a trace file as sorted lines; a file that cannot be read is one line saying so.
inline std::vector<std::string> rows_in(std::string_view bytes) {
  TextSink sink;
  const Status read = read_bytes(bytes, sink);
  if (!read) return {"error: " + read.error().what};
  return sink.sorted();
}

using Rows = std::function<void(TraceSink&)>;

// The rows that `fill` puts in, without a file in between.
inline std::vector<std::string> rows_of(const Rows& fill) {
  TextSink sink;
  fill(sink);
  return sink.sorted();
}

// A slice with nothing but a name and a time.
inline void add_slice(TraceSink& sink, Id<Track> track, std::int64_t ts, std::int64_t dur,
                      std::string_view name) {
  sink.slice({.track = track, .ts = {ts}, .dur = {dur}, .name = sink.intern(name)});
}

inline Id<Track> add_thread_track(TraceSink& sink, std::int64_t pid = 42, std::int64_t tid = 43) {
  const auto process = sink.process({.pid = pid, .name = sink.intern("svc")});
  const auto thread = sink.thread({.process = process, .tid = tid, .name = sink.intern("worker")});
  return sink.track({.kind = TrackKind::thread, .thread = thread});
}

} // namespace prof
