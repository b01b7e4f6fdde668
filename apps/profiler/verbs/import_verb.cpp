#include "base/format_units.hpp"
#include "import/reader.hpp"
#include "profiler/verbs.hpp"
#include "tracefile/writer.hpp"

#include <fmt/format.h>
#include <memory>
#include <unistd.h>

namespace prof {
namespace {

struct Options {
  std::string input, output;
};

// Streams from the reader straight into the file, which appears under its name only when it is whole.
Result<WriterStats> convert(const std::filesystem::path& input, const std::filesystem::path& output) {
  const std::filesystem::path temp = output.string() + fmt::format(".{}.part", getpid());
  std::error_code error;
  const auto write = [&]() -> Result<WriterStats> {
    PROF_TRY(const auto writer, TraceFileWriter::create(temp, {.is_live = false}));
    PROF_CHECK(import_trace(input, *writer));
    PROF_CHECK(writer->finish());
    std::filesystem::rename(temp, output, error);
    if (error) return Error{Errc::io, error.message(), output.string()};
    return writer->stats();
  };
  auto stats = write();
  if (!stats) std::filesystem::remove(temp, error);
  return stats;
}

Exit run(const Options& options, Context& context) {
  const std::filesystem::path output = options.output;
  if (output.empty()) return fail(context, {Errc::bad_argument, say(context.lang, "need.output"), {}});
  if (output.extension() != ".pb" && output.extension() != ".pftrace")
    return fail(context, {Errc::bad_argument,
                          say(context.lang, "import.suffix", fmt::arg("suffix", output.extension().string())),
                          {}});
  const auto stats = convert(options.input, output);
  if (!stats) return fail(context, stats.error());
  context.inputs.emplace_back(options.input);
  context.outputs.push_back(output);
  tell(context, say(context.lang, "import.done", fmt::arg("path", output.string()),
                    fmt::arg("events", stats->events), fmt::arg("size", format_bytes(Bytes{stats->bytes}))));
  return Exit::ok;
}

std::function<Exit()> declare(CLI::App& app, Context& context) {
  auto options = std::make_shared<Options>();
  app.add_option("input,--trace", options->input, say(context.lang, "import.opt.input"))->required();
  app.add_option("--output", options->output, say(context.lang, "opt.output"));
  return [options, &context] { return run(*options, context); };
}

} // namespace

extern const Verb import_verb;
const Verb import_verb{.name = "import",
                       .summary = "verb.import.summary",
                       .example = "profiler import kineto_trace.json.gz --output t.pb",
                       .declare = declare};

} // namespace prof
