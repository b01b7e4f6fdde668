// folder.hpp: finds what belongs to an Ascend profile in a folder, by the content of its files: people rename
// them, and versions of the tools name them differently.
#pragma once
#include "import/ascend/rank.hpp"

#include <filesystem>
#include <vector>

namespace prof::ascend {

enum class FileKind : std::uint8_t {
  unknown,
  kernels,
  trace,
  memory,
  steps,
  info,
  metadata,
  database,
  summary, // sums over what the others list
  extra    // of such a profile, and not read: caches, sizes of single allocations, bandwidths of links
};
// `head`: the first bytes of the file.
[[nodiscard]] FileKind kind_of(std::string_view head);

// A folder that holds files of one rank.
struct RankFolder {
  std::filesystem::path path;
  RankFiles files;
  std::vector<std::string> repeated, not_read; // names of files: content that is in others; that is lost
};

// All of them below `path`, sorted by path. `first_only`: stop at the first (to recognise a folder).
[[nodiscard]] std::vector<RankFolder> find_ranks(const std::filesystem::path& path, bool first_only);

// Reads them all. Errors: malformed when there are none; else that of the first, when none was readable.
[[nodiscard]] Status read_folder(const std::filesystem::path& path, TraceSink& sink);

} // namespace prof::ascend
