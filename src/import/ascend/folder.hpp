// folder.hpp: finds what belongs to an Ascend profile in a folder, by the content of its files: people rename
// them, and versions of the tools name them differently.
#pragma once
#include "import/ascend/rank.hpp"

#include <filesystem>
#include <vector>

namespace prof::ascend {

enum class FileKind : std::uint8_t { unknown, kernels, trace, memory, steps, info, metadata, database, rest };
// `head`: the first bytes of the file. `rest`: a table of such a profile that holds nothing that the others
// do not.
[[nodiscard]] FileKind kind_of(std::string_view head);

// A folder that holds files of one rank.
struct RankFolder {
  std::filesystem::path path;
  RankFiles files;
  std::vector<std::string> not_read; // names of files whose content is in the others
};

// All of them below `path`, sorted by path. `first_only`: stop at the first (to recognise a folder).
[[nodiscard]] std::vector<RankFolder> find_ranks(const std::filesystem::path& path, bool first_only);

// Reads them all. Errors: malformed when there are none; else that of the first, when none was readable.
[[nodiscard]] Status read_folder(const std::filesystem::path& path, TraceSink& sink);

} // namespace prof::ascend
