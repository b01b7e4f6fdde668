// trace_event.cpp: simdjson's on-demand parser over one piece of the array at a time.
#include "import/json/trace_event.hpp"

#include "import/json/event_scanner.hpp"
#include "import/reader_words.hpp"

#include <array>
#include <cstring>
#include <deque>
#include <simdjson.h>

namespace prof::json {
namespace {

namespace ondemand = simdjson::ondemand;

constexpr std::size_t kPadding = simdjson::SIMDJSON_PADDING;
constexpr int kMaxJoin = 4; // pieces that are put together again when an event holds its own first key

// The key of a field as it stands in the text. Keys with escapes keep their backslashes: none of ours has
// any.
std::string_view key_of(ondemand::field& field) {
  const char* begin = field.key().raw();
  const char* end = begin;
  while (*end != '"')
    end += *end == '\\' ? 2 : 1;
  return {begin, static_cast<std::size_t>(end - begin)};
}

// A number or the inside of a string, as written.
std::string_view plain(std::string_view token) {
  while (!token.empty() &&
         (token.back() == ' ' || token.back() == '\n' || token.back() == '\r' || token.back() == '\t'))
    token.remove_suffix(1);
  if (token.size() >= 2 && token.front() == '"' && token.back() == '"')
    return token.substr(1, token.size() - 2);
  return token;
}

} // namespace

struct EventBatch::Impl {
  ondemand::parser parser;
  std::string text;                  // "[" + elements + "]" + padding
  std::size_t size = 0;              // of the elements
  std::deque<std::string> repaired;  // texts that views may point into
  std::deque<ondemand::parser> side; // parsers whose string buffers views may point into
  std::string compact;               // arena of json values; reserved up front, so it never moves
  std::vector<TraceEvent> events;
  std::vector<EventArg> args;
  EventLosses losses;

