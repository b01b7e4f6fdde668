// reader.hpp: a foreign (or our own) trace format. One file src/import/readers/<format>_reader.cpp each,
// registered by its name.
#pragma once
#include "base/result.hpp"
#include "trace/sink.hpp"

#include <filesystem>
#include <span>
#include <string_view>

namespace prof {

struct Reader {
  std::string_view name;        // "perfetto"
  std::string_view description; // text id
  // 0..100: how sure is it, from the first bytes (up to 64 KiB, after decompression) and whether `path` is a
  // folder.
  int (*sniff)(std::string_view head, const std::filesystem::path& path, bool is_folder);
  // Reads everything into the sink. Damaged input: keep what is good and add notes; an error only when
  // nothing was readable.
  Status (*read)(const std::filesystem::path& path, TraceSink& sink);
};
[[nodiscard]] std::span<const Reader* const> all_readers();

// Finds the reader by content and runs it. Errors: missing, malformed ("unknown format: ... known are ..."),
// permission.
[[nodiscard]] Status import_trace(const std::filesystem::path& path, TraceSink& sink);

} // namespace prof
