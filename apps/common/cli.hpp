// cli.hpp: the frame that the three programs share: verbs, common flags, exit statuses, error lines.
#pragma once
#include "base/lang.hpp"
#include "base/nearest.hpp"
#include "base/result.hpp"
#include "base/safe_text.hpp"
#include "common/last_words.hpp"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace prof {

// The exit statuses of CLI.md.
enum class Exit : int {
  ok = 0,
  no = 1,
  usage = 2,
  input = 3,
  target = 4,
  permission = 5,
  partial = 6,
  interrupted = 130
};

// What a verb is given, and what it leaves for the journal.
struct Context {
  Lang lang = Lang::en;
  bool is_strict = false;
  bool is_journal_on = true;
  std::filesystem::path workspace = "."; // .profiler/ lives here
  std::string program;                   // "profiler"
  std::vector<std::string> command_line;
  std::vector<std::string> trailing; // what stood behind "--" of a verb that takes a command
  // Filled by the verb: what it read and wrote, and figures worth remembering (flat key -> JSON value text).
  std::vector<std::filesystem::path> inputs, outputs;
  std::map<std::string, std::string> facts;
  std::unique_ptr<StdOut> out = std::make_unique<StdOut>(); // print() is the way to it
};

struct Verb {
  std::string_view name;    // "trace", "case search" is the verb "case" with a positional
  std::string_view summary; // text id
  std::string_view example; // one runnable command, shown first by --help
  // Declares options (spelled with underscores) on `app` and returns what runs after a successful parse.
  // State lives in a shared_ptr that the returned function holds.
  std::function<Exit()> (*declare)(CLI::App& app, Context& context);
  bool takes_command = false; // what stands behind "--" is a command to run; else it is arguments like any
};

// Runs the verb named by argv[1]. Understands --help, --version, --lang, --strict, --workspace, --no_journal
// on every verb, takes '-' for '_' inside option names, and answers a wrong option with one line and the
// nearest right spelling (exit 2).
[[nodiscard]] int run_program(std::string_view program, std::span<const Verb* const> verbs, int argc,
                              char** argv);

// Formats to standard output, which is flushed after the verb: that it could not be written makes exit status
// 3, whatever the verb said.
template <class... Args>
void print(const Context& context, fmt::format_string<Args...> format, Args&&... args) {
  context.out->put(fmt::format(format, std::forward<Args>(args)...));
}
// Refuses an output that is one of the inputs, or of the files of an input folder, by whatever name.
// run_program does so for every option that names a file; this is for names that a verb makes up or finds.
// Error: bad_argument.
[[nodiscard]] Status check_not_input(const std::filesystem::path& output, std::string_view option,
                                     const std::filesystem::path& input, const Context& context);

// Prints "profiler: what: where" (escaped for a terminal) to standard error; returns the exit status of its
// code.
Exit fail(const Context& context, const Error& error);
// One line to standard error: notices, progress results.
void tell(const Context& context, std::string_view line);
// "a,b , c" -> {"a","b","c"}.
[[nodiscard]] std::vector<std::string> split_list(std::string_view list);
// "300s", "5m", "1.5h", "200ms", "2" (seconds) -> ns. Error: bad_argument says what is allowed.
[[nodiscard]] Result<std::int64_t> parse_duration(std::string_view text, Lang lang);

// A progress line on a terminal, nothing otherwise. Call as often as you like; it redraws at most 10 times a
// second.
class Progress {
public:
  Progress(const Context& context, std::string_view what);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  // done of total (total 0 = unknown), in `unit` ("s", "MB", "slices").
  void update(double done, double total, std::string_view unit);
  // A line of the caller's own, asked for at most once a second and cut to the terminal's width.
  void show(const std::function<std::string()>& line);

private:
  void draw(std::string_view line);
  std::string what_;
  std::int64_t started_ns_ = 0, drawn_ns_ = 0;
  bool is_terminal_ = false, is_drawn_ = false;
};

} // namespace prof
