// Compute of every operator class goes through a stub of ours. Off: one load and a branch more. On: two clock
// reads, a look into a table by the operator's address, and one record in the thread's ring.
#include "sdk/shim/shim.hpp"

#include <atomic>
#include <cstdio>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace prof::shim {

__thread const char* t_model __attribute__((tls_model("initial-exec"))) = nullptr;
__thread bool t_is_creating __attribute__((tls_model("initial-exec"))) = false;

namespace {

// virtual Status OpKernel::Compute(OpKernelContext*) const; Status is returned through a hidden first
// pointer.
using Compute = void*(void* status, const void* self, void* context);
constexpr int kMaxStubs = 8192;
struct Stub {
  Compute* original;
  const char* mangled;
};
Stub g_stubs[kMaxStubs];
int g_stub_count = 0;

// What is known of an operator object, by its address.
struct Known {
  std::atomic<const void*> self;
  std::atomic<std::uint64_t> op_and_generation; // generation << 32 | prof_op
};
constexpr std::uint32_t kKnownSize = 64 * 1024; // a power of two
Known g_known[kKnownSize];
std::atomic<std::uint32_t> g_generation{1};

constexpr std::size_t kMaxText = 16 * 1024;

bool kernel_text(ApiEntry entry, const void* info, char* out, std::size_t size) {
  using GetText = void*(const void*, char*, std::size_t*);
  void* status = g_ort.entry<GetText>(entry)(info, out, &size);
  if (status == nullptr) return true;
  g_ort.entry<void(void*)>(kReleaseStatus)(status);
  return false;
}

// "Clip" of "N11onnxruntime4ClipE", "Add" of "N11onnxruntime3AddIfEE": the last plain name before template
// arguments.
void type_from_class(const char* mangled, char* out, std::size_t size) {
  const char* best = mangled;
  std::size_t best_length = std::strlen(mangled);
  const char* at = *mangled == 'N' ? mangled + 1 : mangled;
  while (*at >= '0' && *at <= '9') {
    std::size_t length = 0;
    for (; *at >= '0' && *at <= '9' && length < size; ++at)
      length = length * 10 + static_cast<std::size_t>(*at - '0');
    if (length == 0 || length > std::strlen(at)) break;
    best = at;
    best_length = length;
    at += length;
  }
  std::snprintf(out, size, "%.*s", static_cast<int>(best_length < size ? best_length : size - 1), best);
}

const char* type_name(int type) {
  static constexpr const char* kNames[] = {
      "undefined", "float",   "uint8",  "int8",   "uint16", "int16",     "int32",      "int64",   "string",
      "bool",      "float16", "double", "uint32", "uint64", "complex64", "complex128", "bfloat16"};
  return type >= 0 && type < static_cast<int>(sizeof kNames / sizeof *kNames) ? kNames[type] : "other";
}

struct TextBuffer {
  char* data;
  std::size_t size, used = 0;
  void put(const char* text) {
    const std::size_t n = std::strlen(text);
    if (used + n >= size) return;
    std::memcpy(data + used, text, n + 1);
    used += n;
  }
};

void release(void* status) {
  if (status != nullptr) g_ort.entry<void(void*)>(kReleaseStatus)(status);
}

// "1,3,224,224" and "float" of one input; nothing for absent inputs and for what is no tensor.
void put_input(const void* value, TextBuffer& shapes, TextBuffer& types) {
  int is_tensor = 0;
  release(g_ort.entry<void*(const void*, int*)>(kIsTensor)(value, &is_tensor));
  if (is_tensor == 0) return;
  void* info = nullptr;
  if (void* status = g_ort.entry<void*(const void*, void**)>(kGetTensorTypeAndShape)(value, &info);
      status != nullptr) {
    release(status);
    return;
  }
  std::size_t rank = 0;
  release(g_ort.entry<void*(const void*, std::size_t*)>(kGetDimensionsCount)(info, &rank));
  constexpr std::size_t kMaxRank = 16;
  std::int64_t dims[kMaxRank] = {};
  if (rank <= kMaxRank)
    release(g_ort.entry<void*(const void*, std::int64_t*, std::size_t)>(kGetDimensions)(info, dims, rank));
  char text[24];
  for (std::size_t i = 0; i < rank && i < kMaxRank; ++i) {
    std::snprintf(text, sizeof text, i == 0 ? "%lld" : ",%lld", static_cast<long long>(dims[i]));
    shapes.put(text);
  }
  int type = 0;
  release(g_ort.entry<void*(const void*, int*)>(kGetTensorElementType)(info, &type));
  types.put(type_name(type));
  g_ort.entry<void(void*)>(kReleaseTensorTypeAndShapeInfo)(info);
}

void read_inputs(const void* context, TextBuffer& shapes, TextBuffer& types) {
  std::size_t count = 0;
  release(g_ort.entry<void*(const void*, std::size_t*)>(kKernelContextGetInputCount)(context, &count));
  constexpr std::size_t kMaxInputs = 16; // of a Concat of hundreds the first tell enough
  for (std::size_t i = 0; i < count && i < kMaxInputs; ++i) {
    const void* value = nullptr;
    release(g_ort.entry<void*(const void*, std::size_t, const void**)>(kKernelContextGetInput)(context, i,
                                                                                               &value));
    if (i > 0) {
      shapes.put(";");
      types.put(";");
    }
    if (value != nullptr) put_input(value, shapes, types);
  }
}

// "Concat:pooled": nodes need no name; the first output's is unique in its graph.
const char* unnamed(const void* info, const char* op_type, char* out, std::size_t size) {
  using GetName = void*(const void*, std::size_t, char*, std::size_t*);
  const int used = std::snprintf(out, size, "%s:", op_type);
  std::size_t left = size - static_cast<std::size_t>(used);
  void* status =
      info == nullptr ? nullptr : g_ort.entry<GetName>(kKernelInfoGetOutputName)(info, 0, out + used, &left);
  if (status != nullptr || out[used] == 0) out[used - 1] = 0; // the type alone
  release(status);
  return out;
}

// Once per operator object. Behind its vtable pointer an OpKernel keeps a pointer to its OpKernelInfo, and
// that is what the C API calls OrtKernelInfo.
__attribute__((noinline)) prof_op describe(const void* self, const void* context, const Stub& stub) {
  char name[kMaxText] = {}, type[256] = {}, shapes[1024] = {}, types[512] = {};
  const void* info = nullptr;
  std::memcpy(&info, static_cast<const char*>(self) + sizeof(void*), sizeof info);
  prof_op_info row{};
  const bool has_type_call = info != nullptr && g_ort.minor >= kOperatorTypeSince;
  if (has_type_call && kernel_text(kKernelInfoGetOperatorType, info, type, sizeof type) && type[0] != 0)
    row.op_type = type;
  if (row.op_type == nullptr) {
    type_from_class(stub.mangled, type, sizeof type);
    row.op_type = type;
  }
  if (info != nullptr && kernel_text(kKernelInfoGetNodeName, info, name, sizeof name) && name[0] != 0)
    row.name = name;
  else
    row.name = unnamed(info, row.op_type, name, sizeof name);
  row.model = t_model != nullptr ? t_model : only_model();
  // Kernels that other execution providers bring run behind these two classes.
  const bool is_foreign = std::strstr(stub.mangled, "FunctionKernel") != nullptr ||
                          std::strstr(stub.mangled, "PluginEp") != nullptr;
  row.provider = is_foreign ? nullptr : "CPUExecutionProvider";
  TextBuffer shape_text{shapes, sizeof shapes};
  TextBuffer type_text{types, sizeof types};
  read_inputs(context, shape_text, type_text);
  row.input_shapes = shapes;
  row.input_dtypes = types;
  return prof_sdk_api->op_define(&row);
}

// The operator of an object: from the table, or described now. `op` 0 is an operator that could not be kept.
inline prof_op op_of(const void* self, const void* context, const Stub& stub) {
  const std::uint32_t generation = g_generation.load(std::memory_order_relaxed);
  const auto address = reinterpret_cast<std::uintptr_t>(self);
  auto cell = static_cast<std::uint32_t>((address * 0x9e3779b97f4a7c15ull) >> 48) & (kKnownSize - 1);
  constexpr int kTries = 32;
  for (int tries = 0; tries < kTries; ++tries, cell = (cell + 1) & (kKnownSize - 1)) {
    Known& known = g_known[cell];
    const void* there = known.self.load(std::memory_order_acquire);
    if (there == self) {
      const std::uint64_t value = known.op_and_generation.load(std::memory_order_acquire);
      if (static_cast<std::uint32_t>(value >> 32) == generation) return static_cast<prof_op>(value);
      const prof_op op = describe(self, context, stub);
      known.op_and_generation.store(std::uint64_t{generation} << 32 | op, std::memory_order_release);
      return op;
    }
    if (there != nullptr) {
      // A cell of a session that is gone may be taken over.
      const bool is_old = static_cast<std::uint32_t>(
                              known.op_and_generation.load(std::memory_order_acquire) >> 32) != generation;
      if (!is_old || tries + 1 < kTries) continue;
    }
    const prof_op op = describe(self, context, stub);
    if (known.self.compare_exchange_strong(there, self, std::memory_order_acq_rel))
      known.op_and_generation.store(std::uint64_t{generation} << 32 | op, std::memory_order_release);
    return op;
  }
  return describe(self, context, stub); // a very full neighbourhood: slower, still right
}

extern "C" __attribute__((visibility("hidden"))) void* prof_shim_compute(void* status, const void* self,
                                                                         void* context, std::uint32_t index) {
  const Stub& stub = g_stubs[index];
  if (!prof_is_on() || t_is_creating) return stub.original(status, self, context);
  const prof_op op = op_of(self, context, stub);
  const std::uint64_t begin = prof_sdk_api->ticks();
  // An exception passes through: nothing is recorded then, and nothing is left open.
  void* const result = stub.original(status, self, context);
  prof_sdk_api->op(op, begin, prof_sdk_api->ticks());
  return result;
}

// mov ecx, index; movabs rax, prof_shim_compute; jmp rax
constexpr std::size_t kStubBytes = 24;
void write_stub(unsigned char* at, std::uint32_t index) {
  at[0] = 0xb9;
  std::memcpy(at + 1, &index, 4);
  at[5] = 0x48;
  at[6] = 0xb8;
  const auto target = reinterpret_cast<std::uintptr_t>(&prof_shim_compute);
  std::memcpy(at + 7, &target, 8);
  at[15] = 0xff;
  at[16] = 0xe0;
  std::memset(at + 17, 0xcc, kStubBytes - 17);
}

} // namespace

