#include "capture/perf_map.hpp"

#include "base/file.hpp"
#include "base/lang.hpp"
#include "capture/procfs.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace prof {
namespace {

constexpr std::int64_t kMaxSize = std::int64_t{64} << 20;
constexpr std::size_t kMaxName = 4096;

// In a container a process writes the number that it has there: the last of its NSpid line.
std::int64_t own_pid(const std::filesystem::path& proc, std::int64_t pid) {
  const std::string status = read_virtual_file(proc / std::to_string(pid) / "status").value_or("");
  const std::size_t line = status.find("NSpid:");
  if (line == std::string::npos) return pid;
  const std::size_t end = std::min(status.find('\n', line), status.size());
  const std::size_t last = status.find_last_of("\t ", end - 1) + 1;
  std::int64_t own = 0;
  std::from_chars(status.data() + last, status.data() + end, own);
  return own > 0 ? own : pid;
}

bool take_hex(std::string_view& line, std::uint64_t& value) {
  if (line.starts_with("0x")) line.remove_prefix(2);
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), value, 16);
  if (error != std::errc{} || end == line.data() + line.size() || *end != ' ') return false;
  line.remove_prefix(static_cast<std::size_t>(end - line.data()) + 1);
  return true;
}

Result<std::string> read_checked(int fd, const PerfMapFile& file) {
  struct stat about{};
  if (::fstat(fd, &about) != 0 || !S_ISREG(about.st_mode) ||
      (about.st_uid != file.owner && about.st_uid != 0) || (about.st_mode & S_IWOTH) != 0)
    return error_said(Errc::permission, "error.perf_map_foreign", file.path);
  if (about.st_size > kMaxSize) return error_said(Errc::budget, "error.perf_map_large", file.path);
  std::string text(static_cast<std::size_t>(about.st_size), '\0');
  std::size_t size = 0;
  for (ssize_t got = 0; size < text.size(); size += static_cast<std::size_t>(got)) {
    got = ::read(fd, text.data() + size, text.size() - size);
    if (got <= 0) break;
  }
  text.resize(size);
  return text;
}

} // namespace

std::optional<PerfMapFile> find_perf_map(const std::filesystem::path& proc, std::int64_t pid) {
  const std::filesystem::path process = proc / std::to_string(pid);
  struct stat about{};
  if (::stat(process.c_str(), &about) != 0) return std::nullopt;
  PerfMapFile file{.path = process / fmt::format("root/tmp/perf-{}.map", own_pid(proc, pid)),
                   .owner = about.st_uid};
  if (::lstat(file.path.c_str(), &about) != 0) return std::nullopt;
  // The process may be gone when names are wanted; outside a container the plain path stays good.
  const std::filesystem::path plain = fmt::format("/tmp/perf-{}.map", pid);
  struct stat same{};
  if (::lstat(plain.c_str(), &same) == 0 && same.st_ino == about.st_ino && same.st_dev == about.st_dev)
    file.path = plain;
  return file;
}

Result<PerfMap> PerfMap::read(const PerfMapFile& file) {
  // Neither a link nor a pipe that nobody writes to.
  const int fd = ::open(file.path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0 && errno == ELOOP) return error_said(Errc::permission, "error.perf_map_foreign", file.path);
  if (fd < 0) return errno_error("error.perf_map_gone", file.path);
  auto text = read_checked(fd, file);
  ::close(fd);
  if (!text) return std::move(text).error();
  PerfMap map;
  map.text_ = *std::move(text);
  for (std::size_t at = 0; at < map.text_.size();) {
    const std::size_t end = std::min(map.text_.find('\n', at), map.text_.size());
    std::string_view line = std::string_view(map.text_).substr(at, end - at);
    Entry entry;
    if (take_hex(line, entry.start) && take_hex(line, entry.size) && entry.size > 0 && !line.empty()) {
      entry.name_at = static_cast<std::size_t>(line.data() - map.text_.data());
      entry.name_size = std::min(line.size(), kMaxName);
      map.entries_.push_back(entry);
    }
    at = end + 1;
  }
  std::ranges::stable_sort(map.entries_, {}, &Entry::start);
  return map;
}

std::vector<SymbolFrame> PerfMap::lookup(std::uint64_t address) const {
  const auto behind = std::ranges::upper_bound(entries_, address, {}, &Entry::start);
  if (behind == entries_.begin()) return {};
  const Entry& entry = *std::prev(behind);
  if (address - entry.start >= entry.size) return {};
  std::string_view name = std::string_view(text_).substr(entry.name_at, entry.name_size);
  constexpr std::string_view kPython = "py::";
  const std::size_t colon =
      name.starts_with(kPython) ? name.find(':', kPython.size()) : std::string_view::npos;
  SymbolFrame frame{.function = std::string(name.substr(0, colon)), .source_file = {}};
  if (colon != std::string_view::npos) frame.source_file = name.substr(colon + 1);
  return {frame};
}

} // namespace prof
