// format_units.hpp: the only place that turns a quantity into text for a person.
#pragma once
#include "base/units.hpp"

#include <string>
#include <string_view>

namespace prof {

// "1.23 ms", "45.6 us", "2.00 s", "-3.40 ms": three significant digits, the unit chosen by size.
[[nodiscard]] std::string format_dur(Dur dur);
// "1.50 MiB", "12 B".
[[nodiscard]] std::string format_bytes(Bytes bytes);
// A value in one of the units of the metric catalogue: "ns" and "bytes" scale as above, "percent" -> "12.3
// %", "1/s" -> "12.3 /s", "" -> "12.3", any other unit is appended as it is.
[[nodiscard]] std::string format_value(double value, std::string_view unit);
// A share of 1 -> "7.64 %": from the unrounded share, so that a figure reads the same wherever it stands.
[[nodiscard]] std::string format_share(double share);
// Three significant digits without an exponent for 1e-3 <= |v| < 1e6.
[[nodiscard]] std::string format_number(double value);

} // namespace prof
