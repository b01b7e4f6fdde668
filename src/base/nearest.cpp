#include "base/nearest.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace prof {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j)
    row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t same = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, same});
    }
  }
  return row[b.size()];
}

std::string nearest(std::string_view word, std::span<const std::string> known) {
  constexpr std::size_t kCompared = 100;
  word = word.substr(0, kCompared);
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const std::string& candidate : known) {
    const std::size_t distance = edit_distance(word, std::string_view(candidate).substr(0, kCompared));
    // As far away as it is long: not a letter in common.
    if (distance < best_distance && distance < std::max(word.size(), candidate.size())) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string nearest_names(std::string_view word, std::vector<std::string> known, std::size_t most) {
  std::string list;
  for (std::size_t i = 0; i < most; ++i) {
    const std::string name = nearest(word, known);
    if (name.empty()) break;
    list += (list.empty() ? "" : ", ") + name;
    std::erase(known, name);
  }
  return list;
}

} // namespace prof
