#include "common/load_trace.hpp"
#include "common/output.hpp"
#include "profiler/verbs.hpp"
#include "report/table_view.hpp"
#include "store/sql.hpp"
#include "store/sql_docs.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <fmt/format.h>
#include <memory>
#include <poll.h>
#include <unistd.h>
#include <utility>

namespace prof {
namespace {

constexpr std::array<std::string_view, 4> kKinds{"text", "csv", "json", "md"};
struct Options {
  std::string trace, sql;
  OutputFlags output;
  std::int64_t max_rows = 1'000'000;
  bool is_reference = false;
};

Exit answer(const Options& options, Context& context, Sql& sql, std::string_view statement,
            TableFormat format) {
  const auto result = sql.query(statement, options.max_rows);
  if (!result) return fail(context, result.error());
  const Exit exit = deliver_report(context, options.output.path, render_table(*result, format));
  if (exit == Exit::ok && result->is_cut)
    tell(context, say(context.lang, "query.cut", fmt::arg("n", result->rows.size())));
  return exit;
}

Exit dot_command(const std::string& line, const Context& context) {
  if (line == ".tables") {
    for (const std::string& name : sql_table_names())
      print(context, "{}\n", name);
  } else if (line == ".schema") {
    for (const std::string& name : sql_table_names())
      print(context, "{}", sql_schema_of(name));
  } else if (line.starts_with(".schema ")) {
    const std::string name = line.substr(8), schema = sql_schema_of(name);
    if (schema.empty()) {
      tell(context, say(context.lang, "query.no_table", fmt::arg("name", name)));
      return Exit::usage;
    }
    print(context, "{}", schema);
  } else {
    tell(context, say(context.lang, "query.unknown_command"));
    return Exit::usage;
  }
  return Exit::ok;
}

volatile std::sig_atomic_t g_cancels = 0;
void on_cancel(int) {
  g_cancels = g_cancels + 1;
}

// Lines of standard input. Read here and not by readline, whose licence would bind the whole program; the
// terminal's own line editing (erase, kill, history by the shell's wrapper rlwrap) works.
class Lines {
public:
  explicit Lines(const Context& context) : context_(context) {}
  enum class Got : std::uint8_t { line, cancelled, end };
  // Prompts on a terminal. Ctrl-C while a line is typed gives `cancelled`; while a statement runs it ends the
  // program as anywhere else.
  Got next(std::string& line, std::string_view prompt) {
    // Whoever sends a statement waits for its answer. An error stays with the writer until the end.
    if (isatty(STDIN_FILENO) == 0) {
      static_cast<void>(context_.out->flush());
      return take(line, nullptr);
    }
    struct sigaction cancel{}, before{};
    cancel.sa_handler = on_cancel;
    // Held back except while waiting for input: a Ctrl-C between the prompt and the wait would be seen by
    // nobody.
    sigset_t held{}, open{};
    sigemptyset(&held);
    sigaddset(&held, SIGINT);
    ::pthread_sigmask(SIG_BLOCK, &held, &open);
    ::sigaction(SIGINT, &cancel, &before);
    print(context_, "{}", prompt);
    static_cast<void>(context_.out->flush()); // an error stays with it until the end
    const Got got = take(line, &open);
    ::sigaction(SIGINT, &before, nullptr);
    ::pthread_sigmask(SIG_SETMASK, &open, nullptr);
    return got;
  }

private:
  // `open`: the signals that may come in while waiting; nullptr on no terminal.
  Got take(std::string& line, const sigset_t* open) {
    for (;;) {
      if (const auto end = buffer_.find('\n'); end != std::string::npos) {
        line = buffer_.substr(0, end);
        buffer_.erase(0, end + 1);
        return Got::line;
      }
      const auto cancels = g_cancels;
      pollfd input{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
      if (open != nullptr && ::ppoll(&input, 1, nullptr, open) < 0 && errno == EINTR) {
        if (g_cancels == cancels) continue;
        buffer_.clear();
        return Got::cancelled;
      }
      std::array<char, 4096> chunk{};
      const ssize_t got = ::read(STDIN_FILENO, chunk.data(), chunk.size());
      if (got > 0) {
        buffer_.append(chunk.data(), static_cast<std::size_t>(got));
        continue;
      }
      if (got < 0 && errno == EINTR) continue;
      line = std::exchange(buffer_, {}); // a last line without its end
      return line.empty() ? Got::end : Got::line;
    }
  }
  const Context& context_;
  std::string buffer_;
};

// Statements from standard input until its end; an error does not end the session, but from a pipe the first
// one is the status.
Exit interactive(const Options& options, Context& context, Sql& sql, TableFormat format) {
  const bool is_terminal = isatty(STDIN_FILENO) != 0;
  if (is_terminal)
    print(context, "{}\n", say(context.lang, "query.hello", fmt::arg("n", sql_table_names().size())));
  std::string statement, line;
  Exit worst = Exit::ok;
  bool is_empty = true;
  const auto keep = [&](Exit exit) { worst = worst == Exit::ok ? exit : worst; };
  for (Lines lines(context);;) {
    const Lines::Got got = lines.next(line, statement.empty() ? "sql> " : "...> ");
    if (got == Lines::Got::end) break;
    if (got == Lines::Got::cancelled) {
      statement.clear();
      print(context, "\n");
      continue;
    }
    is_empty = is_empty && line.find_first_not_of(" \t\r") == std::string::npos;
    if (statement.empty() && (line == ".quit" || line == ".exit")) return is_terminal ? Exit::ok : worst;
    if (statement.empty() && line.starts_with('.')) {
      keep(dot_command(line, context));
      continue;
    }
    statement += line + "\n";
    const auto end = statement.find_last_not_of(" \t\r\n");
    if (end == std::string::npos) statement.clear();
    if (end == std::string::npos || statement[end] != ';') continue;
    keep(answer(options, context, sql, statement, format));
    statement.clear();
  }
  if (!statement.empty()) keep(answer(options, context, sql, statement, format));
  if (is_terminal) print(context, "\n");
  if (is_terminal) return Exit::ok;
  return is_empty ? fail(context, {Errc::bad_argument, say(context.lang, "query.no_statement"), {}}) : worst;
}

Exit run(const Options& options, Context& context) {
  if (options.is_reference) {
    print(context, "{}", sql_reference_markdown());
    return Exit::ok;
  }
  const auto kind = output_kind(context, options.output, kKinds);
  if (!kind) return fail(context, kind.error());
  const auto format = table_format(*kind);
  if (!format) return fail(context, format.error());
  if (options.trace.empty()) return fail(context, {Errc::bad_argument, say(context.lang, "need.trace"), {}});
  if (options.max_rows < 1)
    return fail(context, {Errc::bad_argument, say(context.lang, "query.max_rows"), {}});
  const auto store = load_trace(options.trace);
  if (!store) return fail(context, store.error());
  context.inputs.emplace_back(options.trace);
  auto sql = Sql::open(*store);
  if (!sql) return fail(context, sql.error());
  const Exit whole = tell_losses(context, options.trace, *store);
  const Exit exit = options.sql.empty() ? interactive(options, context, *sql, *format)
                                        : answer(options, context, *sql, options.sql, *format);
  return exit == Exit::ok ? whole : exit;
}

std::function<Exit()> declare(CLI::App& app, Context& context) {
  auto options = std::make_shared<Options>();
  app.add_option("sql", options->sql, say(context.lang, "query.opt.sql"));
  app.add_option("--trace", options->trace, say(context.lang, "opt.trace"));
  add_output_options(app, context, options->output, kKinds);
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
