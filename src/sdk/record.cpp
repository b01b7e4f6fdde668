// The calls of prof_sdk.h while somebody records.
#include "sdk/process.hpp"

#include <bit>
#include <cstring>
#include <dlfcn.h>

namespace prof::sdk {

void add_copy(const std::uint32_t** word);
void remove_copy(const std::uint32_t** word);

namespace {

// A prof_span: epoch << 32 | kind of token << 16 | depth. A token of an earlier attachment is recognised and
// ignored.
constexpr std::uint64_t kSuppressToken = 1ull << 16;
constexpr std::uint64_t kOpenToken = 2ull << 16;
constexpr std::uint64_t kStageToken = 4ull << 16; // counted in ThreadRing::stages

bool is_sampled(std::uint64_t id) {
  std::uint64_t h = id * 0x9e3779b97f4a7c15ull;
  h ^= h >> 32;
  h *= 0xd6e8feb86659fd93ull;
  return static_cast<std::uint32_t>(h >> 32) <= g_process.header->sampling.load(std::memory_order_relaxed);
}

// Readable and unique on the machine: pid 1234's third request is 1234000000003.
std::uint64_t next_id() {
  constexpr std::uint64_t kPerProcess = 1'000'000'000;
  return std::uint64_t{g_process.header->pid} * kPerProcess +
         g_process.last_request.fetch_add(1, std::memory_order_relaxed) + 1;
}

void put(ThreadRing& ring, const RingRecord& row) {
  RingRecord* record = next_record(ring);
  if (record == nullptr) return;
  *record = row;
  publish(ring);
}

prof_request request_begin(prof_name name, std::uint64_t begin_ticks) {
  ThreadRing* ring = thread_ring();
  if (ring == nullptr) return 0;
  std::uint64_t id = next_id();
  if (!is_sampled(id)) id |= kUnsampledBit;
  const std::uint64_t ts = begin_ticks != 0 ? begin_ticks : read_ticks(g_process.clock);
  RingRecord* record = next_record(*ring);
  if (record == nullptr) return 0;
  *record = {
      .ts = ts, .a = id, .b = 0, .name = name, .kind = RecordKind::request_begin, .flags = 0, .depth = 0};
  publish(*ring);
  return id;
}

void request_end(prof_request request, std::uint32_t status) {
  ThreadRing* ring = thread_ring();
  if (ring == nullptr || request == 0) return;
  const std::uint64_t ts = read_ticks(g_process.clock);
  RingRecord* record = next_record(*ring, true);
  if (record == nullptr) return;
  *record = {.ts = ts,
             .a = request,
             .b = 0,
             .name = 0,
             .kind = RecordKind::request_end,
             .flags = static_cast<std::uint8_t>(status),
             .depth = 0};
  publish(*ring);
  heap_tick();
}

prof_request attach(prof_request request) {
  ThreadRing* ring = thread_ring();
  if (ring == nullptr) return 0;
  const prof_request before = ring->attached;
  ring->attached = request;
  return before;
}

bool is_detailed(prof_request request) {
  return request != 0 && (request & kUnsampledBit) == 0;
}

// A thread that works only for requests that are not sampled records nothing meanwhile.
bool is_suppressed(const ThreadRing& ring, const prof_request* requests, std::uint32_t count) {
  if (ring.suppress > 0) return true;
  if (count == 0) return (ring.attached & kUnsampledBit) != 0;
  bool has_unsampled = false;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (is_detailed(requests[i])) return false;
    has_unsampled = has_unsampled || requests[i] != 0;
  }
  return has_unsampled;
}

void put_further_requests(ThreadRing& ring, const prof_request* requests, std::uint32_t count,
                          prof_request first) {
  for (std::uint32_t i = 0; i < count; ++i) {
    if (!is_detailed(requests[i]) || requests[i] == first) continue;
    put(ring, {.ts = 0,
               .a = requests[i],
               .b = 0,
               .name = 0,
               .kind = RecordKind::span_request,
               .flags = 0,
               .depth = static_cast<std::uint16_t>(ring.depth)});
  }
}

prof_span span_begin(std::uint32_t kind, prof_name name, const prof_request* requests, std::uint32_t count) {
  ThreadRing* ring = thread_ring();
  if (ring == nullptr) return 0;
  const std::uint64_t epoch_bits = std::uint64_t{ring->epoch} << 32;
  if (__builtin_expect(is_suppressed(*ring, requests, count), 0)) {
    ring->suppress += 1;
    return epoch_bits | kSuppressToken;
  }
  prof_request first = 0;
  if (kind == PROF_KIND_STAGE) {
    if (count == 0 && is_detailed(ring->attached)) first = ring->attached;
    for (std::uint32_t i = 0; i < count && first == 0; ++i)
      if (is_detailed(requests[i])) first = requests[i];
  }
  if (ring->depth >= kMaxDepth) {
    g_process.header->spans_too_deep.fetch_add(1, std::memory_order_relaxed);
    return 0;
  }
  RingRecord* record = next_record(*ring);
  if (record == nullptr) return 0;
  ring->depth += 1;
  *record = {.ts = read_ticks(g_process.clock),
             .a = first,
             .b = 0,
             .name = name,
             .kind = RecordKind::span_begin,
             .flags = static_cast<std::uint8_t>(kind),
             .depth = static_cast<std::uint16_t>(ring->depth)};
  publish(*ring);
  if (kind == PROF_KIND_STAGE && count > 1) put_further_requests(*ring, requests, count, first);
  std::uint64_t token = epoch_bits | kOpenToken | ring->depth;
  if (kind == PROF_KIND_STAGE) {
    ring->stages += 1;
    token |= kStageToken;
  }
  // Where nobody announces requests, a model run takes their place in sampling: its total always, its
  // operators by chance.
  if (kind == PROF_KIND_RUN && ring->attached == 0 && ring->stages == 0 && !is_sampled(next_id())) {
    ring->suppress += 1;
    token |= kSuppressToken;
  }
  return token;
}

// The open span of a token on this thread: its depth, or 0.
std::uint32_t depth_of(const ThreadRing& ring, prof_span span) {
  if (span >> 32 != ring.epoch || (span & kOpenToken) == 0) return 0;
  const auto depth = static_cast<std::uint32_t>(span & 0xffff);
  return depth <= ring.depth ? depth : 0;
}

void span_end(prof_span span) {
  ThreadRing* ring = thread_ring();
  if (ring == nullptr) return;
  if ((span & kSuppressToken) != 0 && span >> 32 == ring->epoch && ring->suppress > 0) ring->suppress -= 1;
  const std::uint32_t depth = depth_of(*ring, span);
  if (depth == 0) return;
  ring->depth = depth - 1;
  if ((span & kStageToken) != 0 && ring->stages > 0) ring->stages -= 1;
  if (ring->depth == 0) ring->stages = 0;
  const std::uint64_t ts = read_ticks(g_process.clock);
  RingRecord* record = next_record(*ring, true);
  if (record == nullptr) return;
  *record = {.ts = ts,
             .a = 0,
             .b = 0,
             .name = 0,
             .kind = RecordKind::span_end,
             .flags = 0,
             .depth = static_cast<std::uint16_t>(depth)};
  publish(*ring);
}

void span_arg(prof_span span, prof_name key, std::uint32_t type, std::uint64_t bits) {
  ThreadRing* ring = thread_ring();
  const std::uint32_t depth = ring == nullptr ? 0 : depth_of(*ring, span);
  if (depth == 0) return;
  put(*ring, {.ts = 0,
              .a = bits,
              .b = 0,
              .name = key,
              .kind = RecordKind::span_arg,
              .flags = static_cast<std::uint8_t>(type),
              .depth = static_cast<std::uint16_t>(depth)});
}

void put_flow(prof_span span, RecordKind kind, std::uint64_t flow) {
  ThreadRing* ring = thread_ring();
  const std::uint32_t depth = ring == nullptr ? 0 : depth_of(*ring, span);
  if (depth == 0) return;
  put(*ring, {.ts = 0,
              .a = flow,
              .b = 0,
              .name = 0,
              .kind = kind,
              .flags = 0,
              .depth = static_cast<std::uint16_t>(depth)});
}
std::uint64_t flow_out(prof_span span) {
  if ((span & kOpenToken) == 0 || g_process.header == nullptr) return 0;
  const std::uint64_t flow = next_id();
  put_flow(span, RecordKind::flow_out, flow);
  return flow;
}
void flow_in(prof_span span, std::uint64_t flow) {
  put_flow(span, RecordKind::flow_in, flow);
}

void async(std::uint32_t kind, prof_name name, prof_request request, std::uint64_t begin_ticks,
           std::uint64_t end_ticks, std::uint32_t wait_class) {
  ThreadRing* ring = thread_ring();
  if (ring == nullptr || (request & kUnsampledBit) != 0 || end_ticks < begin_ticks) return;
  put(*ring, {.ts = begin_ticks,
              .a = end_ticks,
              .b = request,
              .name = name,
              .kind = RecordKind::async,
              .flags = static_cast<std::uint8_t>(kind),
              .depth = static_cast<std::uint16_t>(wait_class)});
}

void wait_begin(prof_name name, prof_request request, std::uint64_t begin_ticks, std::uint32_t wait_class) {
  ThreadRing* ring = thread_ring();
  if (ring == nullptr || (request & kUnsampledBit) != 0) return;
  put(*ring, {.ts = begin_ticks,
              .a = 0,
              .b = request,
              .name = name,
              .kind = RecordKind::wait_begin,
              .flags = 0,
              .depth = static_cast<std::uint16_t>(wait_class)});
}

void counter(prof_name name, prof_name unit, double value) {
  ThreadRing* ring = thread_ring();
  if (ring == nullptr) return;
  put(*ring, {.ts = read_ticks(g_process.clock),
              .a = std::bit_cast<std::uint64_t>(value),
              .b = unit,
              .name = name,
              .kind = RecordKind::counter,
              .flags = 0,
              .depth = 0});
}

void op(prof_op op_id, std::uint64_t begin_ticks, std::uint64_t end_ticks) {
  ThreadRing* ring = thread_ring();
  if (ring == nullptr || ring->suppress > 0 || (ring->attached & kUnsampledBit) != 0) return;
  put(*ring, {.ts = begin_ticks,
              .a = end_ticks,
              .b = 0,
              .name = op_id,
              .kind = RecordKind::op,
              .flags = 0,
              .depth = 0});
}

// Only in a process that has announced itself, as the shim does when it is loaded: the mutex may be that of
// an allocator, which registering calls. A forked child has its first other call of the SDK to do so.
void lock(const void* mutex, std::uint32_t owner_tid, std::uint64_t begin_ticks, std::uint64_t end_ticks) {
  if (g_process.header == nullptr) return;
  ThreadRing* ring = thread_ring();
  if (ring == nullptr || ring->suppress > 0) return;
  put(*ring, {.ts = begin_ticks,
              .a = end_ticks,
              .b = reinterpret_cast<std::uintptr_t>(mutex),
              .name = owner_tid,
              .kind = RecordKind::lock,
              .flags = 0,
              .depth = 0});
}

void hook_state(std::uint32_t state, const char* version, const char* detail, std::uint32_t hooked) {
  if (!register_process()) return;
  RingHeader& h = *g_process.header;
  h.hook_version.store(intern(version, std::strlen(version)), std::memory_order_relaxed);
  h.hook_detail.store(intern(detail, std::strlen(detail)), std::memory_order_relaxed);
  h.hook_count.store(hooked, std::memory_order_relaxed);
  h.hook_state.store(static_cast<HookState>(state), std::memory_order_release);
}

// A row of the operator table marked as a fact: a key and a value for the trace's metadata.
void fact(const char* key, const char* value) {
  RingOp row{};
  row.name = intern(key, std::strlen(key));
  row.op_type = intern(value, std::strlen(value));
  row.reserved = 1;
  if (row.name != 0) (void)define_op_ids(row);
}

void service(const char* name, std::size_t length) {
  if (!register_process()) return;
  const prof_name id = intern(name, length);
  if (id != 0) g_process.header->service.store(id, std::memory_order_release);
}

std::uint64_t now_ticks() {
  return read_ticks(g_process.clock);
}

constexpr prof_sdk_table kTable{.version = 1,
                                .bytes = sizeof(prof_sdk_table),
                                .add_copy = add_copy,
                                .remove_copy = remove_copy,
                                .service = service,
                                .intern = intern,
                                .op_define = define_op,
                                .ticks = now_ticks,
                                .request_begin = request_begin,
                                .request_end = request_end,
                                .attach = attach,
                                .span_begin = span_begin,
                                .span_end = span_end,
                                .span_arg = span_arg,
                                .flow_out = flow_out,
                                .flow_in = flow_in,
                                .async = async,
                                .counter = counter,
                                .op = op,
                                .lock = lock,
                                .heap_tick = heap_tick,
                                .hook_state = hook_state,
                                .fact = fact,
                                .wait_begin = wait_begin};

// Another copy of the SDK earlier in the search order (the preloaded shim, an annotated library) takes over.
__attribute__((constructor(101))) void join_first_copy() {
  using Entry = const prof_sdk_table* (*)();
  const auto entry = reinterpret_cast<Entry>(dlsym(RTLD_DEFAULT, "prof_sdk_v1"));
  if (entry == nullptr || g_process.header != nullptr) return;
  const prof_sdk_table* first = entry();
  if (first == nullptr || first == &kTable || first->version != 1 || first->bytes < sizeof(prof_sdk_table))
    return;
  prof_sdk_api = first;
  first->add_copy(&prof_sdk_word);
}
__attribute__((destructor(101))) void leave_first_copy() {
  if (prof_sdk_api != &kTable) prof_sdk_api->remove_copy(&prof_sdk_word);
}

} // namespace

const prof_sdk_table* own_table() {
  return &kTable;
}

} // namespace prof::sdk

const prof_sdk_table* prof_sdk_api = &prof::sdk::kTable;

extern "C" const prof_sdk_table* prof_sdk_v1(void) {
  return prof::sdk::own_table();
}
