#include "base/file.hpp"
#include "common/flags.hpp"
#include "common/load_trace.hpp"
#include "common/output.hpp"
#include "profiler/verbs.hpp"
#include "report/export_view.hpp"
#include "store/replay.hpp"
#include "store/sql_docs.hpp"
#include "store/sql_tables.hpp"
#include "tracefile/writer.hpp"

#include <array>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <vector>

namespace prof {
namespace {

constexpr std::array<std::string_view, 6> kKinds{"json", "csv", "sqlite", "pb", "pprof", "collapsed"};
struct Options {
  std::string trace, table = "slice";
  OutputFlags output;
};

// A folder takes every table as a file of its own.
bool is_folder(const std::filesystem::path& output) {
  std::error_code error;
  return output.string().ends_with('/') || std::filesystem::is_directory(output, error);
}

template <class Write>
Status to_file(const std::filesystem::path& path, Write&& write) {
  PROF_TRY(AtomicFile file, AtomicFile::create(path));
  PROF_CHECK(write([&](std::string_view bytes) { return file.write(bytes); }));
  return file.commit();
}

// Every table is on the disk before the first gets its name: where one does not fit there is none.
Status to_csv_files(const Store& store, const std::filesystem::path& folder) {
  std::vector<AtomicFile> files;
  for (const TableDef& table : sql_tables()) {
    PROF_TRY(AtomicFile file, AtomicFile::create(folder / (std::string(table.name) + ".csv")));
    PROF_CHECK(export_csv(store, table.name, [&](std::string_view bytes) { return file.write(bytes); }));
    PROF_CHECK(file.prepare());
    files.push_back(std::move(file));
  }
  for (AtomicFile& file : files)
    PROF_CHECK(file.commit());
  return {};
}

Status to_csv_folder(const Store& store, const std::filesystem::path& folder) {
  std::error_code error;
  if (std::filesystem::is_directory(folder, error)) return to_csv_files(store, folder);
  return write_new_folder(folder,
                          [&](const std::filesystem::path& part) { return to_csv_files(store, part); });
}

Status to_pb(const Store& store, const std::filesystem::path& path, WriterStats& stats) {
  PROF_TRY(const auto writer, TraceFileWriter::create(path, kImported));
  replay(store, *writer);
  const Status finished = writer->finish();
  stats = writer->stats();
  return finished;
}

Status write(const Options& options, const Store& store, std::string_view kind, WriterStats& stats) {
  const std::filesystem::path& path = options.output.path;
  if (kind == "folder") return to_csv_folder(store, path);
  if (kind == "sqlite") return export_sqlite(store, path);
  if (kind == "pb")
    return write_through_part(path,
                              [&](const std::filesystem::path& part) { return to_pb(store, part, stats); });
  return to_file(path, [&](const ByteSink& out) {
    if (kind == "csv") return export_csv(store, options.table, out);
    if (kind == "pprof") return export_pprof(store, out);
    return kind == "collapsed" ? export_collapsed(store, out) : export_chrome_json(store, out);
  });
}

// What is wrong with the command line is found before the trace is read.
Result<std::string_view> kind_of(const Options& options, const Context& context) {
  const bool is_into_folder = options.output.format.empty() && is_folder(options.output.path);
  std::string_view kind = "folder";
  if (!is_into_folder) {
    const auto known = output_kind(context, options.output, kKinds);
    if (!known && options.output.format.empty() && !options.output.path.has_extension())
      return Error{known.error().code,
                   known.error().what + say(context.lang, "export.folder_hint",
                                            fmt::arg("path", options.output.path.string())),
                   {}};
    PROF_TRY(kind, known);
  }
  if (options.trace.empty()) return Error{Errc::bad_argument, say(context.lang, "need.trace"), {}};
  if (options.output.path.empty()) return Error{Errc::bad_argument, say(context.lang, "need.output"), {}};
  if (kind == "sqlite" && options.output.path == "-")
    return Error{Errc::bad_argument, say(context.lang, "export.no_stream"), {}};
  if (kind == "csv") PROF_CHECK(check_export_table(options.table));
  return kind;
}

// In one line, with counts.
void tell_left_out(const Context& context, const NotCarried& left) {
  std::vector<std::string> parts;
  const auto add = [&](std::string_view id, std::int64_t n) {
    if (n > 0) parts.push_back(say(context.lang, id, fmt::arg("n", n), fmt::arg("event", left.event)));
  };
  add("export.left_out.samples", left.samples);
  add("export.left_out.other_samples", left.other_samples);
  add("export.left_out.places", left.places);
  std::string left_out, others;
  if (!parts.empty())
    left_out =
        say(context.lang, "export.left_out", fmt::arg("what", fmt::format("{}", fmt::join(parts, ", "))));
  if (left.for_others > 0) others = say(context.lang, "export.only_others", fmt::arg("n", left.for_others));
  if (left_out.empty() && others.empty()) return;
  const std::string what = left_out.empty() ? others
                           : others.empty() ? left_out
                                            : say(context.lang, "export.left_out.both",
                                                  fmt::arg("left", left_out), fmt::arg("others", others));
  tell(context, say(context.lang, "export.left_out.told", fmt::arg("what", what)));
}

Exit run(const Options& options, Context& context) {
  const auto kind = kind_of(options, context);
  if (!kind) return fail(context, kind.error());
  const auto store = load_trace(options.trace);
  if (!store) return fail(context, store.error());
  WriterStats stats;
  if (const Status written = write(options, *store, *kind, stats); !written)
    return fail(context, written.error());
  context.inputs.emplace_back(options.trace);
  const bool is_empty = (*kind == "pprof" || *kind == "collapsed") && !has_stacks_to_export(*store);
  if (is_empty) tell(context, say(context.lang, "export.no_stacks"));
  if (*kind == "json") tell_left_out(context, left_out_of_chrome_json(*store));
  tell_unwritten(context, stats);
  if (!is_empty && (*kind == "pprof" || *kind == "collapsed"))
    tell_left_out(context, left_out_of_stacks(*store));
  const Exit whole = tell_losses(context, options.trace, *store);
  const Exit exit = is_empty && context.is_strict ? Exit::partial : whole;
  if (options.output.is_terminal()) return exit;
  context.outputs.push_back(options.output.path);
  if (!is_empty)
    tell(context, say(context.lang, "cli.written", fmt::arg("path", options.output.path.string())));
  return exit;
}

std::function<Exit()> declare(CLI::App& app, Context& context) {
  auto options = std::make_shared<Options>();
  app.add_option("--trace", options->trace, say(context.lang, "opt.trace"));
  add_output_options(app, context, options->output, kKinds, "export.opt.output");
  std::vector<std::string> tables;
  for (const TableDef& table : sql_tables())
    tables.emplace_back(table.name);
  app.add_option("--table", options->table, say(context.lang, "export.opt.table"))
      ->check(choice(context, std::move(tables)));
  return [options, &context] { return run(*options, context); };
}

} // namespace

extern const Verb export_verb;
const Verb export_verb{.name = "export",
                       .summary = "verb.export.summary",
                       .example = "profiler export --trace t.pb --output t.json",
                       .declare = declare};

} // namespace prof
