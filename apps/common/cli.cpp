#include "common/cli.hpp"

#include "base/clock.hpp"
#include "base/file.hpp"
#include "base/walk.hpp"
#include "common/flags.hpp"
#include "common/journal_hook.hpp"
#include "common/version.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <exception>
#include <fmt/format.h>
#include <functional>
#include <limits>
#include <new>
#include <sys/ioctl.h>
#include <unistd.h>

namespace prof {
namespace {

// '-' inside option names turned into '_', up to "--": what follows that is left as it is.
std::vector<std::string> normalise(int argc, char** argv) {
  std::vector<std::string> args(argv + 1, argv + argc);
  for (std::string& arg : args) {
    if (arg == "--") break;
    if (arg.size() <= 3 || !arg.starts_with("--")) continue;
    const auto end = std::min(arg.find('='), arg.size());
    std::replace(arg.begin() + 2, arg.begin() + static_cast<std::ptrdiff_t>(end), '-', '_');
  }
  return args;
}

// Options that every verb has may stand before it too: the verb, or --help, is moved to the front.
void move_verb_to_front(std::vector<std::string>& args) {
  std::size_t at = 0;
  while (at < args.size()) {
    const std::string& arg = args[at];
    const bool takes_next = arg == "--lang" || arg == "--workspace";
    const bool is_whole = arg == "--strict" || arg == "--no_journal" || arg.starts_with("--lang=") ||
                          arg.starts_with("--workspace=");
    if (!takes_next && !is_whole) break;
    at += takes_next ? 2 : 1;
  }
  if (at >= args.size()) return args.clear(); // no verb at all
  const auto verb = args.begin() + static_cast<std::ptrdiff_t>(at);
  std::rotate(args.begin(), verb, verb + 1);
}

// For a verb that runs a command: what stands behind "--", cut off `args`.
std::vector<std::string> cut_command(std::vector<std::string>& args) {
  const auto mark = std::ranges::find(args, "--");
  if (mark == args.end()) return {};
  std::vector<std::string> command(mark + 1, args.end());
  args.erase(mark, args.end());
  return command;
}

Lang lang_of(const std::vector<std::string>& args) {
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (args[i] == "--lang" && i + 1 < args.size()) return lang_from(args[i + 1]);
    if (args[i].starts_with("--lang=")) return lang_from(std::string_view(args[i]).substr(7));
  }
  for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"})
    if (const char* value = std::getenv(name); value != nullptr && *value != '\0') return lang_from(value);
  return Lang::en;
}

void print_overview(const Context& context, std::span<const Verb* const> verbs) {
  print(context, "{}\n\n", say(context.lang, "cli.usage", fmt::arg("program", context.program)));
  for (const Verb* verb : verbs)
    print(context, "  {:<18} {}\n", verb->name, text(context.lang, verb->summary));
  print(context, "\n{}\n", say(context.lang, "cli.more", fmt::arg("program", context.program)));
}

Exit usage_error(const Context& context, std::string_view what) {
  put_error(fmt::format("{}: {}\n", context.program, terminal_safe(what, false)));
  return Exit::usage;
}

void add_common_options(CLI::App& app, Context& context, std::string& lang) {
  app.add_option("--lang", lang, std::string(text(context.lang, "cli.opt.lang")))
      ->check(choice(context, {"en", "zh"}));
  app.add_flag("--strict", context.is_strict, std::string(text(context.lang, "cli.opt.strict")));
  app.add_option("--workspace", context.workspace, std::string(text(context.lang, "cli.opt.workspace")));
  app.add_flag("!--no_journal", context.is_journal_on, std::string(text(context.lang, "cli.opt.no_journal")));
  app.set_help_flag("-h,--help", std::string(text(context.lang, "cli.opt.help")));
  app.set_version_flag("--version", fmt::format("{} {}", context.program, kVersion),
                       std::string(text(context.lang, "cli.opt.version")));
}

// Whether a folder behind this option is a recording that is read; other folders are written into
// (--workspace, --library), or are no folder at all but a word that one happens to be called.
bool names_recordings(const CLI::Option& option, const Verb& verb) {
  static constexpr std::array<const char*, 6> kNames{"trace",    "before", "after",
                                                     "baseline", "target", "rules"};
  if (verb.takes_command) return false; // it records: its --target is a process
  return std::ranges::any_of(kNames, [&](const char* name) { return option.check_lname(name); });
}

// Values that no verb can mean: an empty file name, an output that would overwrite what is read.
Status check_values(const CLI::App& app, const Verb& verb, const Context& context) {
  std::vector<std::string> outputs;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& value : option->results()) {
      if (value.empty() && option->nonpositional())
        return Error{Errc::bad_argument,
                     say(context.lang, "cli.empty_value", fmt::arg("option", option->get_name())),
                     {}};
      if (option->check_lname("output")) outputs.push_back(value);
    }
  for (const CLI::Option* option : app.get_options()) {
    if (option->check_lname("output")) continue;
    for (const std::string& value : option->results()) {
      std::vector<std::string> paths = split_list(value); // a list of traces, or one name with a comma in it
      paths.push_back(value);
      std::error_code error;
      for (const std::string& path : paths) {
        if (std::filesystem::is_directory(path, error) && !names_recordings(*option, verb)) continue;
        for (const std::string& output : outputs)
          PROF_CHECK(check_not_input(output, option->get_name(), path, context));
      }
    }
  }
  return {};
}

