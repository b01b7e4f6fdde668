// perf_script_reader.cpp: the text of `perf script`:
//   python3  1234/1240  [003]  81.123456:     250000 cpu-clock:
//           ffffffff8 do_syscall_64+0x5c ([kernel.kallsyms])
//           7f12      PyEval_EvalFrame+0x1f (/usr/lib/libpython3.so)
// and a blank line. Frames come leaf first.
#include "base/lang.hpp"
#include "import/json/event_args.hpp"
#include "import/reader.hpp"
#include "import/reader_words.hpp"
#include "import/stacks/perf_events.hpp"
#include "import/stacks/text_lines.hpp"
#include "trace/conventions.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <map>
#include <optional>

namespace prof {
namespace {

using stacks::trimmed;

constexpr std::size_t kMaxDepth = 4096; // frames of one stack; the ones beyond are left out
constexpr std::int64_t kMaxSeconds = 4'000'000'000;

struct Header {
  std::string_view comm, event;
  std::int64_t pid = -1, tid = 0; // pid -1 = not said: perf prints the thread's id alone
  std::int64_t ts = 0, period = 1;
  std::int32_t cpu = -1;
};

template <class Number>
bool number(std::string_view text, Number& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc{} && end == text.data() + text.size() && !text.empty();
}

// "81.123456:" -> 81123456000
std::optional<std::int64_t> time_in(std::string_view word) {
  const std::size_t dot = word.find('.');
  if (dot == std::string_view::npos || !word.ends_with(':')) return std::nullopt;
  const std::string_view decimals = word.substr(dot + 1, word.size() - dot - 2);
  std::int64_t seconds = 0, fraction = 0;
  if (decimals.size() > 9 || !number(word.substr(0, dot), seconds) || !number(decimals, fraction) ||
      seconds < 0 || seconds > kMaxSeconds || fraction < 0)
    return std::nullopt;
  for (std::size_t digits = decimals.size(); digits < 9; ++digits)
    fraction *= 10;
  return seconds * 1'000'000'000 + fraction;
}

// The last word of `text`, which loses it.
std::string_view last_word(std::string_view& text) {
  text = trimmed(text);
  const std::size_t at = text.find_last_of(" \t");
  const std::string_view word = text.substr(at == std::string_view::npos ? 0 : at + 1);
  text.remove_suffix(word.size());
  return word;
}

bool ids_into(std::string_view before, Header& out) {
  std::string_view word = last_word(before);
  if (word.starts_with('[') && word.ends_with(']')) {
    if (!number(word.substr(1, word.size() - 2), out.cpu)) return false;
    word = last_word(before);
  }
  const std::size_t slash = word.find('/');
  if (slash != std::string_view::npos && !number(word.substr(0, slash), out.pid)) return false;
  out.comm = trimmed(before);
  return number(slash == std::string_view::npos ? word : word.substr(slash + 1), out.tid) && out.tid >= 0 &&
         !out.comm.empty();
}

// A command's name may hold blanks, so the line is read around its time.
std::optional<Header> header_in(std::string_view line, std::string_view* rest = nullptr) {
  Header out;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t begin = line.find_first_not_of(" \t", at);
    if (begin == std::string_view::npos) break;
    const std::size_t end = std::min(line.find_first_of(" \t", begin), line.size());
    at = end;
    const auto ts = time_in(line.substr(begin, end - begin));
    if (!ts || !ids_into(line.substr(0, begin), out)) continue;
    out.ts = *ts;
    std::string_view after = trimmed(line.substr(end));
    std::string_view word = after.substr(0, after.find_first_of(" \t"));
    if (number(word, out.period)) {
      after = trimmed(after.substr(word.size()));
      word = after.substr(0, after.find_first_of(" \t"));
    }
    if (!word.ends_with(':')) return std::nullopt;
    out.event = word.substr(0, word.size() - 1);
    if (rest != nullptr) *rest = trimmed(after.substr(word.size()));
    return out;
  }
  return std::nullopt;
}

int sniff(std::string_view head, const std::filesystem::path& /*path*/, bool is_folder) {
  return !is_folder && header_in(stacks::first_line(head)) ? 85 : 0;
}

class PerfText {
public:
  explicit PerfText(TraceSink& sink) : sink_(sink), texts_(sink) {}

  void line(std::string_view text, std::int64_t line_number) {
    if (text.empty()) return flush();
    if (text.front() == '#' || trimmed(text).empty()) return; // blanks alone: a frame that is cut off
    std::string_view rest;
    if (const auto header = header_in(text, &rest)) {
      flush();
      begin(*header);
      if (!rest.empty()) (void)frame(rest); // a sample without a stack has its place on the same line
    } else if (!is_open_ || !frame(trimmed(text))) {
      if (not_read_++ == 0) first_not_read_ = line_number;
    }
  }
  Status finish(std::int64_t lines);

private:
  void begin(const Header& header);
  bool frame(std::string_view text);
  void flush();

