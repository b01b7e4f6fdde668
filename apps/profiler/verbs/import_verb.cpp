#include "base/format_units.hpp"
#include "common/load_trace.hpp"
#include "common/output.hpp"
#include "import/formats_docs.hpp"
#include "import/reader.hpp"
#include "profiler/verbs.hpp"
#include "tracefile/writer.hpp"

#include <array>
#include <fmt/format.h>
#include <memory>

namespace prof {
namespace {

constexpr std::array<std::string_view, 1> kKinds{"pb"};
struct Options {
  std::string input;
  OutputFlags output;
  bool is_reference = false;
};

// Streams from the reader straight into the file, which appears under its name only when it is whole.
Result<WriterStats> convert(const std::filesystem::path& input, const std::filesystem::path& output) {
  WriterStats stats;
  const auto write = [&](const std::filesystem::path& part) -> Status {
    PROF_TRY(const auto writer, TraceFileWriter::create(part, kImported));
    PROF_CHECK(import_trace(input, *writer));
    PROF_CHECK(writer->finish());
    stats = writer->stats();
    return {};
  };
  PROF_CHECK(write_through_part(output, write));
  return stats;
}

Exit run(const Options& options, Context& context) {
  if (options.is_reference) {
    print(context, "{}", format_reference_markdown());
    return Exit::ok;
  }
  if (options.input.empty()) return fail(context, {Errc::bad_argument, say(context.lang, "need.trace"), {}});
  const std::filesystem::path& output = options.output.path;
  if (const auto kind = output_kind(context, options.output, kKinds); !kind)
    return fail(context, kind.error());
  if (output.empty()) return fail(context, {Errc::bad_argument, say(context.lang, "need.output"), {}});
  const auto stats = convert(options.input, output);
  if (!stats) return fail(context, stats.error());
  context.inputs.emplace_back(options.input);
  if (!options.output.is_terminal()) context.outputs.push_back(output);
  tell(context, say(context.lang, "import.done", fmt::arg("path", output.string()),
                    fmt::arg("events", stats->events), fmt::arg("size", format_bytes(Bytes{stats->bytes}))));
  tell_unwritten(context, *stats);
  return Exit::ok;
}

std::function<Exit()> declare(CLI::App& app, Context& context) {
  auto options = std::make_shared<Options>();
  app.add_option("input,--trace", options->input, say(context.lang, "import.opt.input"));
  add_output_options(app, context, options->output, kKinds);
  app.add_flag("--reference", options->is_reference, say(context.lang, "import.opt.reference"));
  return [options, &context] { return run(*options, context); };
}

} // namespace

extern const Verb import_verb;
const Verb import_verb{.name = "import",
                       .summary = "verb.import.summary",
                       .example = "profiler import kineto_trace.json.gz --output t.pb",
                       .declare = declare};

} // namespace prof
