// nesting_lanes.hpp: spans that only partly overlap, told apart. Formats whose spans nest on a thread
// (Chrome's) drop a span that begins inside another and ends behind it; on a lane of its own it stays.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace prof {

class NestingLanes {
public:
  static constexpr std::size_t kMostLanes =
      256; // what overlaps deeper stands on the last one and does not nest
  // The first lane on which [begin, end] nests. Spans come by their begin, of equal ones the longest first.
  [[nodiscard]] std::size_t lane_of(std::int64_t begin, std::int64_t end) {
    for (std::size_t i = 0; i < open_ends_.size(); ++i)
      if (nests(open_ends_[i], begin, end)) return i;
    if (open_ends_.size() < kMostLanes) open_ends_.push_back({end});
    return open_ends_.size() - 1;
  }

private:
  static bool nests(std::vector<std::int64_t>& open, std::int64_t begin, std::int64_t end) {
    while (!open.empty() && open.back() <= begin)
      open.pop_back();
    if (!open.empty() && open.back() < end) return false;
    open.push_back(end);
    return true;
  }
  std::vector<std::vector<std::int64_t>> open_ends_; // of each lane, the outermost first
};

} // namespace prof
