#include "base/file.hpp"
#include "common/cli.hpp"
#include "common/load_trace.hpp"
#include "plan/plan.hpp"
#include "report/plan_view.hpp"

#include <cstdio>
#include <fmt/format.h>
#include <memory>

namespace prof {
namespace {

struct PlanFlags {
  std::filesystem::path diagnosis, trace, output;
  std::string priority = "latency_first", risk_tolerance = "medium";
};

Result<std::string> render(const Plan& plan, const std::filesystem::path& output, Lang lang) {
  const std::string suffix = output.extension().string();
  if (output.empty() || output == "-" || suffix == ".md") return plan_markdown(plan, lang);
  if (suffix == ".yaml" || suffix == ".yml") return to_yaml(plan_doc(plan));
  if (suffix == ".json") return to_json(plan_doc(plan));
  return Error{Errc::bad_argument, "no plan of this kind: write .md, .yaml or .json", output.string()};
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

Result<Plan> run_plan(const PlanFlags& flags, Context& context) {
  PlanOptions options{.lang = context.lang};
  PROF_TRY(options.priority, parse_priority(flags.priority));
  PROF_TRY(options.tolerance, parse_risk_tolerance(flags.risk_tolerance));
  PROF_CHECK(render({}, flags.output, context.lang)); // an output of no known kind fails before the slow part
  PROF_TRY(const DiagnosisFile diagnosis, read_diagnosis_file(flags.diagnosis));
  PROF_TRY(const std::vector<Action> actions, load_actions());
  const std::filesystem::path trace = trace_of(flags, diagnosis);
  if (trace.empty())
    return Error{Errc::missing, "the report names no trace; name it with --trace FILE",
                 flags.diagnosis.string()};
  PROF_TRY(const Store store, load_trace(trace));
  context.inputs.push_back(flags.diagnosis);
  context.inputs.push_back(trace);
  options.trace_path = trace.string();
  if (flags.output != "-") options.folder = flags.output.parent_path().string();
  return make_plan(diagnosis, actions, store, options);
}

Status write_plan(const Plan& plan, const std::string& report, const PlanFlags& flags, Context& context) {
  if (flags.output.empty() || flags.output == "-") {
    fmt::print("{}", report);
    return {};
  }
  context.outputs.push_back(flags.output); // first: a case card looks for the plan there
  for (const PlanFile& file : plan.files) {
    const std::filesystem::path path = flags.output.parent_path() / file.name;
    PROF_CHECK(write_file(path, file.content));
    using std::filesystem::perms;
    std::error_code ignored;
    if (file.is_executable)
      std::filesystem::permissions(path, perms::owner_exec | perms::group_exec | perms::others_exec,
                                   std::filesystem::perm_options::add, ignored);
    context.outputs.push_back(path);
  }
  PROF_CHECK(write_file(flags.output, report));
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
  app.add_option("--priority", flags->priority, help("plan.opt.priority"));
  app.add_option("--risk_tolerance", flags->risk_tolerance, help("plan.opt.risk_tolerance"));
  app.add_option("--output", flags->output, help("plan.opt.output"));
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
