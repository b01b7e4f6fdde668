// sniff.hpp: is this a stream of Perfetto TracePackets?
#pragma once
#include <string_view>

namespace prof {

// 0..100, from the first bytes of a file.
[[nodiscard]] int sniff_tracefile(std::string_view head);
// Did TraceFileWriter write it? From the first bytes too.
[[nodiscard]] bool is_own_tracefile(std::string_view head);

} // namespace prof