void forget_kernels() {
  g_generation.fetch_add(1, std::memory_order_acq_rel);
}

int hook_kernels(const KernelClass* classes, int count, const char*& reason) {
#if !defined(__x86_64__)
  reason = "operators are traced on x86-64 only";
  return -1;
#else
  if (g_stub_count + count > kMaxStubs) {
    reason = "too many operator classes";
    return -1;
  }
  const std::size_t bytes = static_cast<std::size_t>(count) * kStubBytes;
  void* page = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) {
    reason = "no memory for stubs";
    return -1;
  }
  auto* stubs = static_cast<unsigned char*>(page);
  const int first = g_stub_count;
  for (int i = 0; i < count; ++i) {
    g_stubs[first + i] = {.original = reinterpret_cast<Compute*>(*classes[i].compute_slot),
                          .mangled = classes[i].mangled};
    write_stub(stubs + static_cast<std::size_t>(i) * kStubBytes, static_cast<std::uint32_t>(first + i));
  }
  if (mprotect(page, bytes, PROT_READ | PROT_EXEC) != 0) { // a system that forbids new code (SELinux)
    munmap(page, bytes);
    reason = "the system forbids executable memory";
    return -1;
  }
  g_stub_count += count;
  for (int i = 0; i < count; ++i)
    __atomic_store_n(classes[i].compute_slot,
                     reinterpret_cast<std::uintptr_t>(stubs) + static_cast<std::size_t>(i) * kStubBytes,
                     __ATOMIC_RELEASE);
  return count;
#endif
}

} // namespace prof::shim
