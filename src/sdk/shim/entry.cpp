// How the shim notices ONNX Runtime: a program that is linked to it has it in memory before any constructor
// runs, and one that loads it asks dlsym for OrtGetApiBase, or calls ours through the loader's search order.
#include "sdk/shim/shim.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <link.h>

#include "sdk/ring_layout.hpp"

namespace prof::shim {

Ort g_ort;

namespace {

using Dlsym = void*(void* handle, const char* name);
using GetApiBase = const ApiBase*();
Dlsym* g_dlsym = nullptr;
const void* g_last_library = nullptr; // the OrtGetApiBase looked at last
std::atomic_flag g_is_hooking = ATOMIC_FLAG_INIT;
constexpr int kMaxClasses = 4096;
KernelClass g_classes[kMaxClasses];

Dlsym* real_dlsym() {
  if (g_dlsym == nullptr) {
    void* at = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.34"); // dlvsym is not ours, so this is no circle
    if (at == nullptr) at = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5");
    g_dlsym = reinterpret_cast<Dlsym*>(at);
  }
  return g_dlsym;
}

void tell(sdk::HookState state, const char* detail, int count) {
  prof_sdk_api->hook_state(static_cast<std::uint32_t>(state), g_ort.version, detail,
                           static_cast<std::uint32_t>(count));
}

// "1.29.0" -> 29. 0: not a version that we know how to read.
std::uint32_t minor_of(const char* version) {
  if (std::strncmp(version, "1.", 2) != 0) return 0;
  return static_cast<std::uint32_t>(std::strtoul(version + 2, nullptr, 10));
}

void hook_new_library(GetApiBase* get_api_base) {
  const ApiBase* base = get_api_base();
  if (base == nullptr) return;
  std::snprintf(g_ort.version, sizeof g_ort.version, "%s", base->version_string());
  g_ort.minor = minor_of(g_ort.version);
  g_ort.api = g_ort.minor >= kNodeNameSince ? base->get_api(g_ort.minor) : nullptr;
  const char* reason = "a version before 1.15";
  if (g_ort.api == nullptr) return tell(sdk::HookState::refused, reason, 0);
  Image image;
  if (!find_image(g_ort.api, image))
    return tell(sdk::HookState::refused, "the library was not found in memory", 0);
  const int found = find_kernel_classes(image, g_classes, kMaxClasses, reason);
  if (found < 0) return tell(sdk::HookState::refused, reason, 0);
  if (!set_sealed_writable(image, true)) return tell(sdk::HookState::refused, "mprotect was refused", 0);
  const int hooked = hook_kernels(g_classes, found, reason);
  if (hooked >= 0) hook_runs();
  (void)set_sealed_writable(image, false);
  if (hooked < 0) return tell(sdk::HookState::refused, reason, 0);
  tell(sdk::HookState::hooked, "", hooked);
}

bool is_switched_off() {
  const char* value = std::getenv("PROF_ORT");
  return value != nullptr && std::strcmp(value, "off") == 0;
}

// The process announces itself here, engine or not: a wait for a mutex can then be recorded at once, and must
// not be what registers (the mutex may be that of an allocator, which registering calls).
__attribute__((constructor(102))) void start() {
  (void)real_dlsym();
  tell(sdk::HookState::no_library, "", 0);
  if (void* linked = real_symbol(nullptr, "OrtGetApiBase"); linked != nullptr) hook_library(linked);
}

// The first loaded library that exports OrtGetApiBase and is not this one: for programs whose plug-in is
// linked to it.
struct Find {
  GetApiBase* found;
};
int look_at(dl_phdr_info* info, std::size_t, void* data) {
  if (info->dlpi_name == nullptr || std::strstr(info->dlpi_name, "onnxruntime") == nullptr) return 0;
  void* handle = dlopen(info->dlpi_name, RTLD_LAZY | RTLD_NOLOAD);
  if (handle == nullptr) return 0;
  static_cast<Find*>(data)->found = reinterpret_cast<GetApiBase*>(real_dlsym()(handle, "OrtGetApiBase"));
  dlclose(handle);
  return static_cast<Find*>(data)->found != nullptr ? 1 : 0;
}

} // namespace

void* real_symbol(void* handle, const char* name) {
  Dlsym* real = real_dlsym();
  return real == nullptr ? nullptr : real(handle == nullptr ? RTLD_NEXT : handle, name);
}

void hook_library(const void* get_api_base) {
  if (get_api_base == nullptr || __atomic_load_n(&g_last_library, __ATOMIC_ACQUIRE) == get_api_base ||
      is_switched_off())
    return;
  if (g_is_hooking.test_and_set(std::memory_order_acquire)) return;
  if (g_last_library != get_api_base) {
    hook_new_library(reinterpret_cast<GetApiBase*>(const_cast<void*>(get_api_base)));
    __atomic_store_n(&g_last_library, get_api_base, __ATOMIC_RELEASE);
  }
  g_is_hooking.clear(std::memory_order_release);
}

} // namespace prof::shim

// Called by dlsym (dlsym.S) before the real one, which it returns.
extern "C" __attribute__((visibility("hidden"))) void* prof_shim_on_dlsym(void* handle, const char* name) {
  using namespace prof::shim;
  auto* real = reinterpret_cast<void*>(real_dlsym());
  if (name == nullptr || std::strcmp(name, "OrtGetApiBase") != 0) return real;
  if (handle != RTLD_NEXT && handle != RTLD_DEFAULT) hook_library(real_dlsym()(handle, name));
  return real;
}

extern "C" __attribute__((visibility("default"))) const prof::shim::ApiBase* OrtGetApiBase() {
  using namespace prof::shim;
  auto* real = reinterpret_cast<GetApiBase*>(real_symbol(nullptr, "OrtGetApiBase"));
  if (real == nullptr) {
    Find find{};
    dl_iterate_phdr(look_at, &find);
    real = find.found;
  }
  if (real == nullptr) return nullptr;
  hook_library(reinterpret_cast<const void*>(real));
  return real();
}
