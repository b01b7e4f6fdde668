// shim.hpp: the parts of libprof_ort.so. All run inside other people's programs: no heap, no exceptions, no
// C++ run-time.
#pragma once
#include "sdk/prof_sdk.h"
#include "sdk/shim/ort_api.hpp"

#include <cstddef>
#include <cstdint>

namespace prof::shim {

// A loaded ONNX Runtime as memory: where its read-only data, its code and its relocated tables lie.
struct Range {
  std::uintptr_t begin = 0, end = 0;
  [[nodiscard]] bool has(std::uintptr_t at, std::size_t bytes = 1) const {
    return at >= begin && at + bytes <= end && at + bytes > at;
  }
};
struct Image {
  static constexpr int kMaxRanges = 8;
  Range constants[kMaxRanges]; // readable, not writable, not executable
  Range code[kMaxRanges];
  Range tables[kMaxRanges]; // writable while loading: vtables, type information, the API table
  int constant_count = 0, code_count = 0, table_count = 0;
  Range sealed; // made read-only after relocation (PT_GNU_RELRO)
  [[nodiscard]] bool is_code(std::uintptr_t at) const;
  [[nodiscard]] bool is_table(std::uintptr_t at, std::size_t bytes) const;
};
// The image that holds `address`. False: none.
[[nodiscard]] bool find_image(const void* address, Image& out);
// Opens the sealed pages for writing, or closes them again. False: the system refuses.
[[nodiscard]] bool set_sealed_writable(const Image& image, bool is_writable);

// rtti.cpp: a vtable of a class derived from onnxruntime::OpKernel.
struct KernelClass {
  std::uintptr_t* compute_slot = nullptr; // where Compute's address stands
  const char* mangled = nullptr;          // "N11onnxruntime4ClipE"
};
// Fills `out`; the number found, or -1 with a reason when the library does not look as expected.
[[nodiscard]] int find_kernel_classes(const Image& image, KernelClass* out, int capacity,
                                      const char*& reason);

// kernel_hook.cpp: routes Compute of these classes through stubs of ours. The number hooked.
[[nodiscard]] int hook_kernels(const KernelClass* classes, int count, const char*& reason);
void forget_kernels(); // a session was released: addresses may be used again
extern __thread const char* t_model
    __attribute__((tls_model("initial-exec"))); // of the run that this thread is in
// This thread is creating a session: operators that run now fold constants, belong to no run, and are gone
// afterwards, so that their addresses must not be remembered.
extern __thread bool t_is_creating __attribute__((tls_model("initial-exec")));

// run_hook.cpp: replaces entries of the API table.
void hook_runs();
[[nodiscard]] const char* only_model(); // the model, when the process has exactly one session; else null

// entry.cpp: looks at the library that `get_api_base` belongs to and hooks it, once.
void hook_library(const void* get_api_base);
[[nodiscard]] void* real_symbol(void* handle, const char* name);

} // namespace prof::shim
