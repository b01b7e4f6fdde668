// block_codec.hpp: the slices of one row of the page as bit-packed blocks of 128, for random access without
// decompression.
//
//   nb x f64 start | nb x u32 word offset | nb x u32 widths | nb x u32 first id | nb x u32 least arg | u32
//   words ... widths: five 6-bit fields: gap, dur, name, id step, arg. A field wider than 32 bits is two
//   columns: low 32 bits, then the rest. Columns of a block stand one after the other, each starting at a
//   word. docs/viewer.md has the reader's side.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace prof {

inline constexpr std::size_t kBlockSlices = 128;

struct RowItem {
  std::int64_t ts = 0, dur = 0; // ts relative to the trace start, >= 0
  std::uint32_t name = 0;       // row-local name id
  std::uint32_t id = 0;         // row id in the source table; must grow within a row
  std::uint32_t arg = 0;        // meaning depends on the row's kind; 0 = none
  friend bool operator==(const RowItem&, const RowItem&) = default;
};

// Items in order of ts that do not overlap.
[[nodiscard]] std::string pack_row(std::span<const RowItem> items);
// The inverse, for tests and tools. `count` items; garbage in gives garbage out, but never reads outside
// `bytes`.
[[nodiscard]] std::vector<RowItem> unpack_row(std::string_view bytes, std::size_t count);

} // namespace prof