  TraceSink& sink_;
  json::TextCache texts_;
  std::map<std::int64_t, Id<Process>> processes_;
  Sample sample_;
  std::vector<Id<Frame>> frames_; // leaf first
  bool is_open_ = false;
  std::int64_t samples_ = 0, not_read_ = 0, first_not_read_ = 0;
};

void PerfText::begin(const Header& header) {
  const std::string_view event = stacks::plain_event(header.event);
  const std::int64_t pid = header.pid < 0 ? header.tid : header.pid;
  const auto [process, is_new] = processes_.try_emplace(pid);
  const StrId comm = texts_.intern(header.comm);
  if (is_new)
    process->second = sink_.process({.pid = pid, .name = header.tid == pid ? comm : StrId{}, .cmdline = {}});
  sample_ = {.ts = {header.ts},
             .thread = sink_.thread({.process = process->second, .tid = header.tid, .name = comm}),
             .cpu = header.cpu,
             .callstack = {},
             .event = texts_.intern(event),
             .weight = header.period};
  frames_.clear();
  is_open_ = true;
}

// "7f12 PyEval_EvalFrame+0x1f (/usr/lib/libpython3.so)". False when it is none: source lines, arguments.
bool PerfText::frame(std::string_view text) {
  const std::string_view address = text.substr(0, text.find(' '));
  std::uint64_t pc = 0;
  const auto [end, error] = std::from_chars(address.data(), address.data() + address.size(), pc, 16);
  if (error != std::errc{} || end != address.data() + address.size()) return false;
  if (frames_.size() >= kMaxDepth) return true;
  std::string_view symbol = trimmed(text.substr(address.size())), file;
  constexpr std::string_view kDeleted = " (deleted))";
  const std::size_t last = symbol.ends_with(kDeleted) ? symbol.size() - kDeleted.size() : symbol.size();
  std::size_t open = symbol.substr(0, last).rfind(" (");
  if (symbol.starts_with('(') && open == std::string_view::npos) open = 0;
  if (open != std::string_view::npos && symbol.ends_with(')')) {
    const std::size_t begin = symbol.find('(', open) + 1;
    file = symbol.substr(begin, symbol.size() - begin - 1);
    symbol = trimmed(symbol.substr(0, open));
  }
  if (const std::size_t plus = symbol.rfind("+0x"); plus != std::string_view::npos)
    symbol = symbol.substr(0, plus);
  const bool is_kernel = file.starts_with("[kernel") || file.starts_with("[guest.kernel") ||
                         file.ends_with(".ko") || (file.starts_with('[') && pc >> 63U != 0);
  const bool is_jit = file.ends_with(".map");
  std::string unknown;
  if (symbol.empty() || symbol == "[unknown]") {
    // The text has no address within the file, so all of a file's unknown places are one.
    const bool has_file = !file.empty() && file != "[unknown]";
    unknown = has_file ? fmt::format("[{}]", file.substr(file.rfind('/') + 1)) : "[unknown]";
    symbol = unknown;
  }
  Id<Mapping> mapping;
  if (file.starts_with('/')) mapping = sink_.mapping({.path = texts_.intern(file), .build_id = {}});
  frames_.push_back(sink_.frame({.function = texts_.intern(symbol),
                                 .mapping = mapping,
                                 .source_file = {},
                                 .kind = is_kernel ? FrameKind::kernel
                                         : is_jit  ? FrameKind::jit
                                                   : FrameKind::native}));
  return true;
}

void PerfText::flush() {
  if (!is_open_) return;
  is_open_ = false;
  std::ranges::reverse(frames_);
  if (!frames_.empty()) sample_.callstack = sink_.callstack({.frames = frames_});
  sink_.sample(sample_);
  ++samples_;
}

Status PerfText::finish(std::int64_t lines) {
  // perf ends each sample with a blank line; without it the stack may go on.
  const bool is_cut = is_open_;
  flush();
  if (samples_ == 0) return error_said(Errc::malformed, "error.no_samples", {});
  sink_.metadata("format", "perf script");
  say_available(sink_, "perf_script", words::kSignalStacks, samples_);
  say_note(sink_, Severity::notice, "note.stacks.line_not_read", not_read_,
           fmt::format("line {}", first_not_read_));
  say_note(sink_, Severity::notice, "note.stacks.cut", is_cut ? 1 : 0, fmt::format("line {}", lines));
  return {};
}

Status read(const std::filesystem::path& path, TraceSink& sink) {
  PROF_TRY(stacks::TextLines lines, stacks::TextLines::open(path));
  PerfText text(sink);
  for (;;) {
    PROF_TRY(const bool is_there, lines.next());
    if (!is_there) break;
    text.line(lines.line(), lines.number());
  }
  return text.finish(lines.number());
}

} // namespace

extern const Reader perf_script_reader;
const Reader perf_script_reader{
    .name = "perf_script",
    .description = "import.format.perf_script",
    .sniff = sniff,
    .read = read,
    .facts = {
        .versions = "Linux 6.1; threads as `tid` or `pid/tid`, with and without CPU and period",
        .tested_on = "real: 328 samples of two events in four programs, recorded with perf 6.1",
        .reads = "samples with thread, CPU, time, period and stack; software events without their modifiers",
        .leaves_out =
            "tracepoint arguments, source lines, branch stacks; addresses within files (the text has none)"}};

} // namespace prof
