// rank.hpp: what one process left (a rank of a distributed run, or the only one), as a set of files or as a
// database, into a trace.
#pragma once
#include "base/result.hpp"
#include "import/ascend/notes.hpp"
#include "import/ascend/npu_side.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace prof::ascend {

// Files of one rank; an empty list or path = not there. Output that was split has several parts.
struct RankFiles {
  std::vector<std::filesystem::path> kernels, traces, memory;
  std::filesystem::path steps, info, metadata, database;
};

struct Rank {
  std::int64_t number = 0;            // of the run; 0 when the data does not say
  std::int64_t order = 0;             // of the ranks read into this trace: keeps their flows apart
  std::optional<std::int64_t> device; // its number in the trace, when the ranks' own would collide
  std::string label;                  // "" or " (rank 2)"
  std::string prefix = "ascend.";     // of metadata keys
};

// What was read, for the signals and the metadata of the whole trace.
struct Tally {
  std::int64_t kernels = 0, ops = 0, requests = 0;
  std::string request_source;
};

// Errors: the first file's, when nothing at all was readable.
[[nodiscard]] Status read_text_rank(const RankFiles& files, const Rank& rank, TraceSink& sink, Notes& notes,
                                    Tally& tally);
[[nodiscard]] Status read_database_rank(const std::filesystem::path& database, const Rank& rank,
                                        TraceSink& sink, Notes& notes, Tally& tally);
// Signals and notes, once per trace.
void finish(TraceSink& sink, const Notes& notes, const Tally& tally);

// Largest count of rows that a table of the database holds, 0 without it (or without a database).
[[nodiscard]] std::int64_t rows_in_database(const std::filesystem::path& database, std::string_view table);
// Is this a profile database, and not another of the many that stand beside it?
[[nodiscard]] bool is_profile_database(const std::filesystem::path& database);

} // namespace prof::ascend
