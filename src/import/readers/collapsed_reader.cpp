// collapsed_reader.cpp: folded stacks, one a line, outermost first: "main;run;matmul 123".
#include "base/lang.hpp"
#include "import/json/event_args.hpp"
#include "import/reader.hpp"
#include "import/reader_words.hpp"
#include "import/stacks/text_lines.hpp"
#include "trace/conventions.hpp"

#include <charconv>
#include <fmt/format.h>
#include <limits>

namespace prof {
namespace {

constexpr std::size_t kMaxDepth = 4096; // frames of one stack; the ones beyond are left out

struct Folded {
  std::string_view stack;
  std::int64_t count = 0;
};

// False when the line is no stack with a count.
bool parse(std::string_view line, Folded& out) {
  line = stacks::trimmed(line);
  const std::size_t blank = line.rfind(' ');
  if (blank == std::string_view::npos || blank + 1 == line.size()) return false;
  const std::string_view digits = line.substr(blank + 1);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), out.count);
  out.stack = stacks::trimmed(line.substr(0, blank));
  return error == std::errc{} && end == digits.data() + digits.size() && out.count >= 0 && !out.stack.empty();
}

int sniff(std::string_view head, const std::filesystem::path& /*path*/, bool is_folder) {
  if (is_folder) return 0;
  if (head.find('\0') != std::string_view::npos) return 0;
  int good = 0, bad = 0;
  bool has_frames = false;
  for (std::size_t at = 0; at < head.size() && good + bad < 16;) {
    const std::size_t end = head.find('\n', at);
    // The last line may be cut off by the end of the head.
    if (end == std::string_view::npos && good + bad > 0) break;
    const std::string_view line = head.substr(at, end == std::string_view::npos ? end : end - at);
    Folded folded;
    const std::string_view content = stacks::trimmed(line);
    if (!content.empty() && content.front() != '#') {
      const bool is_good = parse(content, folded);
      ++(is_good ? good : bad);
      has_frames = has_frames || (is_good && folded.stack.find(';') != std::string_view::npos);
    }
    if (end == std::string_view::npos) break;
    at = end + 1;
  }
  return has_frames && bad * 2 <= good ? 60 : 0; // a few lines of chatter are common
}

class FoldedFile {
public:
  explicit FoldedFile(TraceSink& sink) : sink_(sink), texts_(sink) {
    const Id<Process> process = sink.process({.pid = 1, .name = sink.intern("stacks"), .cmdline = {}});
    thread_ = sink.thread({.process = process, .tid = 1, .name = sink.intern("stacks")});
  }

  void take(const Folded& folded) {
    frames_.clear();
    std::string_view rest = folded.stack;
    while (!rest.empty() && frames_.size() < kMaxDepth) {
      const std::size_t end = rest.find(';');
      frame(rest.substr(0, end));
      rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 1);
    }
    sink_.sample({.ts = {samples_++},
                  .thread = thread_,
                  .callstack = sink_.callstack({.frames = frames_}),
                  .event = texts_.intern("samples"),
                  .weight = folded.count});
  }
  [[nodiscard]] std::int64_t samples() const { return samples_; }

private:
  // "do_syscall_64_[k]": the scripts that fold stacks mark what is not native by a suffix.
  void frame(std::string_view name) {
    if (name.empty()) return;
    FrameKind kind = FrameKind::native;
    if (name.ends_with("_[k]") || name.ends_with("_[j]") || name.ends_with("_[i]")) {
      kind = name.ends_with("_[k]") ? FrameKind::kernel : name.ends_with("_[j]") ? FrameKind::jit : kind;
      name.remove_suffix(4);
    }
    frames_.push_back(
        sink_.frame({.function = texts_.intern(name), .mapping = {}, .source_file = {}, .kind = kind}));
  }

  TraceSink& sink_;
  json::TextCache texts_;
  Id<Thread> thread_{};
  std::vector<Id<Frame>> frames_;
  std::int64_t samples_ = 0;
};

Status read(const std::filesystem::path& path, TraceSink& sink) {
  PROF_TRY(stacks::TextLines lines, stacks::TextLines::open(path));
  FoldedFile file(sink);
  std::int64_t not_read = 0, first = 0;
  bool is_cut = false;
  for (;;) {
    PROF_TRY(const bool is_there, lines.next());
    if (!is_there) break;
    is_cut = lines.is_last_and_open(); // its count may have lost digits
    const std::string_view line = stacks::trimmed(lines.line());
    if (line.empty() || line.front() == '#') continue;
    if (Folded folded; parse(line, folded))
      file.take(folded);
    else if (not_read++ == 0)
      first = lines.number();
  }
  if (file.samples() == 0) return error_said(Errc::malformed, "error.no_stacks", {});
  say_note(sink, Severity::notice, "note.stacks.without_time", file.samples());
  say_note(sink, Severity::data_loss, "note.stacks.line_not_read", not_read, fmt::format("line {}", first));
  say_note(sink, Severity::notice, "note.stacks.cut", is_cut ? 1 : 0, fmt::format("line {}", lines.number()));
  sink.metadata("format", "collapsed stacks");
  say_available(sink, "collapsed", words::kSignalStacks, file.samples());
  return {};
}

} // namespace

extern const Reader collapsed_reader;
const Reader collapsed_reader{.name = "collapsed",
                              .description = "import.format.collapsed",
                              .sniff = sniff,
                              .read = read,
                              .facts = {.versions = "one form",
                                        .tested_on = "made from a real recording by a script of ours",
                                        .reads = "stacks with counts; `_[k]`, `_[j]`, `_[i]` marks",
                                        .leaves_out = "times (the form has none)"}};

} // namespace prof
