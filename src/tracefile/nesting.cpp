#include "tracefile/nesting.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace prof::detail {

bool Nesting::insert(std::int64_t begin, std::int64_t end, bool is_late) {
  Node* parent = &all_;
  for (int depth = 0; depth < kMaxDepth; ++depth) {
    if (parent->is_forgotten) return false;
    auto& kids = parent->kids;
    const bool is_behind_all = kids.empty() || kids.back().end <= begin;
    const auto first = is_behind_all
                           ? kids.end()
                           : std::lower_bound(kids.begin(), kids.end(), begin,
                                              [](const Node& n, std::int64_t t) { return n.end <= t; });
    if (first != kids.end() && first->begin <= begin && end <= first->end) {
      // The end would come behind the begin of a neighbour at the same nanosecond, and close that.
      const auto next = std::next(first);
      if (next != kids.end() && next->begin <= end) return false;
      parent = &*first;
      continue;
    }
    auto last = first;
    for (; last != kids.end() && last->begin <= end; ++last)
      if (last->begin <= begin || end < last->end) return false;
    Node node{.begin = begin, .end = end};
    node.kids.assign(std::make_move_iterator(first), std::make_move_iterator(last));
    kids.insert(kids.erase(first, last), std::move(node));
    if (++known_ > kMaxKnown) forget();
    return true;
  }
  return !is_late; // the caller nests what it writes in one run; only what was written before is not known
                   // here
}

std::size_t Nesting::count(const Node& node) {
  std::size_t n = 1;
  for (const Node& kid : node.kids)
    n += count(kid);
  return n;
}

// Makes the older half of the outermost intervals that lie side by side into one.
void Nesting::forget() {
  for (Node* node = &all_; !node->kids.empty(); node = &node->kids.back()) {
    auto& kids = node->kids;
    if (kids.size() < 2) continue;
    const auto half = kids.begin() + static_cast<std::ptrdiff_t>(kids.size() / 2);
    std::size_t gone = 0;
    for (auto kid = kids.begin(); kid != half; ++kid)
      gone += count(*kid);
    if (gone < 2) continue;
    kids.front() = {.begin = kids.front().begin, .end = std::prev(half)->end, .is_forgotten = true};
    kids.erase(kids.begin() + 1, half);
    known_ -= gone - 1;
    return;
  }
}

} // namespace prof::detail
