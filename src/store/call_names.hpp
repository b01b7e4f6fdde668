// call_names.hpp: what a call of the host does, by its name. The names are data: knowledge/calls.
#pragma once
#include "store/store.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace prof {

enum class CallKind : std::uint8_t {
  other,
  synchronise,   // returns when the device has got that far
  blocking_copy, // a copy that returns when it is done
  loader,        // makes the next batch ready
  step,          // no call: marks one step of the work
};
[[nodiscard]] CallKind call_kind(std::string_view name);

// The same for the names of a trace; each is looked at once, there are far fewer names than slices.
class CallNames {
public:
  explicit CallNames(const Store& store) : store_(store) {}
  [[nodiscard]] CallKind of(StrId name);

private:
  const Store& store_;
  std::vector<std::int8_t> known_; // by row of the name; -1 = not looked at
};

} // namespace prof
