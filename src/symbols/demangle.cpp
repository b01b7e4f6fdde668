#include "symbols/symbols.hpp"

#include <csetjmp>
#include <libiberty/demangle.h>

namespace prof {
namespace {

constexpr std::size_t kMaxMangled = 16384; // longer names are shown as they are
// A name of 200 bytes can stand for gigabytes, as each part may repeat those before it. Readable ones are far
// below this.
constexpr std::size_t kMaxPlain = 65536;

struct Plain {
  std::string text;
  std::jmp_buf too_long;
};

// libiberty offers no way to stop it but this: between here and plain_name() lie only its own C frames, which
// hold no memory in this mode.
void take(const char* part, std::size_t size, void* opaque) {
  auto& plain = *static_cast<Plain*>(opaque);
  if (plain.text.size() + size > kMaxPlain) std::longjmp(plain.too_long, 1); // NOLINT(cert-err52-cpp)
  plain.text.append(part, size);
}

using Demangler = int (*)(const char*, int, demangle_callbackref, void*);

bool is_plain(Demangler demangler, const std::string& mangled, Plain& plain) {
  plain.text.clear();
  if (setjmp(plain.too_long) != 0) return false; // NOLINT(cert-err52-cpp)
  return demangler(mangled.c_str(), DMGL_PARAMS | DMGL_ANSI, take, &plain) != 0;
}

} // namespace

std::string demangle(std::string_view name) {
  const bool is_mangled = name.starts_with("_Z") || name.starts_with("_R") || name.starts_with("_GLOBAL_");
  if (!is_mangled || name.size() > kMaxMangled) return std::string(name);
  const std::string text(name);
  Plain plain;
  // Rust's older names are C++ names with a hash behind, so Rust comes first.
  if (is_plain(rust_demangle_callback, text, plain) || is_plain(cplus_demangle_v3_callback, text, plain))
    return std::move(plain.text);
  return text;
}

} // namespace prof
