// reader.hpp: a foreign (or our own) trace format. One file src/import/readers/<format>_reader.cpp each,
// registered by its name.
#pragma once
#include "base/result.hpp"
#include "trace/sink.hpp"

#include <filesystem>
#include <span>
#include <string_view>

namespace prof {

// A row of docs/formats.md, in Markdown.
struct FormatFacts {
  std::string_view versions;  // that were seen
  std::string_view tested_on; // files, and how real they are
  std::string_view reads, leaves_out;
};

struct Reader {
  std::string_view name;        // "perfetto"
  std::string_view description; // text id
  // 0..100: how sure is it, from the first bytes (up to 64 KiB, after decompression) and whether `path` is a
  // folder.
  int (*sniff)(std::string_view head, const std::filesystem::path& path, bool is_folder);
  // Reads everything into the sink. Damaged input: keep what is good and add notes; an error only when
  // nothing was readable.
  Status (*read)(const std::filesystem::path& path, TraceSink& sink);
  FormatFacts facts;
};
[[nodiscard]] std::span<const Reader* const> all_readers();
// Who reads what begins with `head`: the surest of them; nullptr when none is sure enough.
[[nodiscard]] const Reader* reader_of(std::string_view head, const std::filesystem::path& path,
                                      bool is_folder);

// What a file turned out to be.
struct ImportInfo {
  std::string_view format;  // the reader's name
  std::string_view packing; // "gzip", "zstd" or empty
};
// Finds the reader by content and runs it; says in `info` which it was. Errors: missing, malformed ("unknown
// format: ... known are ..."), permission.
[[nodiscard]] Status import_trace(const std::filesystem::path& path, TraceSink& sink,
                                  ImportInfo* info = nullptr);

} // namespace prof
