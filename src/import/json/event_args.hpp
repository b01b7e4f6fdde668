// event_args.hpp: arguments of events as rows of the model, with the few distinct keys interned once.
#pragma once
#include "import/json/trace_event.hpp"
#include "trace/sink.hpp"

#include <array>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace prof::json {

// A small cache in front of a sink's string pool: trace files repeat few texts very often.
class TextCache {
public:
  explicit TextCache(TraceSink& sink) : sink_(sink) {}
  [[nodiscard]] StrId intern(std::string_view text) {
    if (text.empty()) return {};
    Entry& entry = entries_[slot_of(text)];
    if (entry.text != text) {
      entry.id = sink_.intern(text);
      entry.text = text;
    }
    return entry.id;
  }

private:
  struct Entry {
    std::string text;
    StrId id{};
  };
  static std::size_t slot_of(std::string_view text) {
    // Loads of a fixed size are one instruction each; a copy of n bytes is a call.
    const char* const end = text.data() + text.size();
    std::uint64_t head = 0, tail = 0;
    if (text.size() >= 8) {
      std::memcpy(&head, text.data(), 8);
      std::memcpy(&tail, end - 8, 8);
    } else if (text.size() >= 4) {
      std::memcpy(&head, text.data(), 4);
      std::memcpy(&tail, end - 4, 4);
    } else {
      head = static_cast<unsigned char>(text.front());
      tail = static_cast<unsigned char>(text.back());
    }
    const std::uint64_t mixed = (head ^ (tail * 0x9e3779b97f4a7c15ULL) ^ text.size()) * 0xff51afd7ed558ccdULL;
    return mixed >> (64U - kBits);
  }
  static constexpr unsigned kBits = 10;
  TraceSink& sink_;
  std::array<Entry, std::size_t{1} << kBits> entries_;
};

[[nodiscard]] inline ArgValue value_of(const EventArg& arg, TextCache& texts) {
  switch (arg.kind) {
  case ValueKind::integer:
    return arg.integer;
  case ValueKind::real:
    return arg.real;
  case ValueKind::boolean:
    return arg.integer != 0;
  case ValueKind::text:
  case ValueKind::json:
    return texts.intern(arg.text);
  case ValueKind::null:
    break;
  }
  return StrId{};
}

} // namespace prof::json
