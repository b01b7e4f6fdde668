// The append-only tables of a process: texts and operators. Looking up is lock-free; adding takes the lock,
// once per text.
#include "sdk/process.hpp"

#include <cstring>
#include <sys/mman.h>

namespace prof::sdk {

namespace {

constexpr std::uint32_t kIndexSize = 64 * 1024; // a power of two; at most half is filled
constexpr std::uint32_t kTableStep = 64 * 1024; // bytes of shared memory taken at once
struct IndexCell {
  std::atomic<std::uint64_t> hash_and_id; // hash << 32 | id; 0 = empty
};
IndexCell g_name_index[kIndexSize];
IndexCell g_op_index[kIndexSize];
std::uint32_t g_names_indexed = 0;

std::uint64_t hash_of(const void* data, std::size_t length) {
  // FNV-1a by 8 bytes with a final mix; speed matters for names made at run time.
  const auto* at = static_cast<const unsigned char*>(data);
  std::uint64_t h = 0xcbf29ce484222325ull ^ length;
  for (; length >= 8; at += 8, length -= 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, 8);
    h = (h ^ word) * 0x9e3779b97f4a7c15ull;
    h ^= h >> 29;
  }
  for (; length > 0; ++at, --length)
    h = (h ^ *at) * 0x100000001b3ull;
  h ^= h >> 32;
  h *= 0xd6e8feb86659fd93ull;
  return h ^ (h >> 32);
}

// Walks the cells of `hash`; `is_same(id)` decides. Returns the id, or 0 with `free_cell` where it would go.
template <class IsSame>
std::uint32_t look_up(IndexCell* index, std::uint32_t hash, IsSame is_same, std::uint32_t& free_cell) {
  std::uint32_t cell = hash & (kIndexSize - 1);
  for (std::uint32_t tries = 0; tries < kIndexSize; ++tries, cell = (cell + 1) & (kIndexSize - 1)) {
    const std::uint64_t seen = index[cell].hash_and_id.load(std::memory_order_acquire);
    if (seen == 0) {
      free_cell = cell;
      return 0;
    }
    const auto id = static_cast<std::uint32_t>(seen);
    if (static_cast<std::uint32_t>(seen >> 32) == hash && is_same(id)) return id;
  }
  free_cell = kIndexSize;
  return 0;
}

bool is_name(prof_name id, const char* text, std::uint32_t length) {
  const Text have = name_text(id);
  return have.length == length && std::memcmp(have.data, text, length) == 0;
}

// Grows the part of a table that has memory. With the lock held.
bool make_ready(std::uint32_t& ready, std::uint64_t table_offset, std::uint64_t table_bytes,
                std::uint64_t needed) {
  while (ready < needed) {
    if (ready + kTableStep > table_bytes || !take_memory(table_offset + ready, kTableStep)) return false;
    ready += kTableStep;
  }
  return true;
}

// With the lock held: the id of a text that is not in the index yet.
prof_name add_name(const char* text, std::uint32_t length) {
  RingHeader& h = *g_process.header;
  const std::uint32_t at = h.names_used.load(std::memory_order_relaxed);
  const std::uint32_t next = (at + 4 + length + kNameAlign - 1) / kNameAlign * kNameAlign;
  if (next > kNamesBytes || g_names_indexed >= kIndexSize / 2 ||
      !make_ready(g_process.names_ready, h.names_offset, kNamesBytes, next)) {
    h.names_lost.fetch_add(1, std::memory_order_relaxed);
    return 0;
  }
  std::memcpy(g_process.names + at, &length, 4);
  std::memcpy(g_process.names + at + 4, text, length);
  h.names_used.store(next, std::memory_order_release);
  g_names_indexed += 1;
  return at / kNameAlign;
}

} // namespace

Text name_text(prof_name name) {
  const RingHeader* h = g_process.header;
  const std::uint64_t at = std::uint64_t{name} * kNameAlign;
  if (name == 0 || h == nullptr || at + 4 > h->names_used.load(std::memory_order_acquire)) return {};
  std::uint32_t length = 0;
  std::memcpy(&length, g_process.names + at, 4);
  return {.data = g_process.names + at + 4, .length = length};
}

