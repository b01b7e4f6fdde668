#include "import/json/rank_content.hpp"

#include "import/reader_words.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace prof {
namespace {

using Counts = std::map<std::string, std::int64_t>;

constexpr std::size_t kMostNamed = 5;
constexpr std::size_t kLongestName = 60;

// The most that any rank has of each.
Counts most_of(const std::vector<RankContent>& ranks, Counts RankContent::* what) {
  Counts most;
  for (const RankContent& rank : ranks)
    for (const auto& [name, n] : rank.*what) {
      std::int64_t& of = most[name];
      of = std::max(of, n);
    }
  return most;
}

std::string list(const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t i = 0; i < std::min(names.size(), kMostNamed); ++i)
    out += (i == 0 ? "" : ", ") + names[i];
  if (names.size() > kMostNamed) out += fmt::format(" (+{})", names.size() - kMostNamed);
  return out;
}

// What the rank has less of than the most: "name", or "name 2/3" where it has some.
std::vector<std::string> lacking(const Counts& has, const Counts& most, bool must_equal) {
  std::vector<std::string> out;
  for (const auto& [name, n] : most) {
    const auto found = has.find(name);
    const std::int64_t own = found == has.end() ? 0 : found->second;
    if (own == n || (own > 0 && !must_equal)) continue;
    const std::string text = name.substr(0, kLongestName);
    out.push_back(own == 0 ? text : fmt::format("{} {}/{}", text, own, n));
  }
  return out;
}

} // namespace

void say_rank_differences(TraceSink& sink, const std::vector<RankContent>& ranks) {
  if (ranks.size() < 2) return;
  const Counts categories = most_of(ranks, &RankContent::categories),
               steps = most_of(ranks, &RankContent::steps),
               collectives = most_of(ranks, &RankContent::collectives),
               kernels = most_of(ranks, &RankContent::kernels);
  for (const RankContent& rank : ranks) {
    std::vector<std::string> missing = lacking(rank.categories, categories, false);
    for (const auto& more : {lacking(rank.steps, steps, false), lacking(rank.collectives, collectives, true)})
      missing.insert(missing.end(), more.begin(), more.end());
    say_note(sink, Severity::notice, "note.kineto.rank_lacks", std::ssize(missing),
             fmt::format("rank {}: {}", rank.rank, list(missing)));
    const std::vector<std::string> other = lacking(rank.kernels, kernels, false);
    say_note(sink, Severity::info, "note.kineto.ranks_differ", std::ssize(other),
             fmt::format("rank {}: {}", rank.rank, list(other)));
  }
}

} // namespace prof
