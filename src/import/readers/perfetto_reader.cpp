// perfetto_reader.cpp: our own trace files and Perfetto's (.pb, .pftrace, .perfetto-trace).
#include "import/reader.hpp"
#include "tracefile/reader.hpp"
#include "tracefile/sniff.hpp"

#include "base/file.hpp"

#include <cerrno>
#include <fcntl.h>
#include <string>
#include <unistd.h>

namespace prof {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 20;

int sniff(std::string_view head, const std::filesystem::path& /*path*/, bool is_folder) {
  return is_folder ? 0 : sniff_tracefile(head);
}

Status read(const std::filesystem::path& path, TraceSink& sink) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return errno_error("error.cannot_open", path);
  std::string chunk(kChunk, '\0');
  const ByteSource source = [&]() -> Result<std::string_view> {
    for (;;) {
      const ssize_t got = ::read(fd, chunk.data(), chunk.size());
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return errno_error("error.cannot_read", path);
      return std::string_view(chunk).substr(0, static_cast<std::size_t>(got));
    }
  };
  Status status = read_tracefile(source, sink);
  ::close(fd);
  return status;
}

} // namespace

extern const Reader perfetto_reader;
const Reader perfetto_reader{
    .name = "perfetto",
    .description = "import.format.perfetto",
    .sniff = sniff,
    .read = read,
    .facts = {.versions = "this product's format 1; packets by field number (public protos v58), as the "
                          "format itself has no version",
              .tested_on = "a golden file that `protoc` encoded from Perfetto's own definitions; own "
                           "recordings and imports. None of other recorders",
              .reads = "tracks, slices, flows, counters, GPU render stages, CPU samples, scheduling, "
                       "processes and threads; zlib and zstd groups, interning, delta clocks",
              .leaves_out = "ftrace events besides scheduling, heap profiles, logs, frame timelines"}};

} // namespace prof
