#include "base/file.hpp"
#include "common/load_trace.hpp"
#include "profiler/verbs.hpp"
#include "report/table_view.hpp"
#include "store/sql.hpp"
#include "store/sql_docs.hpp"

#include <fmt/format.h>
#include <iostream>
#include <memory>
#include <unistd.h>

namespace prof {
namespace {

struct Options {
  std::string trace, sql, format = "text", output = "-";
  std::int64_t max_rows = 1'000'000;
  bool is_reference = false;
};

Exit answer(const Options& options, Context& context, Sql& sql, std::string_view statement,
            TableFormat format) {
  const auto result = sql.query(statement, options.max_rows);
  if (!result) return fail(context, result.error());
  if (const Status written = write_file(options.output, render_table(*result, format)); !written)
    return fail(context, written.error());
  if (result->is_cut) tell(context, say(context.lang, "query.cut", fmt::arg("n", result->rows.size())));
  return Exit::ok;
}

void dot_command(const std::string& line, const Context& context) {
  if (line == ".tables") {
    for (const std::string& name : sql_table_names())
      fmt::print("{}\n", name);
  } else if (line == ".schema") {
    for (const std::string& name : sql_table_names())
      fmt::print("{}", sql_schema_of(name));
  } else if (line.starts_with(".schema ")) {
    const std::string name = line.substr(8), schema = sql_schema_of(name);
    if (schema.empty())
      tell(context, say(context.lang, "query.no_table", fmt::arg("name", name)));
    else
      fmt::print("{}", schema);
  } else {
    tell(context, say(context.lang, "query.unknown_command"));
  }
}

// Statements from standard input until its end; an error does not end the session. Lines come through plain
// getline: the GNU readline library's licence would bind the whole program.
Exit interactive(const Options& options, Context& context, Sql& sql, TableFormat format) {
  const bool is_terminal = isatty(STDIN_FILENO) != 0;
  if (is_terminal)
    fmt::print("{}\n", say(context.lang, "query.hello", fmt::arg("n", sql_table_names().size())));
  std::string statement;
  Exit last = Exit::ok;
  const auto prompt = [&] {
    if (is_terminal) fmt::print("{}", statement.empty() ? "sql> " : "...> ");
    std::fflush(stdout);
  };
  prompt();
  for (std::string line; std::getline(std::cin, line); prompt()) {
    if (statement.empty() && (line == ".quit" || line == ".exit")) return Exit::ok;
    if (statement.empty() && line.starts_with('.')) {
      dot_command(line, context);
      continue;
    }
    statement += line + "\n";
    const auto end = statement.find_last_not_of(" \t\r\n");
    if (end == std::string::npos) statement.clear();
    if (end == std::string::npos || statement[end] != ';') continue;
    last = answer(options, context, sql, statement, format);
    statement.clear();
  }
  if (!statement.empty()) last = answer(options, context, sql, statement, format);
  return is_terminal ? Exit::ok : last;
}

Exit run(const Options& options, Context& context) {
  if (options.is_reference) {
    fmt::print("{}", sql_reference_markdown());
    return Exit::ok;
  }
  const auto format = table_format(options.format);
  if (!format) return fail(context, format.error());
  if (options.trace.empty()) return fail(context, {Errc::bad_argument, say(context.lang, "need.trace"), {}});
  if (options.max_rows < 1) return fail(context, {Errc::bad_argument, "--max_rows starts at 1", {}});
  const auto store = load_trace(options.trace);
  if (!store) return fail(context, store.error());
  auto sql = Sql::open(*store);
  if (!sql) return fail(context, sql.error());
  if (options.sql.empty()) return interactive(options, context, *sql, *format);
  return answer(options, context, *sql, options.sql, *format);
}

std::function<Exit()> declare(CLI::App& app, Context& context) {
  auto options = std::make_shared<Options>();
  app.add_option("sql", options->sql, say(context.lang, "query.opt.sql"));
  app.add_option("--trace", options->trace, say(context.lang, "opt.trace"));
  app.add_option("--format", options->format,
                 say(context.lang, "opt.format", fmt::arg("known", "text, csv, json, markdown")));
  app.add_option("--output", options->output, say(context.lang, "opt.output"));
  app.add_option("--max_rows", options->max_rows, say(context.lang, "query.opt.max_rows"));
  app.add_flag("--reference", options->is_reference, say(context.lang, "query.opt.reference"));
  return [options, &context] { return run(*options, context); };
}

} // namespace

extern const Verb query_verb;
const Verb query_verb{
    .name = "query",
    .summary = "verb.query.summary",
    .example =
        "profiler query --trace t.pb \"select name, sum(dur) from span group by 1 order by 2 desc limit 10\"",
    .declare = declare};

} // namespace prof
