#include "common/flags.hpp"
#include "common/load_runs.hpp"
#include "common/output.hpp"
#include "report/validation_view.hpp"
#include "verdict/gate.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <memory>

namespace prof {
namespace {

constexpr std::array<std::string_view, 5> kKinds{"text", "pdf", "md", "json", "yaml"};
struct ValidateFlags {
  std::vector<std::string> before, after;
  std::string metrics = "p50_latency,p99_latency,throughput", test = "auto", run_noise = "3%",
              warm_up = "auto", expected;
  OutputFlags output;
  bool is_paired = false;
  std::uint64_t seed = ValidateOptions{}.seed;
};

Result<std::string> render(const Validation& v, std::string_view kind, const Context& context) {
  if (kind == "json") return to_json(validation_doc(v));
  if (kind == "yaml") return to_yaml(validation_doc(v));
  if (kind == "md") return page_markdown(validation_page(v, context.lang));
  if (kind == "text") return page_text(validation_page(v, context.lang));
  bool is_in_english = false;
  auto pdf = validation_pdf(v, context.lang, is_in_english);
  if (is_in_english) tell(context, text(context.lang, "verdict.no_cjk_font"));
  return pdf;
}

Result<ValidateOptions> options_of(const ValidateFlags& flags, std::string_view kind,
                                   const Context& context) {
  ValidateOptions options{.is_paired = flags.is_paired, .seed = flags.seed};
  const auto test = test_kind_from(flags.test);
  if (!test)
    return Error{Errc::bad_argument, say(context.lang, "verdict.bad_test", fmt::arg("name", flags.test)), {}};
  options.test = *test;
  PROF_TRY(options.run_noise, parse_run_noise(flags.run_noise));
  if (flags.warm_up != "auto" && flags.warm_up != "none")
    return Error{Errc::bad_argument,
                 say(context.lang, "verdict.bad_choice", fmt::arg("value", flags.warm_up),
                     fmt::arg("option", "--warm_up"), fmt::arg("allowed", "auto, none")),
                 {}};
  options.cuts_warm_up = flags.warm_up == "auto";
  if (kind == "pdf") options.draws = 10'000;
  return options;
}

Result<Validation> run_validation(const ValidateFlags& flags, std::string_view kind, Context& context) {
  PROF_TRY(ValidateOptions options, options_of(flags, kind, context));
  PROF_TRY(const auto metrics, metrics_named(flags.metrics));
  PROF_TRY(options.expected, parse_expected(flags.expected));
  for (const auto& [id, change] : options.expected)
    if (std::ranges::find(metrics, id, &MetricDef::id) == metrics.end())
      return error_said(Errc::bad_argument, "verdict.expected_unknown", {}, fmt::arg("id", id.substr(0, 60)));
  const auto before = trace_paths(flags.before, context), after = trace_paths(flags.after, context);
  PROF_TRY(const auto before_runs, load_runs(before, metrics, context));
  PROF_TRY(const auto after_runs, load_runs(after, metrics, context));
  PROF_CHECK(check_two_recordings(before_runs, after_runs));
  return validate(metrics, before_runs, after_runs, options);
}

Exit run_validate(const ValidateFlags& flags, Context& context) {
  const auto kind = output_kind(context, flags.output, kKinds);
  if (!kind) return fail(context, kind.error());
  const auto validation = run_validation(flags, *kind, context);
  if (!validation) return fail(context, validation.error());
  const auto report = render(*validation, *kind, context);
  if (!report) return fail(context, report.error());
  if (const Exit exit = deliver_report(context, flags.output.path, *report); exit != Exit::ok) return exit;
  if (!flags.output.is_terminal()) {
    const PageModel page = validation_page(*validation, context.lang);
    tell(context, page.lead[0]);
    tell(context, page.lead[1]);
    if (const std::string failed = failed_checks_text(*validation, context.lang); !failed.empty())
      tell(context, failed);
  }
  context.facts["outcome"] = fmt::format("\"{}\"", answer_name(answer_of(*validation).kind));
  context.facts["validation"] = to_json(validation_doc(*validation));
  if (validation->has_regression() || validation->has_failed_check()) return Exit::no;
  return context.is_strict && validation->has_unavailable() ? Exit::partial : Exit::ok;
}

std::function<Exit()> declare(CLI::App& app, Context& context) {
  auto flags = std::make_shared<ValidateFlags>();
  const auto help = [&](const char* id) { return std::string(text(context.lang, id)); };
  app.add_option("--before", flags->before, help("verdict.opt.before"))->required()->allow_extra_args(false);
  app.add_option("--after", flags->after, help("verdict.opt.after"))->required()->allow_extra_args(false);
  app.add_option("--metrics", flags->metrics, help("verdict.opt.metrics"));
  app.add_option("--expected_change", flags->expected, help("verdict.opt.expected"))
      ->check(read_by(context, parse_expected, "verdict.bad_expected"));
  app.add_option("--statistical_test", flags->test, help("verdict.opt.test"));
  add_output_options(app, context, flags->output, kKinds, "verdict.opt.output");
  app.add_flag("--paired", flags->is_paired, help("verdict.opt.paired"));
  app.add_option("--run_noise", flags->run_noise, help("verdict.opt.run_noise"))
      ->check(read_by(context, parse_run_noise, "verdict.bad_noise"));
  app.add_option("--warm_up", flags->warm_up, help("verdict.opt.warm_up"));
  app.add_option("--seed", flags->seed, help("verdict.opt.seed"));
  return [flags, &context] { return run_validate(*flags, context); };
}

} // namespace

extern const Verb validate_verb;
const Verb validate_verb{
    .name = "validate",
    .summary = "verb.validate.summary",
    .example = "profiler validate --before trace_baseline.pb --after trace_optimized.pb --metrics "
               "\"p99_latency,device_util,mem_bandwidth\" "
               "--statistical_test \"t-test\" --output validation_report.pdf",
    .declare = declare,
};

} // namespace prof
