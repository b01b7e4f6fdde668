#include "base/yaml_writer.hpp"
#include "cases/case_card.hpp"
#include "cases/case_library.hpp"
#include "common/load_runs.hpp"
#include "common/output.hpp"
#include "report/case_view.hpp"
#include "report/validation_view.hpp"

#include <array>
#include <fmt/format.h>
#include <memory>

namespace prof {
namespace {

constexpr std::array<std::string_view, 1> kKinds{"md"};
struct CardFlags {
  CaseRequest request;
  std::string solution, metrics;
  std::vector<std::string> before, after;
  std::filesystem::path library;
  OutputFlags output;
  bool is_added = false;
};

std::vector<std::string> parts_of(const std::string& solution) {
  std::string list = solution;
  for (char& c : list)
    if (c == '+') c = ',';
  return split_list(list);
}

Result<CaseCard> make_card(CardFlags flags, Context& context) {
  flags.request.lang = context.lang;
  flags.request.solution = parts_of(flags.solution);
  flags.request.metrics = split_list(flags.metrics);
  PROF_TRY(const auto metrics,
           metrics_named(flags.metrics.empty() ? "p50_latency,p99_latency" : flags.metrics));
  if (flags.before.empty() != flags.after.empty())
    return error_said(Errc::bad_argument, "error.both_sides", {});
  if (!flags.before.empty()) {
    PROF_TRY(const auto before, load_runs(trace_paths(flags.before, context), metrics, context));
    PROF_TRY(const auto after, load_runs(trace_paths(flags.after, context), metrics, context));
    PROF_CHECK(check_two_recordings(before, after));
    PROF_TRY(const Validation validation, validate(metrics, before, after, {}));
    flags.request.validation_text = to_json(validation_doc(validation));
  }
  auto journal = Journal::open(context.workspace, false);
  if (!journal && journal.error().code != Errc::missing) return journal.error();
  return gather_case(flags.request, journal ? &*journal : nullptr);
}

Exit run_card(const CardFlags& flags, Context& context) {
  if (const auto kind = output_kind(context, flags.output, kKinds); !kind) return fail(context, kind.error());
  const auto card = make_card(flags, context);
  if (!card) return fail(context, card.error());
  for (const CaseEvidence& e : card->evidence) {
    std::error_code error;
    if (std::filesystem::exists(e.path, error)) context.inputs.emplace_back(e.path);
  }
  const std::string markdown = case_markdown(*card, context.lang);
  if (const Status written = deliver(context, flags.output.path, markdown); !written)
    return fail(context, written.error());
  if (!flags.output.is_terminal())
    tell(context, say(context.lang, "cases.written", fmt::arg("path", flags.output.path.string()),
                      fmt::arg("state", case_state_name(card->state))));
  for (const std::string& id : card->missing)
    tell(context, text(context.lang, id));
  if (flags.is_added) {
    auto library = CaseLibrary::open(flags.library.empty() ? case_folder(context.workspace) : flags.library);
    if (!library) return fail(context, library.error());
    if (const Status added = library->add(markdown, card->id, true); !added)
      return fail(context, added.error());
  }
  context.facts["case"] = "\"" + card->id + "\"";
  return context.is_strict && !card->missing.empty() ? Exit::partial : Exit::ok;
}

std::function<Exit()> declare(CLI::App& app, Context& context) {
  auto flags = std::make_shared<CardFlags>();
  const auto help = [&](const char* id) { return std::string(text(context.lang, id)); };
  app.add_option("--problem", flags->request.problem, help("cases.opt.problem"))->required();
  app.add_option("--solution", flags->solution, help("cases.opt.solution"))->required();
  app.add_option("--metrics", flags->metrics, help("cases.opt.metrics"));
  add_output_options(app, context, flags->output, kKinds, "cases.opt.output");
  app.add_option("--diagnosis", flags->request.diagnosis, help("cases.opt.diagnosis"));
  app.add_option("--plan", flags->request.plan, help("cases.opt.plan"));
  app.add_option("--validation", flags->request.validation, help("cases.opt.validation"));
  app.add_option("--before", flags->before, help("cases.opt.before"))->allow_extra_args(false);
  app.add_option("--after", flags->after, help("cases.opt.after"))->allow_extra_args(false);
  app.add_option("--library", flags->library, help("cases.opt.library"));
  app.add_flag("--add", flags->is_added, help("cases.opt.add"));
  return [flags, &context] { return run_card(*flags, context); };
}

} // namespace

extern const Verb case_card_verb;
const Verb case_card_verb{
    .name = "case-card",
    .summary = "verb.case_card.summary",
    .example = "profiler case-card --problem \"sd3_high_p99_latency\" --solution "
               "\"data_layout_unify+fusion+runtime_opt\" "
               "--metrics \"p99_latency,device_util\" --output sd3_optimization_case.md",
    .declare = declare,
};

} // namespace prof
