// trace_event.hpp: the events of a Chrome trace JSON array as plain rows. Text is views into the batch.
#pragma once
#include "base/result.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace prof::json {

enum class ValueKind : std::uint8_t { integer, real, boolean, text, json, null };
// A member of "args". `text` for text (unescaped) and json (an array or object, white space outside strings
// removed).
struct EventArg {
  std::string_view key;
  std::string_view text;
  std::int64_t integer = 0; // boolean: 0 or 1
  double real = 0;
  ValueKind kind = ValueKind::null;
};

struct TraceEvent {
  std::string_view name, category;
  std::string_view pid, tid; // as written, without quotes; empty = absent
  std::string_view id;       // of flows and async events, as written
  std::int64_t ts = 0;       // ns; the file's us, converted exactly from the decimal text
  std::int64_t dur = 0;      // ns
  std::uint32_t args_begin = 0, args_end = 0;
  char phase = '\0';
  bool has_ts = false, has_dur = false;
  bool binds_enclosing = false; // "bp":"e"
};

// What could not be taken from the text as it stands.
struct EventLosses {
  std::int64_t dropped = 0, repaired = 0; // events
  std::int64_t bad_times = 0;             // ts or dur that is no number, or beyond 64-bit ns
  std::int64_t first_offset = -1;         // byte in the (unpacked) file
};

// The events of one piece of the file. Reused: parse() starts over and keeps the memory.
class EventBatch {
public:
  EventBatch();
  EventBatch(const EventBatch&) = delete;
  EventBatch& operator=(const EventBatch&) = delete;
  ~EventBatch();

  // Room for `size` bytes of text; write them, then call parse().
  [[nodiscard]] char* prepare(std::size_t size);
  // Parses what prepare() made room for: whole elements of an array, or (is_damaged) text in which elements
  // are to be found by their first key and repaired where they can be. `offset`: of the text in the file.
  void parse(std::int64_t offset, std::string_view first_key, bool is_damaged);

  [[nodiscard]] const std::vector<TraceEvent>& events() const;
  [[nodiscard]] const EventArg* args_begin(const TraceEvent& event) const;
  [[nodiscard]] const EventArg* args_end(const TraceEvent& event) const;
  [[nodiscard]] const EventLosses& losses() const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// "1699529623106750.123" us -> 1699529623106750123 ns, exactly; digits beyond ns are rounded half up. False
// when it is no decimal number or does not fit.
[[nodiscard]] bool ns_from_us(std::string_view text, std::int64_t& ns);

// Makes one damaged element parsable: control bytes and bad UTF-8 in strings, quotes and backslashes that
// were not escaped, bare NaN and Infinity, trailing commas.
[[nodiscard]] std::string repair(std::string_view text);

} // namespace prof::json