  void lose(std::int64_t offset) {
    if (losses.first_offset < 0) losses.first_offset = offset;
  }
  bool time(ondemand::value& value, std::int64_t& out) {
    if (ns_from_us(plain(value.raw_json_token()), out)) return true;
    ++losses.bad_times;
    return false;
  }
  std::string_view compacted(std::string_view raw);
  simdjson::error_code add_arg(ondemand::field& field);
  simdjson::error_code add_field(ondemand::field& field, TraceEvent& event);
  simdjson::error_code add_args(ondemand::value& value);
  simdjson::error_code add_event(ondemand::value& element);
  bool add_all(ondemand::parser& with, std::string_view padded);
  bool add_piece(std::string_view piece);
  void add_damaged(std::string_view all, std::int64_t offset, std::string_view key);
};

std::string_view EventBatch::Impl::compacted(std::string_view raw) {
  const std::size_t from = compact.size();
  bool in_string = false;
  for (std::size_t i = 0; i < raw.size(); ++i) {
    const char c = raw[i];
    if (!in_string && (c == ' ' || c == '\n' || c == '\r' || c == '\t')) continue;
    if (c == '"') in_string = !in_string;
    compact += c;
    if (in_string && c == '\\' && i + 1 < raw.size()) compact += raw[++i];
  }
  return std::string_view(compact).substr(from);
}

simdjson::error_code EventBatch::Impl::add_arg(ondemand::field& field) {
  EventArg& arg = args.emplace_back(); // in place: a copy of it shows in the profile
  arg.key = key_of(field);
  ondemand::value value = field.value();
  ondemand::json_type type{};
  if (const auto error = value.type().get(type)) return error;
  switch (type) {
  case ondemand::json_type::string: {
    arg.kind = ValueKind::text;
    if (const auto error = value.get_string().get(arg.text)) return error;
    break;
  }
  case ondemand::json_type::number: {
    const std::string_view token = plain(value.raw_json_token());
    if (token.find_first_of(".eE") == std::string_view::npos && !value.get_int64().get(arg.integer)) {
      arg.kind = ValueKind::integer;
    } else {
      if (const auto error = value.get_double().get(arg.real)) return error;
      arg.kind = ValueKind::real;
    }
    break;
  }
  case ondemand::json_type::boolean: {
    bool is_true = false;
    if (const auto error = value.get_bool().get(is_true)) return error;
    arg.kind = ValueKind::boolean;
    arg.integer = is_true ? 1 : 0;
    break;
  }
  case ondemand::json_type::null: {
    bool is_null = false;
    if (value.is_null().get(is_null) != simdjson::SUCCESS || !is_null) return simdjson::N_ATOM_ERROR;
    break;
  }
  default: {
    std::string_view raw;
    if (type == ondemand::json_type::array) {
      ondemand::array array;
      if (const auto error = value.get_array().get(array)) return error;
      if (const auto error = array.raw_json().get(raw)) return error;
    } else {
      ondemand::object object;
      if (const auto error = value.get_object().get(object)) return error;
      if (const auto error = object.raw_json().get(raw)) return error;
    }
    arg.kind = ValueKind::json;
    arg.text = compacted(raw);
  }
  }
  return simdjson::SUCCESS;
}

simdjson::error_code EventBatch::Impl::add_args(ondemand::value& value) {
  ondemand::object object;
  if (value.get_object().get(object) != simdjson::SUCCESS) return simdjson::SUCCESS; // "args": null
  for (auto result : object) {
    ondemand::field field;
    if (const auto error = std::move(result).get(field)) return error;
    if (const auto error = add_arg(field)) return error;
  }
  return simdjson::SUCCESS;
}

simdjson::error_code EventBatch::Impl::add_field(ondemand::field& field, TraceEvent& event) {
  const std::string_view key = key_of(field);
  ondemand::value value = field.value();
  const auto read_text = [&](std::string_view& out) {
    ondemand::json_type type{};
    if (value.type().get(type) == simdjson::SUCCESS && type == ondemand::json_type::string)
      return value.get_string().get(out);
    out = plain(value.raw_json_token());
    return simdjson::SUCCESS;
  };
  if (key == "name") return read_text(event.name);
  if (key == "cat") return read_text(event.category);
  if (key == "args") return add_args(value);
  if (key == "pid") return read_text(event.pid);
  if (key == "tid") return read_text(event.tid);
  if (key == "ts") {
    event.has_ts = time(value, event.ts);
  } else if (key == "dur") {
    event.has_dur = time(value, event.dur);
    event.dur = stated(event.dur).ns;
  } else if (key == "ph") {
    const std::string_view phase = plain(value.raw_json_token());
    event.phase = phase.empty() ? '\0' : phase.front();
  } else if (key == "id" || key == "id2") {
    std::string_view raw; // {"local": "0x1"} is one id as well
    ondemand::object parts;
    const bool is_object = value.get_object().get(parts) == simdjson::SUCCESS;
    event.id = is_object && parts.raw_json().get(raw) == simdjson::SUCCESS ? compacted(raw)
                                                                           : plain(value.raw_json_token());
  } else if (key == "bp") {
    event.binds_enclosing = plain(value.raw_json_token()) == "e";
  }
  return simdjson::SUCCESS;
}

simdjson::error_code EventBatch::Impl::add_event(ondemand::value& element) {
  ondemand::object object;
  if (const auto error = element.get_object().get(object)) return error;
  TraceEvent& event = events.emplace_back();
  event.args_begin = static_cast<std::uint32_t>(args.size());
  for (auto result : object) {
    ondemand::field field;
    if (const auto error = std::move(result).get(field)) return error;
    if (const auto error = add_field(field, event)) return error;
  }
  event.args_end = static_cast<std::uint32_t>(args.size());
  return simdjson::SUCCESS;
}

// All or nothing: on an error what came before it is taken back.
bool EventBatch::Impl::add_all(ondemand::parser& with, std::string_view padded) {
  const std::size_t events_before = events.size(), args_before = args.size(), arena_before = compact.size();
  const EventLosses losses_before = losses;
  const auto fail = [&] {
    events.resize(events_before);
    args.resize(args_before);
    compact.resize(arena_before);
    losses = losses_before;
    return false;
  };
  ondemand::document document;
  if (with.iterate(padded.data(), padded.size(), padded.size() + kPadding).get(document) != simdjson::SUCCESS)
    return fail();
  ondemand::array array;
  if (document.get_array().get(array) != simdjson::SUCCESS) return fail();
  for (auto result : array) {
    ondemand::value element;
    if (std::move(result).get(element) != simdjson::SUCCESS) return fail();
    if (add_event(element) != simdjson::SUCCESS) return fail();
  }
  // Past the last token there is no location: anything else after the array is an error.
  return document.current_location().error() == simdjson::OUT_OF_BOUNDS || fail();
}

bool EventBatch::Impl::add_piece(std::string_view piece) {
  std::string& copy = repaired.emplace_back();
  copy.reserve(piece.size() + 2 + kPadding);
  copy.append("[").append(piece).append("]");
  side.emplace_back();
  if (add_all(side.back(), copy)) return true;
  repaired.pop_back();
  side.pop_back();
  return false;
}

void EventBatch::Impl::add_damaged(std::string_view all, std::int64_t offset, std::string_view key) {
  std::vector<std::size_t> begins;
  for (std::size_t at = find_event(all, key, 0); at != std::string_view::npos;
       at = find_event(all, key, at + 1))
    begins.push_back(at);
  if (begins.empty() || skip_space(all, 0, true) < begins.front()) {
    ++losses.dropped;
    lose(offset);
  }
  begins.push_back(all.size());
  for (std::size_t i = 0; i + 1 < begins.size();) {
    int taken = 0;
    for (int join = 1; join <= kMaxJoin && i + static_cast<std::size_t>(join) < begins.size() && taken == 0;
         ++join) {
      std::string_view piece = all.substr(begins[i], begins[i + static_cast<std::size_t>(join)] - begins[i]);
      while (!piece.empty() && piece.back() != '}')
        piece.remove_suffix(1);
      if (piece.empty()) continue;
      if (add_piece(piece)) {
        taken = join;
      } else if (join == 1 && add_piece(repair(piece))) {
        taken = join;
        ++losses.repaired;
        lose(offset + static_cast<std::int64_t>(begins[i]));
      }
    }
    if (taken == 0) {
      ++losses.dropped;
      lose(offset + static_cast<std::int64_t>(begins[i]));
    }
    i += static_cast<std::size_t>(taken > 0 ? taken : 1);
  }
}

EventBatch::EventBatch() : impl_(std::make_unique<Impl>()) {}
EventBatch::~EventBatch() = default;

char* EventBatch::prepare(std::size_t size) {
  Impl& b = *impl_;
  b.size = size;
  // "[" and "]" stand around the elements.
  if (b.text.size() < size + 2 + kPadding) b.text.resize(size + 2 + kPadding);
  return b.text.data() + 1;
}

void EventBatch::parse(std::int64_t offset, std::string_view first_key, bool is_damaged) {
  Impl& b = *impl_;
  b.events.clear();
  b.args.clear();
  b.losses = {};
  b.compact.clear();
  b.compact.reserve(b.size + kPadding);
  b.side.clear();
  b.repaired.clear();
  b.text[0] = '[';
  b.text[b.size + 1] = ']';
  std::memset(b.text.data() + b.size + 2, 0, kPadding);
  if (!is_damaged && b.add_all(b.parser, std::string_view(b.text).substr(0, b.size + 2))) return;
  // Repairs may grow the text, and pieces are tried more than once: the arena must still not move.
  b.compact.reserve((b.size + kPadding) * 8);
  b.add_damaged(std::string_view(b.text).substr(1, b.size), offset, first_key);
}

const std::vector<TraceEvent>& EventBatch::events() const {
  return impl_->events;
}
const EventArg* EventBatch::args_begin(const TraceEvent& event) const {
  return impl_->args.data() + event.args_begin;
}
const EventArg* EventBatch::args_end(const TraceEvent& event) const {
  return impl_->args.data() + event.args_end;
}
const EventLosses& EventBatch::losses() const {
  return impl_->losses;
}

} // namespace prof::json
