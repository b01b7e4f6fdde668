#include "cases/similar_cases.hpp"

#include "cases/case_card.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace prof {
namespace {

constexpr std::size_t kMostFigures = 3; // of a card in one line
constexpr std::array<CaseState, 3> kBestFirst{CaseState::validated, CaseState::measured, CaseState::draft};

std::size_t rank_of(const StoredCase& card) {
  const auto at = std::ranges::find(kBestFirst, card.state, case_state_name);
  return static_cast<std::size_t>(at - kBestFirst.begin());
}

// "validated: p99_latency -20.0 %, throughput +12.0 %"
std::string outcome_of(const StoredCase& card, Lang lang) {
  const bool is_known = rank_of(card) < kBestFirst.size();
  std::string out(text(lang, "cases.outcome." + (is_known ? card.state : std::string("unknown"))));
  std::size_t shown = 0;
  for (const CaseFigure& figure : card.figures)
    if (figure.change && shown < kMostFigures)
      out += fmt::format("{}{} {:+.1f} %", shown++ == 0 ? ": " : ", ", figure.metric, 100 * *figure.change);
  return out;
}

} // namespace

void add_similar_cases(Diagnosis& diagnosis, const CaseLibrary& library, Lang lang, std::size_t limit) {
  for (Cause& cause : diagnosis.causes) {
    auto hits =
        library.search(cause.id + " " + cause.title + " " + diagnosis.target + " " + diagnosis.problem,
                       library.cases().size());
    std::erase_if(hits, [&](const CaseHit& hit) {
      return std::ranges::find(hit.stored->causes, cause.id) == hit.stored->causes.end();
    });
    std::ranges::stable_sort(hits, {}, [](const CaseHit& hit) { return rank_of(*hit.stored); });
    for (std::size_t i = 0; i < std::min(limit, hits.size()); ++i)
      cause.similar_cases.push_back(
          {hits[i].stored->id, hits[i].stored->problem, outcome_of(*hits[i].stored, lang)});
  }
}

} // namespace prof
