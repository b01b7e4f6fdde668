// OTLP/JSON: one object, or JSON Lines as the collector's file exporter writes them. Ids are hex, 64-bit
// numbers decimal texts.
#include "import/json/event_scanner.hpp"
#include "import/json/text_window.hpp"
#include "import/otlp/spans.hpp"
#include "import/reader_words.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace prof::otlp {
namespace {

using nlohmann::json;

constexpr int kMaxDepth = 64; // of objects in objects; deeper ones are left out
constexpr std::size_t kMaxValue = std::size_t{1} << 30;

const json* member(const json& object, const char* key) {
  const auto found = object.find(key);
  return found == object.end() ? nullptr : &*found;
}
std::string text(const json& object, const char* key) {
  const json* value = member(object, key);
  return value != nullptr && value->is_string() ? value->get<std::string>() : std::string();
}
std::string hex(const json& object, const char* key) {
  std::string id = text(object, key);
  std::ranges::transform(id, id.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c | 0x20) : c; });
  return id.find_first_not_of('0') == std::string::npos ? std::string() : id; // all zero = absent
}
template <class Number>
Number number_of(const json* value) {
  if (value == nullptr) return 0;
  if (value->is_number_integer()) return value->get<Number>();
  Number number = 0;
  if (value->is_string()) {
    const auto& digits = value->get_ref<const std::string&>();
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error != std::errc{} || end != digits.data() + digits.size()) return 0;
  }
  return number;
}

json attributes_of(const json* list);

// {"intValue":"7"} -> 7
json plain(const json& any) {
  if (!any.is_object() || any.empty()) return nullptr;
  const std::string& kind = any.begin().key();
  const json& value = any.begin().value();
  if (kind == "intValue") return number_of<std::int64_t>(&value);
  if (kind == "kvlistValue") return attributes_of(value.is_object() ? member(value, "values") : nullptr);
  if (kind == "doubleValue" && value.is_number()) return value.get<double>();
  if (kind != "arrayValue") return value;
  json list = json::array();
  if (const json* values = value.is_object() ? member(value, "values") : nullptr;
      values != nullptr && values->is_array())
    for (const json& each : *values)
      list.push_back(plain(each));
  return list;
}

json attributes_of(const json* list) {
  json out = json::object();
  if (list == nullptr || !list->is_array()) return out;
  for (const json& pair : *list)
    if (const json* value = pair.is_object() ? member(pair, "value") : nullptr; value != nullptr)
      out[text(pair, "key")] = plain(*value);
  return out;
}

std::int64_t length(const json& object, const char* key) {
  const json* list = member(object, key);
  return list != nullptr && list->is_array() ? static_cast<std::int64_t>(list->size()) : 0;
}

// Takes spans out of the text as the parser comes by: a file of one huge object never stands in memory as a
// tree.
class Walk {
public:
  explicit Walk(Spans& spans) : spans_(spans) {}

  // `depth` = objects and arrays around what the event is about. Those in discarded ones are begun, and not
  // always ended, so the stack follows the depth.
  bool on(int depth, json::parse_event_t event, const json& parsed) {
    if (event == json::parse_event_t::value) return true;
    keys_.resize(static_cast<std::size_t>(depth));
    switch (event) {
    case json::parse_event_t::key:
      keys_.back() = parsed.get_ref<const std::string&>();
      break;
    case json::parse_event_t::object_start:
      if (is_member_of("resourceSpans")) spans_.begin_resource();
      keys_.emplace_back();
      break;
    case json::parse_event_t::array_start:
      keys_.push_back(keys_.empty() ? std::string() : keys_.back());
      break;
    case json::parse_event_t::object_end:
      return object(parsed);
    case json::parse_event_t::array_end:
    case json::parse_event_t::value:
      break;
    }
    return depth <= kMaxDepth;
  }

private:
  [[nodiscard]] bool is_member_of(std::string_view key) const {
    return !keys_.empty() && keys_.back() == key;
  }
  bool object(const json& parsed) {
    if (!parsed.is_object()) return true; // one that was too deep
    if (is_member_of("resource")) spans_.resource(attributes_of(member(parsed, "attributes")));
    if (!is_member_of("spans") && !is_member_of("instrumentationLibrarySpans")) return true;
    span(parsed);
    return false;
  }
  void span(const json& from) {
    Span span;
    span.trace_id = hex(from, "traceId");
    span.id = hex(from, "spanId");
    span.parent_id = hex(from, "parentSpanId");
    span.name = text(from, "name");
    span.start = number_of<std::uint64_t>(member(from, "startTimeUnixNano"));
    span.end = number_of<std::uint64_t>(member(from, "endTimeUnixNano"));
    span.kind = number_of<int>(member(from, "kind"));
    if (const json* status = member(from, "status"); status != nullptr && status->is_object()) {
      span.status = number_of<int>(member(*status, "code"));
      span.status_message = text(*status, "message");
    }
    span.attributes = attributes_of(member(from, "attributes"));
    spans_.add(span);
    spans_.count_not_read(length(from, "events") + length(from, "links"));
  }

  Spans& spans_;
  std::vector<std::string> keys_; // the last key of each open object, outermost first
};

} // namespace

Status read_json(const std::filesystem::path& path, Spans& spans, TraceSink& sink) {
  PROF_TRY(prof::json::TextWindow window, prof::json::TextWindow::open(path));
  std::int64_t broken = 0, first_broken = 0;
  bool is_cut = false;
  for (;;) {
    const std::size_t begin = prof::json::skip_space(window.text());
    std::size_t end = std::string_view::npos;
    if (begin < window.text().size()) end = prof::json::end_of_value(window.text(), begin);
    if (end == std::string_view::npos && !window.is_at_end() && window.text().size() < kMaxValue) {
      PROF_TRY([[maybe_unused]] const bool is_more, window.more());
      continue;
    }
    if (begin >= window.text().size()) break;
    if (end == begin) ++end; // a bracket or comma that belongs to nothing: damage of its own
    is_cut = end == std::string_view::npos;
    const std::string_view value = window.text().substr(begin, is_cut ? std::string_view::npos : end - begin);
    Walk walk(spans);
    const nlohmann::json rest = nlohmann::json::parse(
        value.begin(), value.end(),
        [&](int depth, nlohmann::json::parse_event_t event, nlohmann::json& parsed) {
          return walk.on(depth, event, parsed);
        },
        false);
    if (!is_cut && rest.is_discarded() && broken++ == 0)
      first_broken = window.offset() + static_cast<std::int64_t>(begin);
    if (is_cut) break;
    window.consume(end);
  }
  say_note(sink, Severity::data_loss, "note.otlp.broken", broken, fmt::format("offset {}", first_broken));
  say_note(sink, Severity::data_loss, "note.json.cut", is_cut ? 1 : 0,
           fmt::format("offset {}", window.offset() + static_cast<std::int64_t>(window.text().size())));
  return {};
}

} // namespace prof::otlp
