// top_fields.hpp: a protobuf file of any size, one top-level field at a time: such files are lists of large
// messages, and the usual parser wants all of it in memory and stops at 2 GB.
#pragma once
#include "base/result.hpp"
#include "trace/sink.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string_view>

namespace prof::proto {

struct FieldReport {
  std::int64_t fields = 0;       // length-delimited ones, handed on
  std::int64_t damaged = 0;      // of these: broken inside, or too large (1 GiB) to be taken in
  std::int64_t bytes = 0;        // of the file
  std::int64_t first_offset = 0; // of the first damaged one
  bool is_cut = false;           // the file ends inside a field, whose beginning was handed on
};

// Calls `take` with each length-delimited field of the outermost message; `bytes` lives during the call. A
// protozero::exception that `take` throws counts as damage of that field only. Errors: io, permission.
[[nodiscard]] Result<FieldReport>
each_top_field(const std::filesystem::path& path,
               const std::function<void(std::uint32_t tag, std::string_view bytes)>& take);

// What was lost, as entries of the ledger.
void note_losses(const FieldReport& report, TraceSink& sink);

// For sniffing: the content of the first length-delimited field with this tag, clipped where `bytes` ends.
// Empty when there is none.
[[nodiscard]] std::string_view clipped_field(std::string_view bytes, std::uint32_t tag);

} // namespace prof::proto
