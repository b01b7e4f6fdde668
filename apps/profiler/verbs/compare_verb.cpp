#include "verdict/compare.hpp"
#include "verdict/run_facts.hpp"

#include "base/sha256.hpp"
#include "common/load_runs.hpp"
#include "common/load_trace.hpp"
#include "common/output.hpp"
#include "report/comparison_view.hpp"

#include <array>
#include <fmt/format.h>
#include <memory>

namespace prof {
namespace {

constexpr std::array<std::string_view, 4> kKinds{"text", "md", "json", "yaml"};
struct CompareFlags {
  std::string baseline, target;
  OutputFlags output;
};

struct Side {
  TraceWork work;
  RunFacts facts; // which recording it is
};

Result<Side> side_of(const std::string& path, const Context& context) {
  PROF_TRY(const Store store, load_trace(path));
  tell_losses(context, path, store);
  Side side{.work = read_work(store), .facts = identity_of(store)};
  PROF_TRY(side.facts.sha256, sha256_of(path));
  side.work.path = path;
  return side;
}

Result<Comparison> run_comparison(const CompareFlags& flags, Context& context) {
  PROF_TRY(const Side before, side_of(flags.baseline, context));
  PROF_TRY(const Side after, side_of(flags.target, context));
  const auto counted = [](const TraceWork& work) -> CountedTrace {
    return {work.path, work.requests > 0 ? std::string_view(work.unit) : std::string_view()};
  };
  PROF_CHECK(check_same_unit(counted(before.work), counted(after.work)));
  context.inputs = {flags.baseline, flags.target};
  Comparison out = compare(before.work, after.work);
  out.is_one_recording = is_same_recording(before.facts, after.facts);
  return out;
}

std::string render(const Comparison& comparison, std::string_view kind, bool is_on_terminal, Lang lang) {
  constexpr std::size_t kOnTerminal = 12, kInFile = 200; // rows a level
  if (kind == "json") return to_json(comparison_doc(comparison));
  if (kind == "yaml") return to_yaml(comparison_doc(comparison));
  const PageModel page = comparison_page(comparison, lang, is_on_terminal ? kOnTerminal : kInFile);
  return kind == "md" ? page_markdown(page) : page_text(page, 130);
}

Exit run_compare(const CompareFlags& flags, Context& context) {
  const auto kind = output_kind(context, flags.output, kKinds);
  if (!kind) return fail(context, kind.error());
  const auto comparison = run_comparison(flags, context);
  if (!comparison) return fail(context, comparison.error());
  const bool is_on_terminal = *kind == "text" && flags.output.path.empty();
  const std::string report = render(*comparison, *kind, is_on_terminal, context.lang);
  if (const Exit exit = deliver_report(context, flags.output.path, report); exit != Exit::ok) return exit;
  return context.is_strict && comparison->has_losses() ? Exit::partial : Exit::ok;
}

std::function<Exit()> declare(CLI::App& app, Context& context) {
  auto flags = std::make_shared<CompareFlags>();
  const auto help = [&](const char* id) { return std::string(text(context.lang, id)); };
  app.add_option("--baseline", flags->baseline, help("compare.opt.baseline"))->required();
  app.add_option("--target", flags->target, help("compare.opt.target"))->required();
  add_output_options(app, context, flags->output, kKinds, "verdict.opt.compare_output");
  return [flags, &context] { return run_compare(*flags, context); };
}

} // namespace

extern const Verb compare_verb;
const Verb compare_verb{
    .name = "compare",
    .summary = "verb.compare.summary",
    .example = "profiler compare --baseline trace_asia.pb --target trace_europe.pb",
    .declare = declare,
};

} // namespace prof
