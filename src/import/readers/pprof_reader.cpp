// pprof_reader.cpp: profiles of github.com/google/pprof (Go, gperftools, jemalloc, py-spy and many more).
#include "base/lang.hpp"
#include "import/json/event_args.hpp"
#include "import/proto/top_fields.hpp"
#include "import/reader.hpp"
#include "import/reader_words.hpp"
#include "trace/conventions.hpp"
#include "tracefile/proto_message.hpp"

#include "base/file.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <protozero/exception.hpp>
#include <unordered_map>

namespace prof {
namespace {

using detail::Message;

constexpr std::int64_t kMaxFile = std::int64_t{2} << 30;
constexpr std::size_t kMaxDepth = 4096; // frames of one stack; the ones beyond are left out

// A ValueType is two small numbers; the first message of no other format that we know is.
bool is_value_type(std::string_view bytes) {
  try {
    int fields = 0;
    for (Message type(bytes); type.next(); ++fields) {
      const std::uint32_t tag = type.tag();
      if (tag == 0 || tag > 2 || fields > 2) return false;
      const std::uint64_t value = type.number();
      if (value == 0 || value > 100'000) return false; // indices of texts
    }
    return fields > 0;
  } catch (const protozero::exception&) {
    return false;
  }
}

int sniff(std::string_view head, const std::filesystem::path& /*path*/, bool is_folder) {
  if (is_folder || !head.starts_with('\x0a')) return 0;
  const std::string_view type = proto::clipped_field(head, 1);
  return type.size() <= 8 && is_value_type(type) && !proto::clipped_field(head, 2).empty() ? 96 : 0;
}

struct ValueType {
  std::uint64_t type = 0, unit = 0; // of the texts
};
struct Function {
  std::uint64_t name = 0, system_name = 0, file = 0;
};
struct Line {
  std::uint64_t function = 0;
  std::uint32_t line = 0;
};
struct Location {
  std::uint64_t mapping = 0, address = 0;
  std::vector<Line> lines; // innermost first
};
struct MappedFile {
  Mapping row;
  std::uint64_t path = 0, build_id = 0;
};

class Profile {
public:
  explicit Profile(TraceSink& sink) : sink_(sink), texts_(sink) {}
  Status read(std::string_view bytes);

private:
  void index(Message from);
  void location(Message from);
  void function(Message from);
  void mapping(Message from);
  void sample(Message from);
  void choose_values();
  Id<Thread> thread_of(const std::vector<std::string_view>& labels);
  const std::vector<Id<Frame>>& frames_of(std::uint64_t location); // innermost first
  [[nodiscard]] std::string_view text(std::uint64_t index) const {
    return index < strings_.size() ? strings_[index] : std::string_view{};
  }

  TraceSink& sink_;
  json::TextCache texts_;
  std::vector<ValueType> types_;
  std::vector<std::string_view> samples_, strings_;
  std::unordered_map<std::uint64_t, Location> locations_;
  std::unordered_map<std::uint64_t, Function> functions_;
  std::unordered_map<std::uint64_t, MappedFile> mappings_;
  std::unordered_map<std::uint64_t, std::vector<Id<Frame>>> frames_;
  std::map<std::string, Id<Thread>, std::less<>> threads_;
  std::vector<std::size_t> values_; // which of each sample's are shown
  std::int64_t start_ns_ = 0, written_ = 0, without_stack_ = 0;
};

void Profile::location(Message from) {
  std::uint64_t id = 0;
  Location out;
  while (from.next()) {
    switch (from.tag()) {
    case 1:
      id = from.number();
      break;
    case 2:
      out.mapping = from.number();
      break;
    case 3:
      out.address = from.number();
      break;
    case 4: {
      Line line;
      Message at = from.message();
      while (at.next()) {
        if (at.tag() == 1)
          line.function = at.number();
        else if (at.tag() == 2)
          line.line = at.number32();
        else
          at.skip();
      }
      out.lines.push_back(line);
      break;
    }
    default:
      from.skip();
    }
  }
  locations_[id] = std::move(out);
}

void Profile::function(Message from) {
  std::uint64_t id = 0;
  Function out;
  while (from.next()) {
    if (from.tag() == 1)
      id = from.number();
    else if (from.tag() == 2)
      out.name = from.number();
    else if (from.tag() == 3)
      out.system_name = from.number();
    else if (from.tag() == 4)
      out.file = from.number();
    else
      from.skip();
  }
  functions_[id] = out;
}

void Profile::mapping(Message from) {
  std::uint64_t id = 0;
  MappedFile out;
  while (from.next()) {
    switch (from.tag()) {
    case 1:
      id = from.number();
      break;
    case 2:
      out.row.start = from.number();
      break;
    case 3:
      out.row.end = from.number();
      break;
    case 4:
      out.row.file_offset = from.number();
      break;
    case 5:
      out.path = from.number();
      break;
    case 6:
      out.build_id = from.number();
      break;
    default:
      from.skip();
    }
  }
  mappings_[id] = out;
}

// Throws where the file is damaged; what came before is kept.
void Profile::index(Message from) {
  while (from.next()) {
    switch (from.tag()) {
    case 1: {
      ValueType type;
      Message at = from.message();
      while (at.next())
        (at.tag() == 1 ? type.type : type.unit) = at.number();
      types_.push_back(type);
      break;
    }
    case 2:
      samples_.push_back(from.bytes());
      break;
    case 3:
      mapping(from.message());
      break;
    case 4:
      location(from.message());
      break;
    case 5:
      function(from.message());
      break;
    case 6:
      strings_.push_back(from.bytes());
      break;
    case 9:
      start_ns_ = from.integer();
      break;
    default:
      from.skip();
    }
  }
}

// CPU time alone where it is there (its count says the same again), else each of the values.
void Profile::choose_values() {
  for (std::size_t i = 0; i < types_.size(); ++i)
    if (text(types_[i].type) == "cpu" && text(types_[i].unit) == "nanoseconds") {
      values_ = {i};
      return;
    }
  for (std::size_t i = 0; i < types_.size(); ++i)
    values_.push_back(i);
}

const std::vector<Id<Frame>>& Profile::frames_of(std::uint64_t id) {
  const auto [found, is_new] = frames_.try_emplace(id);
  const auto known = locations_.find(id);
  if (!is_new || known == locations_.end()) return found->second;
  const Location& at = known->second;
  Id<Mapping> mapping;
  std::string unknown = fmt::format("0x{:x}", at.address);
  if (const auto file = mappings_.find(at.mapping); file != mappings_.end()) {
    Mapping row = file->second.row;
    const std::string_view path = text(file->second.path);
    row.path = texts_.intern(path);
    row.build_id = texts_.intern(text(file->second.build_id));
    mapping = sink_.mapping(row);
    if (!path.empty())
      unknown = fmt::format("{}+0x{:x}", path.substr(path.rfind('/') + 1),
                            at.address - row.start + row.file_offset);
  }
  const auto add = [&](std::string_view name, std::string_view file, std::uint32_t line) {
    found->second.push_back(sink_.frame({.function = texts_.intern(name.empty() ? unknown : name),
                                         .mapping = mapping,
                                         .source_file = texts_.intern(file),
                                         .line = line}));
  };
  if (at.lines.empty()) add({}, {}, 0);
  for (const Line& line : at.lines) {
    const auto it = functions_.find(line.function);
    const Function function = it == functions_.end() ? Function{} : it->second;
    const std::string_view name = text(function.name);
    add(name.empty() ? text(function.system_name) : name, text(function.file), line.line);
  }
  return found->second;
}

// Labels that tools give samples: "thread" (a name), "thread_id", "tid".
Id<Thread> Profile::thread_of(const std::vector<std::string_view>& labels) {
  std::string name;
  std::int64_t tid = 0;
  for (const std::string_view label : labels) {
    std::string_view key, value;
    std::int64_t number = 0;
    Message from(label);
    while (from.next()) {
      if (from.tag() == 1)
        key = text(from.number());
      else if (from.tag() == 2)
        value = text(from.number());
      else if (from.tag() == 3)
        number = from.integer();
      else
        from.skip();
    }
    if (key == "thread" && !value.empty()) name = value;
    if ((key == "tid" || key == "thread_id") && number > 0) tid = number;
  }
  const auto [found, is_new] = threads_.try_emplace(fmt::format("{} {}", tid, name));
  if (is_new) {
    const Id<Process> process = sink_.process({.pid = 1, .name = sink_.intern("profile"), .cmdline = {}});
    constexpr std::int64_t kMadeUp = std::int64_t{1} << 40; // beyond any that the kernel gives out
    found->second = sink_.thread({.process = process,
                                  .tid = tid > 0 ? tid : kMadeUp + static_cast<std::int64_t>(threads_.size()),
                                  .name = sink_.intern(name)});
  }
  return found->second;
}

void Profile::sample(Message from) {
  std::vector<std::uint64_t> locations, values;
  std::vector<std::string_view> labels;
  while (from.next()) {
    if (from.tag() == 1)
      from.numbers(locations);
    else if (from.tag() == 2)
      from.numbers(values);
    else if (from.tag() == 3)
      labels.push_back(from.bytes());
    else
      from.skip();
  }
  std::vector<Id<Frame>> stack;
  for (const std::uint64_t location : locations) {
    if (stack.size() >= kMaxDepth) break;
    const auto& frames = frames_of(location);
    stack.insert(stack.end(), frames.begin(), frames.end());
  }
  std::ranges::reverse(stack);
  if (stack.empty()) ++without_stack_;
  const Id<Thread> thread = thread_of(labels);
  const Id<Callstack> callstack = stack.empty() ? Id<Callstack>{} : sink_.callstack({.frames = stack});
  for (const std::size_t i : values_) {
    const auto value = i < values.size() ? static_cast<std::int64_t>(values[i]) : 0;
    if (value == 0) continue;
    const std::string_view type = text(types_[i].type);
    sink_.sample({.ts = {written_},
                  .thread = thread,
                  .callstack = callstack,
                  .event = texts_.intern(type == "cpu" ? words::kEventCpu : type),
                  .weight = value});
  }
  ++written_;
}

Status Profile::read(std::string_view bytes) {
  std::int64_t damaged = 0;
  try {
    index(Message(bytes));
  } catch (const protozero::exception&) {
    ++damaged; // cut off, most likely
  }
  choose_values();
  for (const std::string_view each : samples_) {
    try {
      sample(Message(each));
    } catch (const protozero::exception&) {
      ++damaged;
    }
  }
  if (written_ == 0 || values_.empty()) return error_said(Errc::malformed, "error.no_samples", {});
  sink_.metadata("format", "pprof");
  if (start_ns_ > 0) sink_.metadata("start_realtime_ns", std::to_string(start_ns_));
  say_available(sink_, "pprof", words::kSignalStacks, written_);
  say_note(sink_, Severity::notice, "note.stacks.without_time", written_);
  say_note(sink_, Severity::data_loss, "note.proto.damaged", damaged);
  say_note(sink_, Severity::notice, "note.pprof.without_stack", without_stack_);
  return {};
}

Status read(const std::filesystem::path& path, TraceSink& sink) {
  PROF_TRY(const std::string bytes, read_file(path, kMaxFile));
  return Profile(sink).read(bytes);
}

} // namespace

extern const Reader pprof_reader;
const Reader pprof_reader{
    .name = "pprof",
    .description = "import.format.pprof",
    .sniff = sniff,
    .read = read,
    .facts = {
        .versions = "profile.proto",
        .tested_on = "hand-encoded profiles of CPU time and of heap. No file of a real tool",
        .reads =
            "samples with all values, or CPU time alone; inlined functions, mappings, threads from labels",
        .leaves_out = "other labels, comments, times of samples (the form has none)"}};

} // namespace prof
