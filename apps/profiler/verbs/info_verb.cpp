#include "common/load_trace.hpp"
#include "profiler/verbs.hpp"
#include "report/info_view.hpp"

#include <fmt/format.h>
#include <memory>

namespace prof {
namespace {

struct Options {
  std::string file, format = "text";
};

Exit run(const Options& options, Context& context) {
  if (options.format != "text" && options.format != "json" && options.format != "yaml")
    return fail(context, {Errc::bad_argument,
                          fmt::format("no format '{}': text, json and yaml are known", options.format),
                          {}});
  if (options.file.empty()) return fail(context, {Errc::bad_argument, say(context.lang, "need.trace"), {}});
  const auto store = load_trace(options.file);
  if (!store) return fail(context, store.error());
  if (options.format == "text")
    fmt::print("{}", info_text(*store, options.file, context.lang));
  else if (options.format == "json")
    fmt::print("{}", to_json(info_doc(*store, options.file, context.lang)));
  else
    fmt::print("{}", to_yaml(info_doc(*store, options.file, context.lang)));
  return Exit::ok;
}

std::function<Exit()> declare(CLI::App& app, Context& context) {
  auto options = std::make_shared<Options>();
  app.add_option("file,--trace", options->file, say(context.lang, "opt.trace"));
  app.add_option("--format", options->format,
                 say(context.lang, "opt.format", fmt::arg("known", "text, json, yaml")));
  return [options, &context] { return run(*options, context); };
}

} // namespace

extern const Verb info_verb;
const Verb info_verb{.name = "info",
                     .summary = "verb.info.summary",
                     .example = "profiler info trace_full.pb",
                     .declare = declare};

} // namespace prof
