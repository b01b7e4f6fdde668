#include "cases/case_card.hpp"

#include "base/file.hpp"
#include "base/lang.hpp"
#include "base/sha256.hpp"
#include "cases/yaml_reading.hpp"
#include "rules/rule.hpp"
#include "verdict/answer.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>

namespace prof {
namespace {

using detail::flag_at;
using detail::items_at;
using detail::number_at;
using detail::text_at;

constexpr std::size_t kMostCauses = 5, kMostSteps = 30;

// A file whose content must still be what the journal saw.
struct Found {
  std::string path, content, sha256;
  std::int64_t journal_id = 0;
};

Result<Found> read_named(const std::string& path) {
  PROF_TRY(std::string content, read_report(path, detail::kMostYamlBytes));
  std::string sha = sha256_hex(content);
  return Found{path, std::move(content), std::move(sha), 0};
}

// Any YAML reads as an empty report.
Status check_schema(const YAML::Node& node, std::string_view verb, std::string_view kind, const Found& file) {
  const bool is_kind = text_at(node, "schema").starts_with("cann-profiler/" + std::string(kind) + "/");
  if (is_kind) return {};
  return error_said(Errc::malformed, "error.no_such_report", file.path, fmt::arg("kind", kind),
                    fmt::arg("verb", verb));
}

std::optional<Found> read_recorded(const JournalEntry& entry, std::string_view suffix) {
  for (const Artefact& output : entry.outputs) {
    if (!suffix.empty() && !output.path.ends_with(suffix)) continue;
    auto found = read_named(output.path);
    if (!found || found->sha256 != output.sha256) continue; // overwritten since
    found->journal_id = entry.id;
    return *std::move(found);
  }
  return std::nullopt;
}

std::optional<Found> newest_of(const std::vector<JournalEntry>& entries, std::string_view verb,
                               std::string_view suffix) {
  for (const JournalEntry& entry : entries)
    if (entry.verb == verb)
      if (auto found = read_recorded(entry, suffix)) return found;
  return std::nullopt;
}

std::vector<std::string> trace_shas(const YAML::Node& validation, const char* side) {
  std::vector<std::string> shas;
  for (const YAML::Node& run : items_at(validation, side))
    if (auto sha = text_at(run, "sha256"); !sha.empty()) shas.push_back(std::move(sha));
  return shas;
}

void read_causes(const YAML::Node& diagnosis, Lang lang, CaseCard& card) {
  card.target = text_at(diagnosis, "target");
  for (const YAML::Node& cause : items_at(diagnosis, "causes")) {
    if (card.causes.size() == kMostCauses) break;
    const YAML::Node share = detail::map_at(cause, "share");
    const std::string id = text_at(cause, "id");
    card.causes.push_back({id, title_in(lang, id, text_at(cause, "title")),
                           number_at(cause, "confidence").value_or(0), number_at(share, "mean").value_or(0),
                           number_at(share, "slow").value_or(0)});
  }
}

// A step of a plan: its number there (from 1), its action, empty where it names none, what a card shows, and
// the causes that it is about.
struct PlannedStep {
  std::size_t number = 0;
  std::string action, heading;
  std::vector<std::string> causes{};
};

std::vector<PlannedStep> steps_of_tree(const Found& plan) {
  std::vector<PlannedStep> steps;
  const auto node = detail::parse_yaml(plan.content, plan.path);
  if (!node) return steps;
  for (const YAML::Node& step : items_at(*node, "steps")) {
    const std::string title = text_at(step, "title"), action = text_at(step, "action");
    if (steps.size() < kMostSteps)
      steps.push_back(
          {steps.size() + 1, action, title.empty() ? action : title, detail::list_at(step, "causes")});
  }
  return steps;
}

// "Mends: Layout conversions (`layout_transform`); ...", in any language: the ids. Empty for another line.
std::vector<std::string> causes_in(std::string_view line) {
  std::vector<std::string> causes;
  const bool is_about_causes = std::ranges::any_of(std::array{Lang::en, Lang::zh}, [&](Lang lang) {
    const std::string mends =
        say(lang, "plan.md.mends", fmt::arg("causes", "\n"), fmt::arg("confidence", ""));
    return line.starts_with(std::string_view(mends).substr(0, mends.find('\n')));
  });
  while (is_about_causes && causes.size() < kMostCauses) {
    const std::size_t open = line.find("(`");
    if (open == std::string_view::npos) break;
    line.remove_prefix(open + 2);
    const std::size_t close = line.find("`)");
    if (close == std::string_view::npos) break;
    causes.emplace_back(line.substr(0, close));
  }
  return causes;
}

// The numbered headings of a Markdown plan: "## 2. Fuse decomposed operators (`atc_fuse_patterns`)".
std::vector<PlannedStep> steps_of_page(std::string_view content) {
  std::vector<PlannedStep> steps;
  std::size_t at = 0;
  while (at < content.size() && steps.size() < kMostSteps) {
    const std::size_t end = std::min(content.find('\n', at), content.size());
    const std::string_view line = content.substr(at, end - at);
    at = end + 1;
    const std::size_t text = line.find_first_not_of("# ");
    const std::size_t digit = line.find_first_of("0123456789");
    if (!steps.empty() && steps.back().causes.empty()) steps.back().causes = causes_in(line);
    if (!line.starts_with("##") || text == std::string_view::npos) continue;
    if (digit == std::string_view::npos || digit > text + 6) continue;
    PlannedStep step{0, {}, std::string(line.substr(text, 300))};
    std::from_chars(line.data() + digit, line.data() + line.size(), step.number);
    const std::size_t open = line.rfind("(`"), close = line.rfind("`)");
    if (open != std::string_view::npos && close != std::string_view::npos && close > open + 2)
      step.action = line.substr(open + 2, close - open - 2);
    steps.push_back(std::move(step));
  }
  return steps;
}

std::vector<PlannedStep> steps_of(const Found& plan) {
  const bool is_tree =
      plan.path.ends_with(".yaml") || plan.path.ends_with(".yml") || plan.path.ends_with(".json");
  return is_tree ? steps_of_tree(plan) : steps_of_page(plan.content);
}

// The last step whose recordings, as generate-plan names them, stand on the "after" side: 2 for
// "x/trace_after_step2_run1.pb"; 0 when none does. Steps are made one on top of the other.
std::size_t last_recorded_step(const CaseCard& card) {
  constexpr std::string_view kName = "trace_after_step";
  std::size_t last = 0;
  for (const CaseEvidence& e : card.evidence) {
    if (e.role != "after") continue;
    const std::string_view name = std::string_view(e.path).substr(e.path.rfind('/') + 1); // npos + 1 = 0
    std::size_t number = 0;
    if (name.starts_with(kName))
      std::from_chars(name.data() + kName.size(), name.data() + name.size(), number);
    last = std::max(last, number);
  }
  return last;
}

// What was planned is not what was done: only steps that something says were applied are kept.
void read_steps(const Found& plan, CaseCard& card) {
  const std::size_t recorded = last_recorded_step(card);
  for (PlannedStep& step : steps_of(plan)) {
    const bool is_named = std::ranges::any_of(card.solution, [&](const std::string& word) {
      return word == "step" + std::to_string(step.number) || (!step.action.empty() && word == step.action);
    });
    if (!is_named && step.number > recorded) {
      ++card.steps_not_applied;
      continue;
    }
    card.steps.push_back(std::move(step.heading));
    for (std::string& cause : step.causes)
      if (std::ranges::find(card.mended, cause) == card.mended.end()) card.mended.push_back(std::move(cause));
  }
}

// The trace that a plan was made for, by digest: its key, or the first one that a Markdown page quotes; empty
// = it names none.
std::string planned_trace(const Found& plan) {
  constexpr std::size_t kDigits = 64;
  if (!plan.path.ends_with(".md")) {
    const auto node = detail::parse_yaml(plan.content, plan.path);
    return node ? text_at(*node, "trace_sha256") : std::string();
  }
  const std::string_view head = std::string_view(plan.content).substr(0, plan.content.find("\n## "));
  for (std::size_t at = head.find('`'); at != std::string_view::npos; at = head.find('`', at + 1)) {
    const std::string_view word = head.substr(at + 1, kDigits);
    const bool is_digest = word.size() == kDigits && head.substr(at + 1 + kDigits).starts_with('`') &&
                           word.find_first_not_of("0123456789abcdef") == std::string_view::npos;
    if (is_digest) return std::string(word);
  }
  return {};
}

// Whether a Markdown page begins as generate-plan writes it, in any language.
bool is_plan_title(std::string_view content) {
  const std::string_view line = content.substr(0, content.find('\n'));
  return std::ranges::any_of(std::array{Lang::en, Lang::zh}, [&](Lang lang) {
    const std::string title = "# " + say(lang, "plan.md.title", fmt::arg("target", "\n"));
    const std::size_t gap = title.find('\n');
    return line.size() + 1 >= title.size() && line.starts_with(title.substr(0, gap)) &&
           line.ends_with(title.substr(gap + 1));
  });
}

// "No significant change" is two answers: shown to be equal, or nothing shown.
std::string verdict_of(const YAML::Node& metric) {
  std::string verdict = text_at(metric, "verdict");
  if (verdict != "no_change") return verdict;
  return flag_at(metric, "equivalent", false) ? "equal" : "not_resolved";
}

CaseFigure figure_of(const YAML::Node& metric) {
  CaseFigure f{.metric = text_at(metric, "id"),
               .unit = text_at(metric, "unit"),
               .verdict = verdict_of(metric),
               .reason = text_at(metric, "reason")};
  f.before = number_at(metric, "before"), f.after = number_at(metric, "after"),
  f.change = number_at(metric, "change");
  f.p = number_at(metric, "p_holm");
  f.is_within_run = flag_at(metric, "within_run_only", false);
  const auto ci = detail::list_at(metric, "change_ci95");
  if (ci.size() == 2) {
    YAML::Node ends;
    ends["lo"] = ci[0], ends["hi"] = ci[1];
    f.change_lo = number_at(ends, "lo"), f.change_hi = number_at(ends, "hi");
  }
  return f;
}

std::vector<CaseFigure> figures_of(const YAML::Node& validation) {
  std::vector<CaseFigure> all;
  for (const YAML::Node& metric : items_at(validation, "metrics"))
    all.push_back(figure_of(metric));
  return all;
}

void read_figures(const YAML::Node& validation, const std::vector<std::string>& wanted, CaseCard& card) {
  card.is_comparable = flag_at(validation, "comparable", true);
  const std::string outcome = text_at(validation, "outcome");
  for (const AnswerKind kind :
       {AnswerKind::improved, AnswerKind::worsened, AnswerKind::equal, AnswerKind::not_resolved})
    if (outcome == answer_name(kind)) card.outcome = outcome;
  std::vector<CaseFigure> all = figures_of(validation);
  if (wanted.empty()) card.figures = std::move(all);
  for (const std::string& id : wanted) {
    const auto found = std::ranges::find(all, id, &CaseFigure::metric);
    card.figures.push_back(
        found != all.end() ? *found
                           : CaseFigure{.metric = id, .unit = {}, .verdict = "not_measured", .reason = {}});
  }
  for (const char* side : {"before", "after"})
    for (const YAML::Node& run : items_at(validation, side))
      card.evidence.push_back({side, text_at(run, "path"), text_at(run, "sha256"), 0});
}

CaseState state_of(const CaseCard& card) {
  bool has_figure = false, is_proven = false;
  for (const CaseFigure& f : card.figures) {
    has_figure = has_figure || (f.before && f.after);
    is_proven = is_proven || (f.verdict == "better" && !f.is_within_run);
  }
  if (!has_figure) return CaseState::draft;
  return is_proven && card.is_comparable ? CaseState::validated : CaseState::measured;
}

// The validation's own text, from the request, a named file, or the newest journal entry that has the metrics
// asked for.
Result<std::optional<Found>> find_validation(const CaseRequest& request, Journal* journal) {
  if (!request.validation_text.empty())
    return std::optional<Found>(Found{"", request.validation_text, "", 0});
  if (!request.validation.empty()) {
    PROF_TRY(Found found, read_named(request.validation));
    return std::optional<Found>(std::move(found));
  }
  if (journal == nullptr) return std::optional<Found>();
  PROF_TRY(const auto entries, journal->list(100, "validate"));
  std::optional<Found> newest;
  for (const JournalEntry& entry : entries) {
    const auto fact = entry.facts.find("validation");
    if (fact == entry.facts.end()) continue;
    const bool has_all = std::ranges::all_of(request.metrics, [&](const std::string& id) {
      return fact->second.find("\"" + id + "\"") != std::string::npos;
    });
    Found found{entry.outputs.empty() ? "" : entry.outputs.front().path, fact->second,
                entry.outputs.empty() ? "" : entry.outputs.front().sha256, entry.id};
    if (has_all) return std::optional<Found>(std::move(found));
    if (!newest) newest = std::move(found);
  }
  return newest;
}

Result<std::optional<Found>> find_diagnosis(const CaseRequest& request, Journal* journal,
                                            const std::vector<std::string>& before_shas) {
  if (!request.diagnosis.empty()) {
    PROF_TRY(Found found, read_named(request.diagnosis));
    return std::optional<Found>(std::move(found));
  }
  if (journal == nullptr) return std::optional<Found>();
  for (const std::string& sha : before_shas) {
    PROF_TRY(const auto users, journal->users_of(sha));
    if (auto found = newest_of(users, "diagnose", ".yaml")) return found;
  }
  if (!before_shas.empty()) return std::optional<Found>(); // a diagnosis of another trace is no evidence
  PROF_TRY(const auto entries, journal->list(100, "diagnose"));
  return newest_of(entries, "diagnose", ".yaml");
}

Result<std::optional<Found>> find_plan(const CaseRequest& request, Journal* journal,
                                       const std::optional<Found>& diagnosis) {
  if (!request.plan.empty()) {
    PROF_TRY(Found found, read_named(request.plan));
    const bool is_named = found.content.find("cann-profiler/plan/1") != std::string::npos;
    if (!is_named && !is_plan_title(found.content))
      return error_said(Errc::malformed, "error.no_plan", found.path);
    return std::optional<Found>(std::move(found));
  }
  if (journal == nullptr || !diagnosis) return std::optional<Found>();
  PROF_TRY(const auto users, journal->users_of(diagnosis->sha256));
  return newest_of(users, "generate-plan", "");
}

// A file that the user named may be one that the journal saw being made.
Status find_makers(CaseCard& card, Journal* journal) {
  card.has_journal = journal != nullptr;
  if (journal == nullptr) return {};
  for (CaseEvidence& e : card.evidence) {
    if (e.journal_id > 0 || e.sha256.empty()) continue;
    PROF_TRY(const auto makers, journal->makers_of(e.sha256));
    if (!makers.empty()) e.journal_id = makers.front().id;
  }
  return {};
}

// A card must not tell of one trace's causes, another's plan and a third one's gain as of one story. A plan
// for another trace than the diagnosed one is a mistake of whoever named both. A diagnosis of a trace that
// was not validated may still be of the same service (a full recording beside the measured ones): it is said.
Status check_origins(const std::optional<Found>& diagnosis, const std::optional<Found>& plan,
                     const std::vector<std::string>& before_shas, Lang lang, CaseCard& card) {
  if (!diagnosis) return {};
  PROF_TRY(const YAML::Node node, detail::parse_yaml(diagnosis->content, diagnosis->path));
  const std::string diagnosed = text_at(detail::map_at(node, "trace"), "sha256");
  if (diagnosed.empty()) return {};
  const std::string planned = plan ? planned_trace(*plan) : std::string();
  if (!planned.empty() && planned != diagnosed)
    return Error{
        Errc::bad_argument,
        say(lang, "cases.foreign.plan", fmt::arg("plan", plan->path), fmt::arg("diagnosis", diagnosis->path)),
        {}};
  if (!before_shas.empty() && std::ranges::find(before_shas, diagnosed) == before_shas.end())
    card.missing.emplace_back("cases.foreign.diagnosis");
  return {};
}

} // namespace

std::string_view case_state_name(CaseState state) {
  switch (state) {
  case CaseState::draft:
    return "draft";
  case CaseState::measured:
    return "measured";
  case CaseState::validated:
    return "validated";
  }
  return {};
}

std::string slug(std::string_view text) {
  constexpr std::size_t kMost = 80, kHash = 12;
  std::string out;
  bool is_lossy = false; // other letters than Latin ones, or too many: a hash tells such titles apart
  for (const char c : text) {
    const bool is_word = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    const bool is_upper = c >= 'A' && c <= 'Z';
    is_lossy = is_lossy || static_cast<unsigned char>(c) >= 0x80 || out.size() == kMost;
    if (out.size() == kMost) break;
    if (is_word || is_upper)
      out += is_upper ? static_cast<char>(c + 32) : c;
    else if (!out.empty() && out.back() != '-')
      out += '-';
  }
  const auto trim = [&] {
    while (!out.empty() && out.back() == '-')
      out.pop_back();
  };
  trim();
  if (!is_lossy && !out.empty()) return out;
  out.resize(std::min(out.size(), kMost - kHash - 1));
  trim();
  return (out.empty() ? "case" : out) + "-" + sha256_hex(text).substr(0, kHash);
}

std::vector<CaseFigure> figures_in(const std::string& validation) {
  const auto node = detail::parse_yaml(validation, "validation");
  return node ? figures_of(*node) : std::vector<CaseFigure>();
}

Result<CaseCard> gather_case(const CaseRequest& request, Journal* journal) {
  CaseCard card;
  card.problem = request.problem, card.solution = request.solution;
  std::string name = request.problem;
  for (const std::string& word : request.solution)
    name += " " + word;
  card.id = slug(name);
  std::vector<std::string> before_shas;
  PROF_TRY(const auto validation, find_validation(request, journal));
  if (validation) {
    PROF_TRY(
        const YAML::Node node,
        detail::parse_yaml(validation->content, validation->path.empty() ? "validation" : validation->path));
    if (!request.validation.empty()) PROF_CHECK(check_schema(node, "validate", "validation", *validation));
    before_shas = trace_shas(node, "before");
    if (!validation->path.empty())
      card.evidence.push_back({"validation", validation->path, validation->sha256, validation->journal_id});
    read_figures(node, request.metrics, card);
  } else {
    card.missing.emplace_back("cases.missing.validation");
    for (const std::string& id : request.metrics)
      card.figures.push_back({.metric = id, .unit = {}, .verdict = "not_measured", .reason = {}});
  }
  PROF_TRY(const auto diagnosis, find_diagnosis(request, journal, before_shas));
  if (diagnosis) {
    PROF_TRY(const YAML::Node node, detail::parse_yaml(diagnosis->content, diagnosis->path));
    if (!request.diagnosis.empty()) PROF_CHECK(check_schema(node, "diagnose", "diagnosis", *diagnosis));
    read_causes(node, request.lang, card);
    card.evidence.push_back({"diagnosis", diagnosis->path, diagnosis->sha256, diagnosis->journal_id});
  } else {
    card.missing.emplace_back("cases.missing.diagnosis");
  }
  PROF_TRY(const auto plan, find_plan(request, journal, diagnosis));
  if (plan) {
    read_steps(*plan, card);
    card.evidence.push_back({"plan", plan->path, plan->sha256, plan->journal_id});
  } else {
    card.missing.emplace_back("cases.missing.plan");
  }
  PROF_CHECK(check_origins(diagnosis, plan, before_shas, request.lang, card));
  PROF_CHECK(find_makers(card, journal));
  card.state = state_of(card);
  return card;
}

} // namespace prof
