#include "base/file.hpp"
#include "common/load_trace.hpp"
#include "profiler/verbs.hpp"
#include "report/export_view.hpp"
#include "store/replay.hpp"
#include "store/sql_docs.hpp"
#include "store/sql_tables.hpp"
#include "tracefile/writer.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <unistd.h>

namespace prof {
namespace {

enum class Target : std::uint8_t { chrome, csv, csv_folder, sqlite, pb };
struct Options {
  std::string trace, output, table = "slice";
};

Result<Target> target_of(const std::filesystem::path& output, Lang lang) {
  std::error_code error;
  if (std::filesystem::is_directory(output, error) || output.string().ends_with('/'))
    return Target::csv_folder;
  const std::string suffix = output.extension().string();
  if (suffix == ".json" || suffix == ".trace") return Target::chrome;
  if (suffix == ".csv") return Target::csv;
  if (suffix == ".sqlite" || suffix == ".db") return Target::sqlite;
  if (suffix == ".pb" || suffix == ".pftrace") return Target::pb;
  return Error{Errc::bad_argument, say(lang, "export.suffix", fmt::arg("suffix", suffix)), {}};
}

template <class Write>
Status to_file(const std::filesystem::path& path, Write&& write) {
  PROF_TRY(AtomicFile file, AtomicFile::create(path));
  PROF_CHECK(write([&](std::string_view bytes) { return file.write(bytes); }));
  return file.commit();
}

Status to_csv_folder(const Store& store, const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return Error{Errc::io, error.message(), folder.string()};
  for (const TableDef& table : sql_tables())
    PROF_CHECK(to_file(folder / (std::string(table.name) + ".csv"),
                       [&](const ByteSink& out) { return export_csv(store, table.name, out); }));
  return {};
}

Status to_pb(const Store& store, const std::filesystem::path& path) {
  const std::filesystem::path temp = path.string() + fmt::format(".{}.part", getpid());
  std::error_code error;
  const auto write = [&]() -> Status {
    PROF_TRY(const auto writer, TraceFileWriter::create(temp, {.is_live = false}));
    replay(store, *writer);
    PROF_CHECK(writer->finish());
    std::filesystem::rename(temp, path, error);
    if (error) return Error{Errc::io, error.message(), path.string()};
    return {};
  };
  Status done = write();
  if (!done) std::filesystem::remove(temp, error);
  return done;
}

Status write(const Options& options, const Store& store, Target target) {
  switch (target) {
  case Target::chrome:
    return to_file(options.output, [&](const ByteSink& out) { return export_chrome_json(store, out); });
  case Target::csv:
    return to_file(options.output,
                   [&](const ByteSink& out) { return export_csv(store, options.table, out); });
  case Target::csv_folder:
    return to_csv_folder(store, options.output);
  case Target::sqlite:
    return export_sqlite(store, options.output);
  case Target::pb:
    return to_pb(store, options.output);
  }
  return {};
}

Exit run(const Options& options, Context& context) {
  if (options.trace.empty()) return fail(context, {Errc::bad_argument, say(context.lang, "need.trace"), {}});
  if (options.output.empty())
    return fail(context, {Errc::bad_argument, say(context.lang, "need.output"), {}});
  const auto target = target_of(options.output, context.lang);
  if (!target) return fail(context, target.error());
  const auto store = load_trace(options.trace);
  if (!store) return fail(context, store.error());
  if (const Status written = write(options, *store, *target); !written) return fail(context, written.error());
  context.inputs.emplace_back(options.trace);
  context.outputs.emplace_back(options.output);
  return Exit::ok;
}

std::function<Exit()> declare(CLI::App& app, Context& context) {
  auto options = std::make_shared<Options>();
  app.add_option("--trace", options->trace, say(context.lang, "opt.trace"));
  app.add_option("--output", options->output, say(context.lang, "opt.output"));
  app.add_option("--table", options->table, say(context.lang, "export.opt.table"));
  return [options, &context] { return run(*options, context); };
}

} // namespace

extern const Verb export_verb;
const Verb export_verb{.name = "export",
                       .summary = "verb.export.summary",
                       .example = "profiler export --trace t.pb --output t.json",
                       .declare = declare};

} // namespace prof
