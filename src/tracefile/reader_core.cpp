#include "tracefile/reader_core.hpp"

#include "tracefile/proto_message.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace prof::detail {
namespace {

constexpr std::uint64_t kMaxMultiplier = 1'000'000'000'000;

// a + b and a - b modulo 2^64: hostile times may wrap, but never undefined behaviour.
std::int64_t wrap_add(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
std::int64_t wrap_sub(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}
std::int64_t wrap_mul(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

struct SnapshotClock {
  std::uint32_t id = 0;
  std::int64_t timestamp = 0, multiplier = 1;
  bool is_incremental = false;
};

SnapshotClock read_clock(Message message) {
  SnapshotClock clock;
  while (message.next())
    switch (message.tag()) {
    case pb::clocks::kClockId:
      clock.id = message.number32();
      break;
    case pb::clocks::kTimestamp:
      clock.timestamp = message.integer();
      break;
    case pb::clocks::kIsIncremental:
      clock.is_incremental = message.number() != 0;
      break;
    case pb::clocks::kMultiplier:
      clock.multiplier = static_cast<std::int64_t>(std::min(message.number(), kMaxMultiplier));
      break;
    default:
      message.skip();
    }
  return clock;
}

bool is_user(std::uint32_t clock) {
  return clock >= pb::clocks::kFirstUser && clock <= pb::clocks::kLastUser;
}

} // namespace

void SequenceState::clear_tables() {
  for (auto& table : texts)
    table.clear();
  mappings.clear();
  frames.clear();
  callstacks.clear();
  gpu_specs.clear();
  kernels.clear();
  gpu_contexts.clear();
  gpu_counters.clear();
  tasks.clear();
  cpus.clear();
  descriptors.clear();
  annotation_names.clear();
  stream_of_queue.clear();
  mapping_paths.clear();
  compute_arg_names.clear();
  has_old_tables = false;
}

void SequenceState::clear_incremental() {
  clear_tables();
  counter_sums.clear();
  has_lost_sums = false;
  defaults = {};
  is_valid = true;
  awaits_anchor = false;
}

void SequenceState::doubt(bool is_clock_lost) {
  has_old_tables = true;
  has_lost_sums = true;
  has_lost_clock = has_lost_clock || is_clock_lost;
}

bool SequenceState::has_lost(std::uint32_t clock) const {
  if (!has_lost_clock) return false;
  const auto at = clocks.find(clock == 0 ? defaults.clock : clock);
  return at != clocks.end() && at->second.is_incremental;
}

void SequenceState::lose() {
  awaits_anchor = awaits_anchor || is_valid;
  is_valid = false;
  has_lost_counts = true;
  sample_counts.clear();
}

void ClockMap::add_snapshot(std::string_view message, SequenceState& sequence) {
  std::vector<SnapshotClock> clocks;
  std::uint32_t primary = 0;
  Message snapshot(message);
  while (snapshot.next())
    switch (snapshot.tag()) {
    case pb::clocks::kClocks:
      clocks.push_back(read_clock(snapshot.message()));
      break;
    case pb::clocks::kPrimary:
      primary = snapshot.number32();
      break;
    default:
      snapshot.skip();
    }
  const auto find = [&](std::uint32_t id) -> const SnapshotClock* {
    for (const SnapshotClock& clock : clocks)
      if (clock.id == id) return &clock;
    return nullptr;
  };
  if (!trace_clock_ && primary != 0) trace_clock_ = primary;
  if (!trace_clock_ && find(pb::clocks::kBoottime) != nullptr) trace_clock_ = pb::clocks::kBoottime;
  for (const SnapshotClock& clock : clocks)
    if (!trace_clock_ && !is_user(clock.id)) trace_clock_ = clock.id;
  if (!trace_clock_) return;
  offsets_[*trace_clock_] = 0;
  // The instant of the snapshot in trace time: from the trace clock itself, else from any clock already
  // related to it.
  std::optional<std::int64_t> now;
  if (const SnapshotClock* clock = find(*trace_clock_)) now = clock->timestamp;
  for (const SnapshotClock& clock : clocks)
    if (const auto at = offsets_.find(clock.id); !now && at != offsets_.end())
      now = wrap_add(clock.timestamp, at->second);
  if (!now) return;
  for (const SnapshotClock& clock : clocks) {
    if (is_user(clock.id) && clock.is_incremental) sequence.has_lost_clock = false;
    if (is_user(clock.id))
      sequence.clocks[clock.id] = {.value = clock.timestamp,
                                   .trace_ts = *now,
                                   .multiplier = clock.multiplier,
                                   .is_incremental = clock.is_incremental};
    else
      offsets_[clock.id] = wrap_sub(*now, clock.timestamp);
  }
}

std::optional<std::int64_t> ClockMap::to_trace(SequenceState& sequence, std::uint32_t clock,
                                               std::uint64_t timestamp) const {
  const auto raw = static_cast<std::int64_t>(timestamp);
  if (clock == 0) clock = sequence.defaults.clock;
  if (is_user(clock)) {
    const auto at = sequence.clocks.find(clock);
    if (at == sequence.clocks.end()) return std::nullopt;
    UserClock& user = at->second;
    if (!user.is_incremental)
      return wrap_add(user.trace_ts, wrap_mul(wrap_sub(raw, user.value), user.multiplier));
    user.trace_ts = wrap_add(user.trace_ts, wrap_mul(raw, user.multiplier));
    return user.trace_ts;
  }
  if (clock == 0) clock = pb::clocks::kBoottime;
  if (const auto at = offsets_.find(clock); at != offsets_.end()) return wrap_add(raw, at->second);
  if (offsets_.empty()) return raw; // a file without snapshots has one clock
  return std::nullopt;
}

Id<Process> ReaderCore::process(std::int64_t pid, StrId name, StrId cmdline, bool is_renamed) {
  const auto at = processes_.find(pid);
  if (at != processes_.end() && name.is_empty() && cmdline.is_empty()) return at->second;
  const Id<Process> id =
      sink_.process({.pid = pid, .name = name, .cmdline = cmdline, .is_renamed = is_renamed});
  processes_[pid] = id;
  return id;
}

Id<Thread> ReaderCore::thread(std::int64_t pid, std::int64_t tid, StrId name, bool is_renamed) {
  const auto at = threads_.find({pid, tid});
  if (at != threads_.end() && name.is_empty()) return at->second;
  // pid 0 is "not known", unless the trace describes such a process itself.
  const Id<Process> owner = pid != 0 || processes_.contains(0) ? process(pid) : Id<Process>{};
  const Id<Thread> id = sink_.thread({.process = owner, .tid = tid, .name = name, .is_renamed = is_renamed});
  threads_[{pid, tid}] = id;
  return id;
}

void ReaderCore::note(Severity severity, std::string_view code, std::string_view where, std::int64_t count) {
  const auto [at, is_new] = notes_.try_emplace(std::string(code), Entry{severity, 0, std::string(where)});
  at->second.count += count;
}

void ReaderCore::hand_over_notes() {
  for (const auto& [code, entry] : notes_)
    sink_.note({.severity = entry.severity,
                .code = intern(code),
                .count = entry.count,
                .where = intern(entry.where)});
  notes_.clear();
}

std::string hex_of(std::string_view bytes) {
  std::string hex;
  for (const char c : bytes)
    hex += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return hex;
}

std::optional<Layer> layer_from(std::string_view name) {
  constexpr std::array<std::string_view, 6> kNames{"application", "framework", "runtime",
                                                   "device",      "os",        "hardware"};
  const auto at = std::find(kNames.begin(), kNames.end(), name);
  if (at == kNames.end()) return std::nullopt;
  return static_cast<Layer>(at - kNames.begin());
}

Layer ReaderCore::layer_of(StrId name) {
  if (layers_.empty())
    for (const std::string_view text : {"application", "framework", "runtime", "device", "os", "hardware"})
      layers_[sink_.intern(text)] = *layer_from(text);
  const auto at = layers_.find(name);
  return at == layers_.end() ? Layer::application : at->second;
}

} // namespace prof::detail