prof_name intern(const char* text, std::size_t length) {
  if (length == 0 || text == nullptr) return 0;
  if (g_process.header == nullptr && !register_process()) return 0;
  const auto n = static_cast<std::uint32_t>(length < kMaxNameBytes ? length : kMaxNameBytes);
  const auto hash = static_cast<std::uint32_t>(hash_of(text, n));
  const auto is_same = [&](std::uint32_t id) { return is_name(id, text, n); };
  std::uint32_t cell = 0;
  if (const std::uint32_t id = look_up(g_name_index, hash, is_same, cell); id != 0) return id;
  const Held held(g_process.lock);
  if (g_process.header == nullptr) return 0;
  if (const std::uint32_t id = look_up(g_name_index, hash, is_same, cell); id != 0) return id;
  if (cell == kIndexSize) return 0;
  const prof_name id = add_name(text, n);
  if (id != 0)
    g_name_index[cell].hash_and_id.store(std::uint64_t{hash} << 32 | id, std::memory_order_release);
  return id;
}

prof_op define_op_ids(const RingOp& row) {
  if (g_process.header == nullptr && !register_process()) return 0;
  const auto hash = static_cast<std::uint32_t>(hash_of(&row, sizeof row));
  const auto is_same = [&](std::uint32_t id) {
    return std::memcmp(&g_process.ops[id], &row, sizeof row) == 0;
  };
  std::uint32_t cell = 0;
  if (const std::uint32_t id = look_up(g_op_index, hash, is_same, cell); id != 0) return id;
  const Held held(g_process.lock);
  if (g_process.header == nullptr) return 0;
  if (const std::uint32_t id = look_up(g_op_index, hash, is_same, cell); id != 0) return id;
  RingHeader& h = *g_process.header;
  const std::uint32_t id = h.ops_used.load(std::memory_order_relaxed);
  const std::uint64_t needed = std::uint64_t{id + 1} * sizeof(RingOp);
  if (id >= kOpCount / 2 || cell == kIndexSize ||
      !make_ready(g_process.ops_ready, h.ops_offset, std::uint64_t{kOpCount} * sizeof(RingOp), needed)) {
    h.ops_lost.fetch_add(1, std::memory_order_relaxed);
    return 0;
  }
  std::memcpy(&g_process.ops[id], &row, sizeof row);
  h.ops_used.store(id + 1, std::memory_order_release);
  g_op_index[cell].hash_and_id.store(std::uint64_t{hash} << 32 | id, std::memory_order_release);
  return id;
}

prof_op define_op(const prof_op_info* info) {
  if (info == nullptr) return 0;
  const auto id = [](const char* text) { return text == nullptr ? 0 : intern(text, std::strlen(text)); };
  RingOp row{};
  row.name = id(info->name);
  row.op_type = id(info->op_type);
  row.model = id(info->model);
  row.provider = id(info->provider);
  row.input_shapes = id(info->input_shapes);
  row.output_shapes = id(info->output_shapes);
  row.input_dtypes = id(info->input_dtypes);
  return define_op_ids(row);
}

// With the lock held. The index was inherited and keeps its meaning; entries that the parent added after
// fork() are copied along and merely unknown to it.
void copy_tables_from(const RingHeader* old_header) {
  RingHeader& h = *g_process.header;
  const auto* old_base = reinterpret_cast<const char*>(old_header);
  const std::uint32_t names = old_header->names_used.load(std::memory_order_acquire);
  const std::uint32_t ops = old_header->ops_used.load(std::memory_order_acquire);
  if (!make_ready(g_process.names_ready, h.names_offset, kNamesBytes, names) ||
      !make_ready(g_process.ops_ready, h.ops_offset, std::uint64_t{kOpCount} * sizeof(RingOp),
                  std::uint64_t{ops} * sizeof(RingOp))) {
    for (IndexCell& cell : g_name_index)
      cell.hash_and_id.store(0, std::memory_order_relaxed);
    for (IndexCell& cell : g_op_index)
      cell.hash_and_id.store(0, std::memory_order_relaxed);
    return;
  }
  std::memcpy(g_process.names, old_base + old_header->names_offset, names);
  std::memcpy(g_process.ops, old_base + old_header->ops_offset, std::uint64_t{ops} * sizeof(RingOp));
  h.names_used.store(names, std::memory_order_release);
  h.ops_used.store(ops, std::memory_order_release);
  h.service.store(old_header->service.load(std::memory_order_relaxed), std::memory_order_release);
}

} // namespace prof::sdk
