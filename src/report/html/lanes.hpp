// lanes.hpp: items that may overlap, spread over lanes so that no lane holds two at a time: each goes on the
// first lane that is free at its start. A tree of the lanes' ends finds it in O(log lanes): a trace may nest
// a hundred thousand deep.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace prof {

class Lanes {
public:
  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  // The page row that the lane is.
  [[nodiscard]] std::uint32_t row(std::size_t lane) const { return rows_[lane]; }

  // The first lane whose last item has ended by `ts`; size() when every lane is busy.
  [[nodiscard]] std::size_t first_free(std::int64_t ts) const {
    if (rows_.empty() || ends_[1] > ts) return rows_.size();
    std::size_t node = 1;
    while (node < capacity()) {
      node *= 2;
      if (ends_[node] > ts) ++node;
    }
    return node - capacity();
  }
  // A new lane, free from the beginning of time; its index.
  std::size_t add(std::uint32_t row) {
    if (rows_.size() == capacity()) grow();
    rows_.push_back(row);
    occupy(rows_.size() - 1, INT64_MIN);
    return rows_.size() - 1;
  }
  // The lane is busy until `end`.
  void occupy(std::size_t lane, std::int64_t end) {
    std::size_t node = capacity() + lane;
    ends_[node] = end;
    for (node /= 2; node > 0; node /= 2)
      ends_[node] = std::min(ends_[2 * node], ends_[2 * node + 1]);
  }

private:
  [[nodiscard]] std::size_t capacity() const { return ends_.size() / 2; }
  void grow() {
    const std::size_t lanes = rows_.size(), room = std::max<std::size_t>(1, 2 * lanes);
    const std::vector<std::int64_t> before = std::move(ends_);
    ends_.assign(2 * room, INT64_MAX); // a lane that does not exist is never free
    std::copy(before.begin() + static_cast<std::ptrdiff_t>(lanes), before.end(),
              ends_.begin() + static_cast<std::ptrdiff_t>(room));
    for (std::size_t node = room - 1; node > 0; --node)
      ends_[node] = std::min(ends_[2 * node], ends_[2 * node + 1]);
  }
  std::vector<std::uint32_t> rows_;
  std::vector<std::int64_t>
      ends_; // a heap-ordered tree: lane i is leaf capacity() + i, a node the least below
};

} // namespace prof