// What was printed reaches its reader now or never.
int finish(const Context& context, Exit exit) {
  const Status written = context.out->flush();
  if (written) return static_cast<int>(exit);
  return static_cast<int>(fail(context, written.error()));
}

// The roof: whatever was thrown below ends here, in one line. Objects on the way have removed their files.
Exit run_caught(const std::function<Exit()>& run, const Verb& verb, const Context& context) {
  try {
    return run();
  } catch (const std::exception& error) {
    if (is_out_of_memory(error)) {
      tell_out_of_memory();
      return Exit::input;
    }
    return fail(context, {Errc::internal,
                          say(context.lang, "cli.unexpected", fmt::arg("verb", verb.name),
                              fmt::arg("what", error.what())),
                          {}});
  }
}

// CLI11 takes -1 and 2^64 for some other number of the type; a value that the type does not hold is refused.
template <class Int>
std::string check_whole(const std::string& value, Lang lang) {
  Int number = 0;
  const char* end = value.data() + value.size();
  const auto [last, ec] = std::from_chars(value.data(), end, number);
  if (ec == std::errc{} && last == end) return {};
  return say(lang, "cli.no_whole_number", fmt::arg("value", value),
             fmt::arg("least", std::numeric_limits<Int>::min()),
             fmt::arg("most", std::numeric_limits<Int>::max()));
}

void check_whole_numbers(CLI::App& app, Lang lang) {
  for (CLI::Option* option : app.get_options(nullptr)) {
    const std::string type = option->get_type_name();
    if (type.starts_with("UINT"))
      option->check([lang](const std::string& v) { return check_whole<std::uint64_t>(v, lang); });
    else if (type.starts_with("INT"))
      option->check([lang](const std::string& v) { return check_whole<std::int64_t>(v, lang); });
  }
}

// "--target=": CLI11 would take the next word for the value.
const std::string* option_without_value(const std::vector<std::string>& args) {
  for (const std::string& arg : args) {
    if (arg == "--") break;
    if (arg.starts_with("--") && arg.find('=') + 1 == arg.size()) return &arg;
  }
  return nullptr;
}

int run_verb(const Verb& verb, Context& context, std::vector<std::string> args) {
  CLI::App app(std::string(text(context.lang, verb.summary)), context.program + " " + std::string(verb.name));
  std::string lang;
  if (verb.takes_command) context.trailing = cut_command(args);
  translate_help(app, context);
  const auto run = verb.declare(app, context);
  add_common_options(app, context, lang);
  check_whole_numbers(app, context.lang);
  if (const std::string* option = option_without_value(args); option != nullptr)
    return static_cast<int>(
        usage_error(context, say(context.lang, "cli.empty_value",
                                 fmt::arg("option", option->substr(0, option->size() - 1)))));
  std::vector<std::string> reversed(args.rbegin(), args.rend());
  try {
    app.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    print(context, "{}\n  {}\n\n{}", text(context.lang, "cli.example"), verb.example, app.help());
    return finish(context, Exit::ok);
  } catch (const CLI::CallForVersion& version) {
    print(context, "{}\n", version.what());
    return finish(context, Exit::ok);
  } catch (const CLI::ParseError& error) {
    return static_cast<int>(usage_error(context, explain_parse_error(context, app, error, args)));
  }
  if (const Status fit = check_values(app, verb, context); !fit)
    return static_cast<int>(fail(context, fit.error()));
  const int exit = finish(context, run_caught(run, verb, context));
  run_caught([&] { return record_in_journal(context, exit), Exit::ok; }, verb, context);
  return exit;
}

} // namespace

int run_program(std::string_view program, std::span<const Verb* const> verbs, int argc, char** argv) {
  open_standard_descriptors();
  Context context;
  context.program = program;
  context.command_line.assign(argv, argv + argc);
  std::vector<std::string> args = normalise(argc, argv);
  context.lang = lang_of(args);
  move_verb_to_front(args);
  install_last_words(program, args.empty() ? program : args[0], context.lang);
  if (args.empty() || args[0] == "--help" || args[0] == "-h" || args[0] == "help") {
    print_overview(context, verbs);
    return finish(context, args.empty() ? Exit::usage : Exit::ok);
  }
  if (args[0] == "--version") {
    print(context, "{} {}\n", program, kVersion);
    return finish(context, Exit::ok);
  }
  std::vector<std::string> names;
  for (const Verb* verb : verbs) {
    names.emplace_back(verb->name);
    if (verb->name == args[0]) return run_verb(*verb, context, {args.begin() + 1, args.end()});
  }
  const std::string near = nearest(args[0], names);
  const std::string_view id = near.empty() ? "cli.unknown_verb" : "cli.unknown_verb_near";
  return static_cast<int>(usage_error(context, say(context.lang, id, fmt::arg("verb", args[0]),
                                                   fmt::arg("near", near), fmt::arg("program", program))));
}

