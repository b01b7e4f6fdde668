// event_scanner.hpp: finds where whole trace events end in the text of a JSON array, without parsing them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace prof::json {

// What a scan of array content found. The text begins between two elements.
struct Cut {
  enum class Kind : std::uint8_t {
    events, // [0, end) holds whole elements
    closed, // the same, and the array's "]" stands at `end`
    open,   // not one element ends in this text: give more
    broken, // the text is not JSON here: a line break inside a string, or brackets that do not match
  };
  Kind kind = Kind::open;
  std::size_t end = 0;
};

// Ends after the last element that is complete within `target` bytes, or after the first one when that is
// longer. Exact for valid JSON, 64 bytes at a step.
[[nodiscard]] Cut cut_events(std::string_view text, std::size_t target);

// The next place after `from` where an element with this first key begins ("{", "key" as the first thing),
// npos = none. For damaged text, where brackets and quotes cannot be counted.
[[nodiscard]] std::size_t find_event(std::string_view text, std::string_view first_key, std::size_t from);

// The first key of the object that begins at the start of `text`; empty when it does not look like one.
[[nodiscard]] std::string_view first_key(std::string_view text);

// Position of the first character that is not white space, `skip_commas`: nor a comma; text.size() = none.
[[nodiscard]] std::size_t skip_space(std::string_view text, std::size_t from = 0, bool skip_commas = false);

// Position after the JSON value that begins at `from`, npos when the text ends inside it.
[[nodiscard]] std::size_t end_of_value(std::string_view text, std::size_t from);

} // namespace prof::json
