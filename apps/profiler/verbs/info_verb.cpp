#include "base/walk.hpp"
#include "common/load_trace.hpp"
#include "common/output.hpp"
#include "profiler/verbs.hpp"
#include "report/info_view.hpp"

#include <array>
#include <memory>

namespace prof {
namespace {

constexpr std::array<std::string_view, 3> kKinds{"text", "json", "yaml"};
struct Options {
  std::string file;
  OutputFlags output;
};

// A folder's size is that of its files.
std::int64_t bytes_of(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_directory(path, error))
    return static_cast<std::int64_t>(std::filesystem::file_size(path, error));
  std::int64_t bytes = 0;
  if (const auto files = trace_files_below(path))
    for (const auto& file : *files)
      bytes += static_cast<std::int64_t>(std::filesystem::file_size(file, error));
  return bytes;
}

Exit run(const Options& options, Context& context) {
  const auto kind = output_kind(context, options.output, kKinds);
  if (!kind) return fail(context, kind.error());
  if (options.file.empty()) return fail(context, {Errc::bad_argument, say(context.lang, "need.trace"), {}});
  ImportInfo found;
  const auto store = load_trace(options.file, &found);
  if (!store) return fail(context, store.error());
  context.inputs.emplace_back(options.file);
  const TraceSource source{.path = options.file,
                           .format = std::string(found.format),
                           .packing = std::string(found.packing),
                           .bytes = bytes_of(options.file)};
  const std::string report = *kind == "text"   ? info_text(*store, source, context.lang)
                             : *kind == "json" ? to_json(info_doc(*store, source, context.lang))
                                               : to_yaml(info_doc(*store, source, context.lang));
  return deliver_report(context, options.output.path, report);
}

std::function<Exit()> declare(CLI::App& app, Context& context) {
  auto options = std::make_shared<Options>();
  app.add_option("file,--trace", options->file, say(context.lang, "opt.trace"));
  add_output_options(app, context, options->output, kKinds);
  return [options, &context] { return run(*options, context); };
}

} // namespace

extern const Verb info_verb;
const Verb info_verb{.name = "info",
                     .summary = "verb.info.summary",
                     .example = "profiler info trace_full.pb",
                     .declare = declare};

} // namespace prof
