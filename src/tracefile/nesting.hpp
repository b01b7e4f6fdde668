// nesting.hpp: which intervals stand on a lane, to tell whether one more would nest.
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace prof::detail {

// The slices of one lane as a tree, by time. Perfetto sorts events by time and keeps equal times in file
// order, so what is written later ends up inside what begins at the same nanosecond, and must not end where
// an earlier one begins. Memory: kMaxKnown intervals; of more, the oldest are kept as one that nothing fits
// into any more.
class Nesting {
public:
  // [begin, end) is to be written behind all that were inserted before. True when it nests with them: then it
  // is inserted. `is_late`: it begins before the latest event of the lane.
  [[nodiscard]] bool insert(std::int64_t begin, std::int64_t end, bool is_late);

private:
  static constexpr std::size_t kMaxKnown = 16'384;
  static constexpr int kMaxDepth = 256; // of what is known; deeper slices may come, but not late
  struct Node {
    std::int64_t begin = std::numeric_limits<std::int64_t>::min();
    std::int64_t end = std::numeric_limits<std::int64_t>::max();
    std::vector<Node> kids = {}; // by time, disjoint
    bool is_forgotten = false;   // what lies inside is not known
  };
  [[nodiscard]] static std::size_t count(const Node& node);
  void forget();
  Node all_;
  std::size_t known_ = 0;
};

} // namespace prof::detail
