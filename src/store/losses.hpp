// losses.hpp: what of the recording is known not to be in the trace.
#pragma once
#include "store/store.hpp"

#include <cstdint>
#include <vector>

namespace prof {

struct Losses {
  std::int64_t records = 0; // known to be lost, one by one
  // Rows of the note table about losses whose size nobody knows: a file that was cut off, a part that could
  // not be read. Their counts are of cuts, files or bytes, not of records.
  std::vector<std::uint32_t> of_unknown_size{};
};
[[nodiscard]] Losses losses_of(const Store& store);

} // namespace prof
