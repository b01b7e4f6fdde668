#include "tracefile/sequence.hpp"

#include <protozero/pbf_writer.hpp>
#include <utility>

namespace prof::detail {
namespace {

constexpr std::array<pb::Field, kInternedKinds> kTextField{
    pb::interned::kCategories,        pb::interned::kEventNames,     pb::interned::kAnnotationNames,
    pb::interned::kAnnotationStrings, pb::interned::kFunctionNames,  pb::interned::kMappingPaths,
    pb::interned::kSourcePaths,       pb::interned::kComputeArgNames};

} // namespace

// Where the row is, or where it belongs.
std::size_t IidTable::place(std::uint32_t row) const {
  constexpr std::uint32_t kSpread = 2654435769; // 2^32 / golden ratio (Knuth, TAOCP 3, 6.4)
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = (row * kSpread >> 8) & mask;
  while (slots_[at].value.iid != 0 && slots_[at].row != row)
    at = (at + 1) & mask;
  return at;
}

void IidTable::grow() {
  const std::vector<Slot> old =
      std::exchange(slots_, std::vector<Slot>(std::max<std::size_t>(8, 2 * slots_.size())));
  for (const Slot& slot : old)
    if (slot.value.iid != 0) slots_[place(slot.row)] = slot;
}

Iid& IidTable::of(StrId text) {
  if (std::size_t{size_} * 4 >= slots_.size() * 3) grow();
  Slot& slot = slots_[place(text.row)];
  if (slot.value.iid == 0) slot = {.row = text.row, .value = {.iid = ++size_}};
  return slot.value;
}

Sequence::Sequence(WriterCore& core, std::string defaults)
    : core_(core), defaults_(std::move(defaults)), id_(core.next_sequence++) {}

bool Sequence::renew() {
  if (started_in_ == core_.starts.number()) return false;
  started_in_ = core_.starts.number();
  needs_start_ = true;
  return true;
}

std::uint32_t Sequence::text_iid(Interned kind, StrId text) {
  renew();
  auto& [iid, defined_in, again_behind] = iids_[static_cast<std::size_t>(kind)].of(text);
  const bool is_new = std::exchange(defined_in, started_in_) != started_in_;
  const bool is_again = !is_new && again_behind >= 0 && again_behind != core_.file.group();
  if (is_new || is_again) {
    again_behind = is_new && core_.stands_damage ? core_.file.group() : -1;
    protozero::pbf_writer interned(new_interned_);
    protozero::pbf_writer entry(interned, kTextField[static_cast<std::size_t>(kind)]);
    entry.add_uint32(pb::interned::kIid, iid);
    const std::string_view bytes = core_.strings.text(text);
    entry.add_bytes(pb::interned::kText, bytes.data(), bytes.size());
  }
  return iid;
}

void Sequence::add_interned(pb::Field field, std::string_view message) {
  protozero::pbf_writer interned(new_interned_);
  interned.add_message(field, message.data(), message.size());
}

void Sequence::add(std::int64_t ts, pb::Field field, std::string_view payload, bool is_absolute) {
  renew();
  if (std::exchange(needs_start_, false))
    start(ts);
  else if (anchored_in_ != core_.anchors.number() || enters_group())
    anchor(ts);
  scratch_.clear();
  protozero::pbf_writer packet(scratch_);
  if (ts >= clock_ && !is_absolute) {
    packet.add_uint64(pb::packet::kTimestamp,
                      static_cast<std::uint64_t>(ts) - static_cast<std::uint64_t>(clock_));
    clock_ = ts;
  } else {
    packet.add_uint64(pb::packet::kTimestamp, static_cast<std::uint64_t>(ts));
    packet.add_uint32(pb::packet::kClockId, pb::clocks::kMonotonic);
  }
  packet.add_message(field, payload.data(), payload.size());
  packet.add_uint32(pb::packet::kSequenceId, id_);
  packet.add_uint32(pb::packet::kSequenceFlags, pb::packet::kFlagNeedsState);
  if (!new_interned_.empty()) {
    packet.add_message(pb::packet::kInternedData, new_interned_);
    core_.starts.will_repeat(new_interned_.size());
    new_interned_.clear();
  }
  if (ts > core_.last_ts) core_.last_ts = ts;
  core_.file.add(scratch_);
}

namespace {

// From here on times of this sequence are deltas to `ts`.
std::string delta_clock(std::int64_t ts) {
  std::string bytes;
  protozero::pbf_writer message(bytes);
  const auto clock = [&](std::uint32_t id, bool is_incremental) {
    protozero::pbf_writer entry(message, pb::clocks::kClocks);
    entry.add_uint32(pb::clocks::kClockId, id);
    entry.add_uint64(pb::clocks::kTimestamp, static_cast<std::uint64_t>(ts));
    if (is_incremental) entry.add_bool(pb::clocks::kIsIncremental, true);
  };
  clock(pb::clocks::kFirstUser, true);
  clock(pb::clocks::kMonotonic, false);
  return bytes;
}

} // namespace

// The clock of a sequence that went on before never goes back: Perfetto refuses such snapshots.
void Sequence::start(std::int64_t ts) {
  const bool is_first = !std::exchange(is_started_, true);
  clock_ = is_first ? ts : std::max(ts, clock_);
  anchored_in_ = core_.anchors.number();
  std::string bytes;
  protozero::pbf_writer packet(bytes);
  packet.add_message(pb::packet::kClockSnapshot, delta_clock(clock_));
  packet.add_uint32(pb::packet::kSequenceId, id_);
  packet.add_uint32(pb::packet::kSequenceFlags, pb::packet::kFlagCleared);
  packet.add_message(pb::packet::kDefaults, defaults());
  if (is_first) packet.add_bool(pb::packet::kFirstOnSequence, true);
  core_.file.add(bytes);
  group_ = core_.file.group();
  is_second_due_ = core_.stands_damage;
  core_.starts.will_repeat(bytes.size());
  core_.anchors.will_repeat(bytes.size());
}

std::string Sequence::defaults() const {
  std::string bytes;
  protozero::pbf_writer(bytes).add_uint32(pb::defaults::kClockId, pb::clocks::kFirstUser);
  return bytes + defaults_;
}

// In its second group a sequence also gives its defaults again: the reader needs nothing of the first.
void Sequence::anchor(std::int64_t ts) {
  const bool is_second = starts_again();
  anchored_in_ = core_.anchors.number();
  clock_ = std::max(ts, clock_);
  std::string bytes;
  protozero::pbf_writer packet(bytes);
  packet.add_message(pb::packet::kClockSnapshot, delta_clock(clock_));
  packet.add_uint32(pb::packet::kSequenceId, id_);
  if (is_second) packet.add_message(pb::packet::kDefaults, defaults());
  core_.file.add(bytes);
  group_ = core_.file.group();
  is_second_due_ = is_second_due_ && !is_second;
  core_.anchors.will_repeat(bytes.size());
}

StrId arg_key(WriterCore& core, StrId key) {
  const std::string_view text = core.strings.text(key);
  if (!text.starts_with(pb::kOurPrefix)) return key;
  return core.strings.intern(std::string(pb::kArgPrefix).append(text));
}

void add_global(WriterCore& core, pb::Field field, std::string_view payload, std::int64_t ts) {
  std::string bytes;
  protozero::pbf_writer packet(bytes);
  if (ts >= 0) {
    packet.add_uint64(pb::packet::kTimestamp, static_cast<std::uint64_t>(ts));
    packet.add_uint32(pb::packet::kClockId, pb::clocks::kMonotonic);
  }
  packet.add_message(field, payload.data(), payload.size());
  packet.add_uint32(pb::packet::kSequenceId, 1);
  core.file.add(bytes);
}

void add_state(WriterCore& core, pb::Field field, std::string_view payload) {
  add_global(core, field, payload);
  core.starts.will_repeat(payload.size());
}

} // namespace prof::detail
