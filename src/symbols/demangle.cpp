#include "symbols/symbols.hpp"

#include <cstdlib>
#include <libiberty/demangle.h>

namespace prof {
namespace {

constexpr std::size_t kMaxMangled = 16384; // longer names are shown as they are

} // namespace

std::string demangle(std::string_view name) {
  const bool is_mangled = name.starts_with("_Z") || name.starts_with("_R") || name.starts_with("_GLOBAL_");
  if (!is_mangled || name.size() > kMaxMangled) return std::string(name);
  const std::string text(name);
  char* plain = cplus_demangle(text.c_str(), DMGL_PARAMS | DMGL_ANSI | DMGL_AUTO);
  if (plain == nullptr) return text;
  std::string out(plain);
  std::free(plain); // NOLINT(cppcoreguidelines-no-malloc): libiberty allocates with malloc
  return out;
}

} // namespace prof
