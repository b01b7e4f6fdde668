#include "base/sha256.hpp"
#include "cases/similar_cases.hpp"
#include "common/cli.hpp"
#include "common/flags.hpp"
#include "common/load_trace.hpp"
#include "common/output.hpp"
#include "plan/applies.hpp"
#include "report/diagnosis_view.hpp"
#include "rules/diagnosis.hpp"

#include <array>
#include <fmt/format.h>
#include <memory>

namespace prof {
namespace {

constexpr std::array<std::string_view, 4> kKinds{"text", "yaml", "json", "md"};
struct DiagnoseFlags {
  std::filesystem::path trace, rules;
  OutputFlags output;
  std::string problem = "auto", threshold;
  bool is_rule_list = false;
};

Result<std::vector<Rule>> load_rules(const DiagnoseFlags& flags) {
  PROF_TRY(std::vector<Rule> rules, builtin_rules());
  if (!flags.rules.empty()) PROF_CHECK(add_rules(rules, flags.rules));
  return rules;
}

std::string render(const Diagnosis& diagnosis, std::string_view kind, Lang lang) {
  if (kind == "yaml") return to_yaml(diagnosis_doc(diagnosis));
  if (kind == "json") return to_json(diagnosis_doc(diagnosis));
  return kind == "md" ? diagnosis_markdown(diagnosis, lang) : diagnosis_text(diagnosis, lang);
}

struct Diagnosed {
  Store store;
  Diagnosis diagnosis;
};

Result<Diagnosed> run_diagnosis(const DiagnoseFlags& flags, const Context& context) {
  DiagnoseOptions options{.problem = flags.problem,
                          .limit = {},
                          .lang = context.lang,
                          .trace_path = flags.trace.string(),
                          .trace_sha256 = {}};
  PROF_TRY([[maybe_unused]] const Problem problem, find_problem(flags.problem)); // before the slow part
  if (!flags.threshold.empty()) {
    PROF_TRY(options.limit, parse_limit(flags.threshold));
  }
  PROF_TRY(const std::vector<Rule> rules, load_rules(flags));
  PROF_TRY(Store store, load_trace(flags.trace));
  PROF_TRY(options.trace_sha256, sha256_of(flags.trace));
  PROF_TRY(const std::vector<Action> actions, load_actions());
  PROF_TRY(Diagnosis diagnosis, diagnose(store, rules, options));
  keep_applicable(diagnosis, actions, store);
  return Diagnosed{std::move(store), std::move(diagnosis)};
}

// A library that cannot be read costs the report its similar cases and nothing else.
void add_cases(Diagnosis& diagnosis, const Context& context) {
  const auto library = CaseLibrary::open(case_folder(context.workspace));
  const auto left_out = [&](const std::string& what) {
    tell(context, say(context.lang, "cases.unreadable", fmt::arg("what", what)));
  };
  if (!library) return left_out(library.error().where + ": " + said_in(library.error(), context.lang));
  for (const std::string& what : library->unreadable())
    left_out(what);
  add_similar_cases(diagnosis, *library, context.lang);
}

Exit run_diagnose(const DiagnoseFlags& flags, Context& context) {
  const auto kind = output_kind(context, flags.output, kKinds);
  if (!kind) return fail(context, kind.error());
  if (flags.is_rule_list) {
    const auto rules = load_rules(flags);
    if (!rules) return fail(context, rules.error());
    return deliver_report(context, flags.output.path, rules_markdown(*rules, context.lang));
  }
  if (flags.trace.empty()) return fail(context, {Errc::bad_argument, say(context.lang, "need.trace"), {}});
  auto diagnosed = run_diagnosis(flags, context);
  if (!diagnosed) return fail(context, diagnosed.error());
  Diagnosis& diagnosis = diagnosed->diagnosis;
  add_cases(diagnosis, context);
  context.inputs.push_back(flags.trace);
  const std::string report = render(diagnosis, *kind, context.lang);
  if (const Status written = deliver(context, flags.output.path, report); !written)
    return fail(context, written.error());
  if (!flags.output.is_terminal())
    tell(context, say(context.lang, "diagnose.written", fmt::arg("path", flags.output.path.string()),
                      fmt::arg("n", diagnosis.causes.size())));
  context.facts["causes"] = std::to_string(diagnosis.causes.size());
  if (!diagnosis.causes.empty()) context.facts["first_cause"] = "\"" + diagnosis.causes.front().id + "\"";
  const Exit whole = tell_losses(context, flags.trace, diagnosed->store);
  const bool is_unseen =
      !diagnosis.problem_missing.empty() || (diagnosis.threshold && !diagnosis.threshold->is_exceeded);
  return context.is_strict && is_unseen ? Exit::partial : whole;
}

std::function<Exit()> declare(CLI::App& app, Context& context) {
  auto flags = std::make_shared<DiagnoseFlags>();
  const auto help = [&](const char* id) { return std::string(text(context.lang, id)); };
  app.add_option("--trace", flags->trace, help("diagnose.opt.trace"));
  std::vector<std::string> problems;
  for (const Problem& problem : all_problems())
    problems.emplace_back(problem.id);
  app.add_option("--problem", flags->problem, help("diagnose.opt.problem"))
      ->check(choice(context, std::move(problems)));
  app.add_option("--threshold", flags->threshold, help("diagnose.opt.threshold"))
      ->check(read_by(context, parse_limit, "diagnose.bad_threshold"));
  add_output_options(app, context, flags->output, kKinds, "diagnose.opt.output");
  app.add_option("--rules", flags->rules, help("diagnose.opt.rules"));
  app.add_flag("--list_rules", flags->is_rule_list, help("diagnose.opt.list_rules"));
  return [flags, &context] { return run_diagnose(*flags, context); };
}

} // namespace

extern const Verb diagnose_verb;
const Verb diagnose_verb{
    .name = "diagnose",
    .summary = "verb.diagnose.summary",
    .example = "profiler diagnose --trace trace_full.pb --problem high_p99_latency --threshold \"p99>2.0s\" "
               "--output root_cause_report.yaml",
    .declare = declare,
};

} // namespace prof
