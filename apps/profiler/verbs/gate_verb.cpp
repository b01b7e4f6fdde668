#include "verdict/gate.hpp"

#include "common/flags.hpp"
#include "common/load_runs.hpp"
#include "common/output.hpp"
#include "report/validation_view.hpp"

#include <array>
#include <fmt/format.h>
#include <memory>

namespace prof {
namespace {

constexpr std::array<std::string_view, 4> kKinds{"text", "xml", "md", "json"};
struct GateFlags {
  std::vector<std::string> baseline, target;
  std::string metrics = "p99_latency", limit = "3%", run_noise = "3%", inconclusive = "pass";
  OutputFlags output;
};

struct Judged {
  Validation validation;
  double limit = 0;
};

Result<Judged> judge(const GateFlags& flags, Context& context) {
  ValidateOptions options;
  options.min_effect = 0;
  Judged out;
  PROF_TRY(out.limit, parse_share(flags.limit));
  if (out.limit > 1)
    return Error{Errc::bad_argument,
                 say(context.lang, "verdict.large_share", fmt::arg("value", flags.limit),
                     fmt::arg("percent", fmt::format("{:g}", out.limit * 100))),
                 {}};
  PROF_TRY(options.run_noise, parse_run_noise(flags.run_noise));
  if (flags.inconclusive != "pass" && flags.inconclusive != "fail")
    return Error{Errc::bad_argument,
                 say(context.lang, "verdict.bad_choice", fmt::arg("value", flags.inconclusive),
                     fmt::arg("option", "--inconclusive"), fmt::arg("allowed", "pass, fail")),
                 {}};
  PROF_TRY(const auto metrics, metrics_named(flags.metrics));
  PROF_TRY(const auto before, load_runs(trace_paths(flags.baseline, context), metrics, context));
  PROF_TRY(const auto after, load_runs(trace_paths(flags.target, context), metrics, context));
  // A pipeline that compares a file with itself would be green for ever.
  if (const Status two = check_two_recordings(before, after); !two)
    tell(context,
         say(context.lang, "verdict.gate_itself", fmt::arg("why", said_in(two.error(), context.lang))));
  PROF_TRY(out.validation, validate(metrics, before, after, options));
  return out;
}

Exit run_gate(const GateFlags& flags, Context& context) {
  const auto kind = output_kind(context, flags.output, kKinds);
  if (!kind) return fail(context, kind.error());
  const auto judged = judge(flags, context);
  if (!judged) return fail(context, judged.error());
  const Gate result = gate(judged->validation, judged->limit, flags.inconclusive == "fail");
  const PageModel page = gate_page(result, context.lang);
  const std::string report = *kind == "md"     ? page_markdown(page)
                             : *kind == "xml"  ? gate_junit(result, context.lang)
                             : *kind == "json" ? to_json(gate_doc(result, judged->validation))
                                               : page_text(page);
  if (const Exit exit = deliver_report(context, flags.output.path, report); exit != Exit::ok) return exit;
  if (!flags.output.is_terminal() || *kind == "xml" || *kind == "json")
    for (const std::string& line : page.sections.front().paragraphs)
      tell(context, line);
  context.facts["gate_failed"] = result.is_failed() ? "true" : "false";
  // Nothing was judged: green would hide it. What could not be had is a partial answer for --strict alone.
  if (!result.is_passed() && !(result.has_no_answer() && context.is_strict)) return Exit::no;
  return context.is_strict && judged->validation.has_unavailable() ? Exit::partial : Exit::ok;
}

std::function<Exit()> declare(CLI::App& app, Context& context) {
  auto flags = std::make_shared<GateFlags>();
  const auto help = [&](const char* id) { return std::string(text(context.lang, id)); };
  app.add_option("--baseline", flags->baseline, help("verdict.opt.baseline"))
      ->required()
      ->allow_extra_args(false);
  app.add_option("--target", flags->target, help("verdict.opt.target"))->required()->allow_extra_args(false);
  app.add_option("--metrics", flags->metrics, help("verdict.opt.gate_metrics"));
  app.add_option("--max_regression", flags->limit, help("verdict.opt.max_regression"))
      ->check(read_by(context, parse_share, "verdict.bad_share"));
  app.add_option("--run_noise", flags->run_noise, help("verdict.opt.run_noise"))
      ->check(read_by(context, parse_run_noise, "verdict.bad_noise"));
  app.add_option("--inconclusive", flags->inconclusive, help("verdict.opt.inconclusive"));
  add_output_options(app, context, flags->output, kKinds, "verdict.opt.gate_output");
  return [flags, &context] { return run_gate(*flags, context); };
}

} // namespace

extern const Verb gate_verb;
const Verb gate_verb{
    .name = "gate",
    .summary = "verb.gate.summary",
    .example = "profiler gate --baseline main.pb --target pr.pb --metrics p99_latency --max_regression 3% "
               "--output gate.xml",
    .declare = declare,
};

} // namespace prof
