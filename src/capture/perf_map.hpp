// perf_map.hpp: names of code that a runtime makes while it runs, as it writes them for perf:
// /tmp/perf-PID.map, "START SIZE name" a line (python -X perf, node --perf-basic-prof, the JVM's agents).
#pragma once
#include "base/result.hpp"
#include "symbols/symbols.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

namespace prof {

// Such a file of a process: where it lies as seen from here, and whose it has to be. Nothing when there is
// none; whether it may be believed is for read() to say.
struct PerfMapFile {
  std::filesystem::path path;
  uid_t owner = 0;
};
[[nodiscard]] std::optional<PerfMapFile> find_perf_map(const std::filesystem::path& proc, std::int64_t pid);

class PerfMap {
public:
  // Anybody may put a file into /tmp: one that is no regular file, that is not the process's own or that
  // others may write is an error (permission), and so is one over 64 MiB (budget) or gone (missing). Lines
  // that are none are skipped.
  [[nodiscard]] static Result<PerfMap> read(const PerfMapFile& file);
  // The function at an address; of Python's ("py::name:file") also the file. Empty: none is known.
  [[nodiscard]] std::vector<SymbolFrame> lookup(std::uint64_t address) const;

private:
  struct Entry {
    std::uint64_t start = 0, size = 0;
    std::size_t name_at = 0, name_size = 0;
  };
  std::string text_;
  std::vector<Entry> entries_; // by start; of equal ones the newest last
};

} // namespace prof
