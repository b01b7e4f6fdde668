#include "base/file.hpp"
#include "base/format_units.hpp"
#include "common/load_trace.hpp"
#include "common/output.hpp"
#include "plan/diagnosis_file.hpp"
#include "profiler/verbs.hpp"
#include "report/html/html_page.hpp"
#include "rules/rule.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <optional>

namespace prof {
namespace {

constexpr std::array<std::string_view, 1> kKinds{"html"};
struct Options {
  std::string trace, diagnosis, baseline, view = "timeline,flamegraph,heatmap";
  OutputFlags output{.path = "performance_map.html", .format = {}};
  bool no_binaries = false;
};

// A usage error is found before the trace is read.
Status check(const Options& options, const Context& context, PageOptions& page) {
  page.views = split_list(options.view);
  const std::vector<std::string> known{"timeline", "flamegraph", "heatmap"};
  for (const std::string& view : page.views)
    if (std::ranges::find(known, view) == known.end()) {
      const std::string near = nearest(view, known);
      return Error{Errc::bad_argument,
                   say(context.lang, near.empty() ? "visualize.unknown_view" : "visualize.unknown_view_near",
                       fmt::arg("view", view), fmt::arg("near", near)),
                   {}};
    }
  if (page.views.empty())
    return Error{Errc::bad_argument, std::string(text(context.lang, "visualize.no_view")), {}};
  PROF_TRY([[maybe_unused]] const auto kind, output_kind(context, options.output, kKinds));
  return {};
}

// The page names the spans of another trace instead of marking them; whoever made it should know why.
Result<bool> is_foreign(const DiagnosisFile& diagnosis, const Options& options, const Context& context) {
  PROF_TRY(const TraceOrigin origin, origin_of(diagnosis, options.trace));
  if (origin != TraceOrigin::foreign) return false;
  tell(context, say(context.lang, "visualize.foreign_diagnosis", fmt::arg("diagnosis", options.diagnosis),
                    fmt::arg("trace", options.trace)));
  return true;
}

Exit run(const Options& options, Context& context) {
  PageOptions page{.lang = context.lang,
                   .views = {},
                   .trace_name = {},
                   .read_binaries = !options.no_binaries,
                   .diagnosis = nullptr,
                   .baseline = nullptr,
                   .baseline_name = {},
                   .progress = {}};
  if (const Status usage = check(options, context, page); !usage) return fail(context, usage.error());
  context.inputs.emplace_back(options.trace);
  auto file = AtomicFile::create(options.output.path); // an output that cannot be had fails before the work
  if (!file) return fail(context, file.error());
  const auto store = load_trace(options.trace);
  if (!store) return fail(context, store.error());
  std::optional<DiagnosisFile> diagnosis;
  bool has_foreign = false;
  if (!options.diagnosis.empty()) {
    auto read = read_diagnosis_file(options.diagnosis);
    if (!read) return fail(context, read.error());
    page.diagnosis = &diagnosis.emplace(*std::move(read));
    const auto foreign = is_foreign(*diagnosis, options, context);
    if (!foreign) return fail(context, foreign.error());
    has_foreign = *foreign;
    context.inputs.emplace_back(options.diagnosis);
    if (auto rules = builtin_rules()) page.rules = *std::move(rules);
  }
  std::optional<Store> baseline;
  if (!options.baseline.empty()) {
    auto read = load_trace(options.baseline);
    if (!read) return fail(context, read.error());
    page.baseline = &baseline.emplace(*std::move(read));
    page.baseline_name = std::filesystem::path(options.baseline).filename().string();
    context.inputs.emplace_back(options.baseline);
  }
  Progress progress(context, text(context.lang, "visualize.drawing"));
  page.trace_name = std::filesystem::path(options.trace).filename().string();
  page.progress = [&](double done, double total) {
    progress.update(done, total, text(context.lang, "visualize.rows"));
  };
  const auto stats =
      write_html_page(*store, page, [&](std::string_view bytes) { return file->write(bytes); });
  if (!stats) return fail(context, stats.error());
  if (const Status done = file->commit(); !done) return fail(context, done.error());
  const Exit whole = tell_losses(context, options.trace, *store);
  const Exit exit = context.is_strict && has_foreign ? Exit::partial : whole;
  if (options.output.is_terminal()) return exit;
  context.outputs.push_back(options.output.path);
  context.facts["page_bytes"] = std::to_string(stats->bytes);
  tell(context, say(context.lang, "visualize.written", fmt::arg("path", options.output.path.string()),
                    fmt::arg("size", format_bytes({stats->bytes})), fmt::arg("items", stats->items),
                    fmt::arg("rows", stats->rows), fmt::arg("samples", stats->samples)));
  return exit;
}

std::function<Exit()> declare(CLI::App& app, Context& context) {
  const auto options = std::make_shared<Options>();
  app.add_option("--trace", options->trace, std::string(text(context.lang, "visualize.opt.trace")))
      ->required();
  app.add_option("--view", options->view, std::string(text(context.lang, "visualize.opt.view")));
  app.add_option("--diagnosis", options->diagnosis,
                 std::string(text(context.lang, "visualize.opt.diagnosis")));
  app.add_option("--baseline", options->baseline, std::string(text(context.lang, "visualize.opt.baseline")));
  add_output_options(app, context, options->output, kKinds, "visualize.opt.output");
  app.add_flag("--no_binaries", options->no_binaries,
               std::string(text(context.lang, "visualize.opt.no_binaries")));
  return [options, &context] { return run(*options, context); };
}

} // namespace

extern const Verb visualize_verb;
const Verb visualize_verb{"visualize", "visualize.summary",
                          "profiler visualize --trace trace_full.pb --view \"timeline,flamegraph,heatmap\" "
                          "--output performance_map.html",
                          declare};

} // namespace prof
