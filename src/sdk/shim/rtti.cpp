// Finds the operator classes of a stripped ONNX Runtime: C++ keeps type information for its own use, and it
// names onnxruntime::OpKernel. From the name to the type, to the types derived from it, to their vtables
// (Itanium C++ ABI):
//
//   type:   [vtable of the type's kind][name][base]                        one base
//           [vtable of the type's kind][name][flags, count][base, offset]...  several
//   vtable: [0 = offset to top][type] -> [D1][D0][Compute][IsAsync]...
#include "sdk/shim/shim.hpp"

#include <cstring>

namespace prof::shim {

namespace {

constexpr char kKernelName[] = "N11onnxruntime8OpKernelE";
constexpr int kMaxTypes = 4096;
constexpr int kDepth = 16; // levels of inheritance
constexpr std::uintptr_t kWord = sizeof(std::uintptr_t);

std::uintptr_t g_types[kMaxTypes]; // sorted addresses of type objects
std::uintptr_t g_found[kMaxTypes];
int g_type_count = 0;

std::uintptr_t word_at(std::uintptr_t at) {
  return *reinterpret_cast<const std::uintptr_t*>(at);
}

bool is_known(std::uintptr_t type) {
  int low = 0, high = g_type_count;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (g_types[middle] < type)
      low = middle + 1;
    else
      high = middle;
  }
  return low < g_type_count && g_types[low] == type;
}
void insert(std::uintptr_t type) {
  if (g_type_count >= kMaxTypes || is_known(type)) return;
  int at = g_type_count++;
  for (; at > 0 && g_types[at - 1] > type; --at)
    g_types[at] = g_types[at - 1];
  g_types[at] = type;
}

// A mangled name in the constants: starts like one and ends within 4 KiB.
bool is_type_name(const Image& image, std::uintptr_t at) {
  for (int i = 0; i < image.constant_count; ++i) {
    const Range& range = image.constants[i];
    if (!range.has(at)) continue;
    const auto* text = reinterpret_cast<const char*>(at);
    if (*text != 'N' && (*text < '0' || *text > '9') && *text != 'S' && *text != '*') return false;
    const std::size_t left = range.end - at < 4096 ? range.end - at : 4096;
    return std::memchr(text, 0, left) != nullptr;
  }
  return false;
}

std::uintptr_t find_name(const Image& image) {
  for (int i = 0; i < image.constant_count; ++i) {
    const Range& range = image.constants[i];
    const void* at = memmem(reinterpret_cast<const void*>(range.begin), range.end - range.begin, kKernelName,
                            sizeof kKernelName);
    if (at != nullptr) return reinterpret_cast<std::uintptr_t>(at);
  }
  return 0;
}

template <class Visit>
void for_each_word(const Image& image, Visit visit) {
  for (int i = 0; i < image.table_count; ++i) {
    const std::uintptr_t begin = (image.tables[i].begin + kWord - 1) & ~(kWord - 1);
    for (std::uintptr_t at = begin; at + kWord <= image.tables[i].end; at += kWord)
      visit(at, word_at(at));
  }
}

// The type object one of whose bases stands at `at`, or 0. Only bases at offset 0: `this` must be the
// kernel's own address.
std::uintptr_t derived_type(const Image& image, std::uintptr_t at) {
  if (!image.is_table(at - 2 * kWord, 4 * kWord)) return 0;
  const std::uintptr_t single = at - 2 * kWord;
  if (image.is_table(single, 3 * kWord) && is_type_name(image, word_at(single + kWord))) return single;
  const auto offset = static_cast<std::intptr_t>(word_at(at + kWord)) >> 8;
  constexpr std::uintptr_t kMaxBases = 4;
  for (std::uintptr_t index = 0; index < kMaxBases && offset == 0;
       ++index) { // an empty class may come before OpKernel
    const std::uintptr_t several = at - (3 + 2 * index) * kWord;
    if (!image.is_table(several, (5 + 2 * index) * kWord) || !is_type_name(image, word_at(several + kWord)))
      continue;
    const std::uintptr_t count = word_at(several + 2 * kWord) >> 32;
    if (count > index && count <= 16) return several;
  }
  return 0;
}

void find_types(const Image& image, std::uintptr_t name) {
  g_type_count = 0;
  for_each_word(image, [&](std::uintptr_t at, std::uintptr_t word) {
    if (word == name && image.is_table(at - kWord, 2 * kWord)) insert(at - kWord);
  });
  for (int depth = 0; depth < kDepth; ++depth) {
    int found = 0;
    for_each_word(image, [&](std::uintptr_t at, std::uintptr_t word) {
      if (!is_known(word)) return;
      const std::uintptr_t type = derived_type(image, at);
      if (type != 0 && !is_known(type) && found < kMaxTypes) g_found[found++] = type;
    });
    for (int i = 0; i < found; ++i)
      insert(g_found[i]);
    if (found == 0) return;
  }
}

// IsAsync() of a plain operator: "return false". The one slot whose meaning can be read from its code.
bool returns_false(std::uintptr_t function) {
  const auto* code = reinterpret_cast<const unsigned char*>(function);
  static constexpr unsigned char kEndbr[4] = {0xf3, 0x0f, 0x1e, 0xfa};
  if (std::memcmp(code, kEndbr, sizeof kEndbr) == 0) code += sizeof kEndbr;
  return code[0] == 0x31 && code[1] == 0xc0 && code[2] == 0xc3; // xor eax, eax; ret
}

} // namespace

int find_kernel_classes(const Image& image, KernelClass* out, int capacity, const char*& reason) {
  const std::uintptr_t name = find_name(image);
  if (name == 0) {
    reason = "no type information of onnxruntime::OpKernel";
    return -1;
  }
  find_types(image, name);
  int count = 0, plain = 0;
  for_each_word(image, [&](std::uintptr_t at, std::uintptr_t word) {
    constexpr std::uintptr_t kCompute = 3, kIsAsync = 4; // words behind the type's
    if (count >= capacity || !is_known(word) || !image.is_table(at - kWord, 6 * kWord) ||
        word_at(at - kWord) != 0)
      return;
    for (std::uintptr_t slot = 1; slot <= kIsAsync; ++slot)
      if (!image.is_code(word_at(at + slot * kWord))) return; // an abstract class
    plain += returns_false(word_at(at + kIsAsync * kWord)) ? 1 : 0;
    out[count++] = {.compute_slot = reinterpret_cast<std::uintptr_t*>(at + kCompute * kWord),
                    .mangled = reinterpret_cast<const char*>(word_at(word + kWord))};
  });
  if (count < 50) {
    reason = "fewer than 50 operator classes found";
    return -1;
  }
  if (plain * 10 < count * 9) { // another order of virtual functions
    reason = "the slot behind Compute is not IsAsync";
    return -1;
  }
  return count;
}

} // namespace prof::shim