Exit fail(const Context& context, const Error& error) {
  std::string line = context.program + ": ";
  if (!error.where.empty()) line += error.where + ": ";
  line += said_in(error, context.lang);
  if (!error.what.empty()) put_error(terminal_safe(line, false) + "\n");
  switch (error.code) {
  case Errc::bad_argument:
    return Exit::usage;
  case Errc::permission:
    return Exit::permission;
  case Errc::not_found:
    return Exit::target;
  case Errc::interrupted:
    return Exit::interrupted;
  case Errc::io:
  case Errc::malformed:
  case Errc::unsupported:
  case Errc::missing:
  case Errc::budget:
  case Errc::internal:
    return Exit::input;
  }
  return Exit::input;
}

Status check_not_input(const std::filesystem::path& output, std::string_view option,
                       const std::filesystem::path& input, const Context& context) {
  const bool is_same = is_same_file(output, input);
  if (!is_same && !is_of_folder(output, input)) return {};
  return Error{Errc::bad_argument,
               say(context.lang, is_same ? "cli.output_is_input" : "cli.output_in_input",
                   fmt::arg("path", output.string()), fmt::arg("option", option),
                   fmt::arg("input", input.string())),
               {}};
}

void tell(const Context&, std::string_view line) {
  put_error(terminal_safe(line) + "\n");
}

std::vector<std::string> split_list(std::string_view list) {
  std::vector<std::string> items;
  while (!list.empty()) {
    const auto comma = std::min(list.find(','), list.size());
    std::string_view item = list.substr(0, comma);
    while (!item.empty() && item.front() == ' ')
      item.remove_prefix(1);
    while (!item.empty() && item.back() == ' ')
      item.remove_suffix(1);
    if (!item.empty()) items.emplace_back(item);
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return items;
}

Result<std::int64_t> parse_duration(std::string_view text, Lang lang) {
  double value = 0;
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  static constexpr std::pair<std::string_view, double> kUnits[] = {
      {"", 1e9}, {"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"ns", 1}, {"m", 6e10}, {"min", 6e10}, {"h", 3.6e12}};
  for (const auto& [name, scale] : kUnits)
    if (ec == std::errc{} && unit == name && value >= 0 && value * scale < 9e18)
      return static_cast<std::int64_t>(value * scale);
  return Error{Errc::bad_argument, say(lang, "cli.bad_duration", fmt::arg("text", text)), {}};
}

Progress::Progress(const Context&, std::string_view what)
    : what_(one_line(what, 60)), started_ns_(clock_ns(CLOCK_MONOTONIC)),
      is_terminal_(isatty(STDERR_FILENO) != 0) {}

Progress::~Progress() {
  if (is_drawn_) draw("");
}

void Progress::draw(std::string_view line) {
  put_error(fmt::format("\r\033[K{}", line));
}

void Progress::show(const std::function<std::string()>& line) {
  const std::int64_t now = clock_ns(CLOCK_MONOTONIC);
  if (!is_terminal_ || now - drawn_ns_ < 1'000'000'000) return;
  drawn_ns_ = now;
  is_drawn_ = true;
  winsize size{};
  const bool is_known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 8;
  draw(one_line(line(), is_known ? size.ws_col - 1U : 79U));
}

void Progress::update(double done, double total, std::string_view unit) {
  const std::int64_t now = clock_ns(CLOCK_MONOTONIC);
  if (!is_terminal_ || now - drawn_ns_ < 100'000'000) return;
  drawn_ns_ = now;
  is_drawn_ = true;
  const double seconds = static_cast<double>(now - started_ns_) / 1e9;
  const double rate = seconds > 0 ? done / seconds : 0;
  if (total <= 0) {
    draw(fmt::format("{}  {:.1f} {}  {:.1f} {}/s", what_, done, unit, rate, unit));
    return;
  }
  const double share = std::clamp(done / total, 0.0, 1.0);
  const auto filled = static_cast<std::size_t>(share * 30);
  const double left = rate > 0 ? (total - done) / rate : 0;
  draw(fmt::format("{} [{}{}] {:.0f} %  {:.1f} {}/s  {:.0f} s left", what_, std::string(filled, '='),
                   std::string(30 - filled, ' '), share * 100, rate, unit, std::max(0.0, left)));
}

} // namespace prof
