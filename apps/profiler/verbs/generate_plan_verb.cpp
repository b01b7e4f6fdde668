#include "common/cli.hpp"
#include "common/flags.hpp"
#include "common/load_trace.hpp"
#include "plan/made_file.hpp"
#include "plan/plan.hpp"
#include "profiler/plan_files.hpp"
#include "report/plan_view.hpp"
#include "rules/rule.hpp"

#include <fmt/format.h>
#include <memory>

namespace prof {
namespace {

struct PlanFlags {
  std::filesystem::path diagnosis, trace, output;
  std::string priority = "latency_first", risk_tolerance = "medium";
  bool may_replace = false;
};

Result<std::string> render(const Plan& plan, const std::filesystem::path& output, Lang lang) {
  const std::string suffix = output.extension().string();
  if (output.empty() || output == "-") return plan_markdown(plan, lang);
  if (suffix == ".md") return with_digest(plan_markdown(plan, lang) + "<!-- " + made_mark() + " -->\n");
  const auto tree = [&] { return std::move(plan_doc(plan).set("made_by", made_mark())); };
  if (suffix == ".yaml" || suffix == ".yml") return with_digest(to_yaml(tree()));
  if (suffix == ".json") return with_digest(to_json(tree()));
  return error_said(Errc::bad_argument, "error.plan_kind", output.string());
}

// The trace that the report names: as it stands, else beside the report (both were moved together).
std::filesystem::path trace_of(const PlanFlags& flags, const DiagnosisFile& diagnosis) {
  if (!flags.trace.empty()) return flags.trace;
  const std::filesystem::path named(diagnosis.trace_path);
  std::error_code ignored;
  if (named.empty() || named.is_absolute() || std::filesystem::exists(named, ignored)) return named;
  const std::filesystem::path beside = flags.diagnosis.parent_path() / named;
  return std::filesystem::exists(beside, ignored) ? beside : named;
}

// A plan from one trace's causes and another's requests would promise gains that nobody measured.
Status check_origin(const DiagnosisFile& diagnosis, const std::filesystem::path& trace,
                    const PlanFlags& flags, const Context& context) {
  PROF_TRY(const TraceOrigin origin, origin_of(diagnosis, trace));
  const auto line = [&](std::string_view id) {
    return say(context.lang, id, fmt::arg("diagnosis", flags.diagnosis.string()),
               fmt::arg("trace", trace.string()));
  };
  if (origin == TraceOrigin::foreign) return Error{Errc::bad_argument, line("plan.foreign_trace"), {}};
  if (origin == TraceOrigin::unknown) tell(context, line("plan.unknown_trace"));
  return {};
}

Result<Plan> run_plan(const PlanFlags& flags, Context& context) {
  PlanOptions options{.lang = context.lang};
  PROF_TRY(options.priority, parse_priority(flags.priority));
  PROF_TRY(options.tolerance, parse_risk_tolerance(flags.risk_tolerance));
  PROF_CHECK(render({}, flags.output, context.lang)); // an output of no known kind fails before the slow part
  PROF_TRY(DiagnosisFile diagnosis, read_diagnosis_file(flags.diagnosis));
  for (DiagnosedCause& cause : diagnosis.causes) // the plan speaks one language, whatever the report's
    cause.title = title_in(context.lang, cause.id, cause.title);
  PROF_TRY(const std::vector<Action> actions, load_actions());
  const std::filesystem::path trace = trace_of(flags, diagnosis);
  if (trace.empty()) return error_said(Errc::missing, "error.plan_trace", flags.diagnosis.string());
  PROF_CHECK(check_not_input(flags.output, "--trace", trace, context));
  PROF_CHECK(check_origin(diagnosis, trace, flags, context));
  PROF_TRY(const Store store, load_trace(trace));
  context.inputs.push_back(flags.diagnosis);
  context.inputs.push_back(trace);
  options.trace_path = trace.string();
  if (flags.output != "-") options.folder = flags.output.parent_path().string();
  return make_plan(diagnosis, actions, store, options);
}

Status write_plan(const Plan& plan, const std::string& report, const PlanFlags& flags, Context& context) {
  if (flags.output.empty() || flags.output == "-") {
    context.out->put(report);
    return {};
  }
  std::vector<PlanFile> files{{.name = flags.output.filename().string(), .content = report}};
  files.insert(files.end(), plan.files.begin(), plan.files.end());
  PROF_CHECK(write_plan_files(files, flags.output.parent_path(), flags.may_replace, context));
  tell(context, say(context.lang, "plan.written", fmt::arg("path", flags.output.string()),
                    fmt::arg("steps", plan.steps.size()), fmt::arg("files", plan.files.size())));
  return {};
}

Exit run_generate_plan(const PlanFlags& flags, Context& context) {
  const auto plan = run_plan(flags, context);
  if (!plan) return fail(context, plan.error());
  const auto report = render(*plan, flags.output, context.lang);
  if (!report) return fail(context, report.error());
  if (const Status written = write_plan(*plan, *report, flags, context); !written)
    return fail(context, written.error());
  context.facts["steps"] = std::to_string(plan->steps.size());
  if (plan->combined) {
    context.facts["predicted_mean"] = fmt::format("{:.4f}", plan->combined->mean.typical);
    context.facts["predicted_p99"] = fmt::format("{:.4f}", plan->combined->p99.typical);
  }
  std::string ids;
  for (const PlanStep& step : plan->steps)
    ids += (ids.empty() ? "" : ",") + step.action;
  context.facts["actions"] = "\"" + ids + "\"";
  return context.is_strict && !plan->notes.empty() ? Exit::partial : Exit::ok;
}

std::function<Exit()> declare(CLI::App& app, Context& context) {
  auto flags = std::make_shared<PlanFlags>();
  const auto help = [&](const char* id) { return std::string(text(context.lang, id)); };
  app.add_option("--diagnosis", flags->diagnosis, help("plan.opt.diagnosis"))->required();
  app.add_option("--trace", flags->trace, help("plan.opt.trace"));
  app.add_option("--priority", flags->priority, help("plan.opt.priority"))
      ->check(read_by(context, parse_priority, "plan.bad_priority"));
  app.add_option("--risk_tolerance", flags->risk_tolerance, help("plan.opt.risk_tolerance"))
      ->check(read_by(context, parse_risk_tolerance, "plan.bad_tolerance"));
  app.add_option("--output", flags->output, help("plan.opt.output"));
  app.add_flag("--force", flags->may_replace, help("plan.opt.force"));
  return [flags, &context] { return run_generate_plan(*flags, context); };
}

} // namespace

extern const Verb generate_plan_verb;
const Verb generate_plan_verb{
    .name = "generate-plan",
    .summary = "verb.generate_plan.summary",
    .example = "profiler generate-plan --diagnosis root_cause_report.yaml --priority latency_first "
               "--risk_tolerance medium --output optimization_plan.md",
    .declare = declare,
};

} // namespace prof
