// losses.hpp: what of the recording is known not to be in the trace.
#pragma once
#include "base/lang.hpp"
#include "store/store.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace prof {

struct Losses {
  std::int64_t records = 0; // known to be lost, one by one
  // Rows of the note table about losses whose size nobody knows: a file that was cut off, a part that could
  // not be read. Their counts are of cuts, files or bytes, not of records.
  std::vector<std::uint32_t> of_unknown_size{};
  [[nodiscard]] bool is_incomplete() const { return !of_unknown_size.empty(); }
  [[nodiscard]] bool is_any() const { return is_incomplete() || records > 0; }
};
[[nodiscard]] Losses losses_of(const Store& store);
// What was lost of unknown size, in words: "the file ends in the middle ... (offset 98304)".
[[nodiscard]] std::string incomplete_text(const Store& store, const Losses& losses, Lang lang);
// The same and the number of records known to be lost, in one line.
[[nodiscard]] std::string losses_text(const Store& store, const Losses& losses, Lang lang);

} // namespace prof
