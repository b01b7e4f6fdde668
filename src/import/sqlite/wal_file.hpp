// wal_file.hpp: what SQLite will not say of the -wal beside a database: each frame of it carries a checksum
// over all before it, and at the first that does not fit SQLite takes the log as ended, without a word.
#pragma once
#include <cstdint>
#include <filesystem>

namespace prof {

struct WalState {
  bool is_header_good = false; // else SQLite reads none of it
  // From the last transaction that SQLite applies to the last frame that belongs to this log, where a frame
  // between them does not fit its checksum; 0 for a whole log and for one whose last frame is cut.
  std::int64_t frames_left_out = 0;
};
// Reads the log once, a frame at a time. A file that cannot be read has no good header.
[[nodiscard]] WalState check_wal(const std::filesystem::path& log);

} // namespace prof
