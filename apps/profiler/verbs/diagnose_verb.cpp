#include "base/file.hpp"
#include "base/sha256.hpp"
#include "cases/similar_cases.hpp"
#include "common/cli.hpp"
#include "common/load_trace.hpp"
#include "report/diagnosis_view.hpp"
#include "rules/diagnosis.hpp"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <memory>

namespace prof {
namespace {

struct DiagnoseFlags {
  std::filesystem::path trace, output, rules;
  std::string problem = "auto", threshold;
  bool is_rule_list = false;
};

Result<std::vector<Rule>> load_rules(const DiagnoseFlags& flags) {
  PROF_TRY(std::vector<Rule> rules, builtin_rules());
  if (!flags.rules.empty()) PROF_CHECK(add_rules(rules, flags.rules));
  return rules;
}

// The report in the form that the file name asks for.
Result<std::string> render(const Diagnosis& diagnosis, const std::filesystem::path& output, Lang lang) {
  const std::string extension = output.extension().string();
  if (output.empty() || output == "-" || extension == ".txt") return diagnosis_text(diagnosis, lang);
  if (extension == ".yaml" || extension == ".yml") return to_yaml(diagnosis_doc(diagnosis));
  if (extension == ".json") return to_json(diagnosis_doc(diagnosis));
  if (extension == ".md") return diagnosis_markdown(diagnosis, lang);
  return Error{Errc::bad_argument, "no report of this kind: write .yaml, .json, .md or .txt",
               output.string()};
}

Result<Diagnosis> run_diagnosis(const DiagnoseFlags& flags, const Context& context) {
  DiagnoseOptions options{.problem = flags.problem,
                          .limit = {},
                          .lang = context.lang,
                          .trace_path = flags.trace.string(),
                          .trace_sha256 = {}};
  PROF_TRY([[maybe_unused]] const Problem problem, find_problem(flags.problem)); // before the slow part
  if (!flags.threshold.empty()) {
    PROF_TRY(options.limit, parse_limit(flags.threshold));
  }
  PROF_CHECK(render({}, flags.output, context.lang));
  PROF_TRY(const std::vector<Rule> rules, load_rules(flags));
  PROF_TRY(const Store store, load_trace(flags.trace));
  PROF_TRY(options.trace_sha256, sha256_of(flags.trace));
  return diagnose(store, rules, options);
}

// A library that cannot be read costs the report its similar cases and nothing else.
void add_cases(Diagnosis& diagnosis, const Context& context) {
  const auto library = CaseLibrary::open(case_folder(context.workspace));
  const auto left_out = [&](const std::string& what) {
    tell(context, say(context.lang, "cases.unreadable", fmt::arg("what", what)));
  };
  if (!library) return left_out(library.error().where + ": " + library.error().what);
  for (const std::string& what : library->unreadable())
    left_out(what);
  add_similar_cases(diagnosis, *library, context.lang);
}

Exit run_diagnose(const DiagnoseFlags& flags, Context& context) {
  if (flags.is_rule_list) {
    const auto rules = load_rules(flags);
    if (!rules) return fail(context, rules.error());
    fmt::print("{}", rules_markdown(*rules, context.lang));
    return Exit::ok;
  }
  if (flags.trace.empty()) return fail(context, {Errc::bad_argument, "--trace FILE is needed", {}});
  auto diagnosis = run_diagnosis(flags, context);
  if (!diagnosis) return fail(context, diagnosis.error());
  add_cases(*diagnosis, context);
  context.inputs.push_back(flags.trace);
  const auto report = render(*diagnosis, flags.output, context.lang);
  if (!report) return fail(context, report.error());
  if (flags.output.empty()) {
    fmt::print("{}", *report);
  } else {
    if (const Status written = write_file(flags.output, *report); !written)
      return fail(context, written.error());
    context.outputs.push_back(flags.output);
    if (flags.output != "-")
      tell(context, say(context.lang, "diagnose.written", fmt::arg("path", flags.output.string()),
                        fmt::arg("n", diagnosis->causes.size())));
  }
  context.facts["causes"] = std::to_string(diagnosis->causes.size());
  if (!diagnosis->causes.empty()) context.facts["first_cause"] = "\"" + diagnosis->causes.front().id + "\"";
  const bool is_unseen =
      !diagnosis->problem_missing.empty() || (diagnosis->threshold && !diagnosis->threshold->is_exceeded);
  return context.is_strict && is_unseen ? Exit::partial : Exit::ok;
}

std::function<Exit()> declare(CLI::App& app, Context& context) {
  auto flags = std::make_shared<DiagnoseFlags>();
  const auto help = [&](const char* id) { return std::string(text(context.lang, id)); };
  app.add_option("--trace", flags->trace, help("diagnose.opt.trace"));
  app.add_option("--problem", flags->problem, help("diagnose.opt.problem"));
  app.add_option("--threshold", flags->threshold, help("diagnose.opt.threshold"));
  app.add_option("--output", flags->output, help("diagnose.opt.output"));
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
