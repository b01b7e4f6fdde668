// inflate.hpp: zlib and zstd data whose inflated size is limited.
#pragma once
#include "base/result.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace prof::detail {

// Errors: malformed; budget when more than max_bytes would come out.
[[nodiscard]] Result<std::string> inflate_zlib(std::string_view packed, std::size_t max_bytes);
[[nodiscard]] Result<std::string> inflate_zstd(std::string_view packed, std::size_t max_bytes);

} // namespace prof::detail
