#include "verdict/compare.hpp"

#include "common/load_runs.hpp"
#include "common/load_trace.hpp"
#include "report/comparison_view.hpp"

#include <fmt/format.h>
#include <memory>

namespace prof {
namespace {

struct CompareFlags {
  std::string baseline, target;
  std::filesystem::path output;
};

Result<TraceWork> work_of(const std::string& path) {
  PROF_TRY(const Store store, load_trace(path));
  TraceWork work = read_work(store);
  work.path = path;
  return work;
}

Result<Comparison> run_comparison(const CompareFlags& flags, Context& context) {
  const std::string kind = flags.output.extension().string();
  if (!flags.output.empty() && flags.output != "-" && kind != ".md" && kind != ".txt" && kind != ".json" &&
      kind != ".yaml" && kind != ".yml")
    return Error{Errc::bad_argument,
                 say(context.lang, "verdict.bad_suffix", fmt::arg("path", flags.output.string()),
                     fmt::arg("allowed", ".md .txt .json .yaml -")),
                 {}};
  PROF_TRY(const TraceWork before, work_of(flags.baseline));
  PROF_TRY(const TraceWork after, work_of(flags.target));
  context.inputs = {flags.baseline, flags.target};
  return compare(before, after);
}

Exit run_compare(const CompareFlags& flags, Context& context) {
  constexpr std::size_t kOnTerminal = 12, kInMarkdown = 200;
  const auto comparison = run_comparison(flags, context);
  if (!comparison) return fail(context, comparison.error());
  const std::string kind = flags.output.extension().string();
  std::string report;
  if (kind == ".json")
    report = to_json(comparison_doc(*comparison));
  else if (kind == ".yaml" || kind == ".yml")
    report = to_yaml(comparison_doc(*comparison));
  else if (kind == ".md")
    report = page_markdown(comparison_page(*comparison, context.lang, kInMarkdown));
  else
    report = page_text(
        comparison_page(*comparison, context.lang, flags.output.empty() ? kOnTerminal : kInMarkdown), 130);
  if (flags.output.empty())
    fmt::print("{}", report);
  else if (const Status written = write_output(flags.output, report, context); !written)
    return fail(context, written.error());
  return Exit::ok;
}

std::function<Exit()> declare(CLI::App& app, Context& context) {
  auto flags = std::make_shared<CompareFlags>();
  const auto help = [&](const char* id) { return std::string(text(context.lang, id)); };
  app.add_option("--baseline", flags->baseline, help("verdict.opt.baseline"))->required();
  app.add_option("--target", flags->target, help("verdict.opt.target"))->required();
  app.add_option("--output", flags->output, help("verdict.opt.compare_output"));
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
