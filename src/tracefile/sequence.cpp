#include "tracefile/sequence.hpp"

#include <protozero/pbf_writer.hpp>

namespace prof::detail {
namespace {

constexpr std::array<pb::Field, kInternedKinds> kTextField{
    pb::interned::kCategories,        pb::interned::kEventNames,     pb::interned::kAnnotationNames,
    pb::interned::kAnnotationStrings, pb::interned::kFunctionNames,  pb::interned::kMappingPaths,
    pb::interned::kSourcePaths,       pb::interned::kComputeArgNames};

} // namespace

Sequence::Sequence(WriterCore& core, std::string defaults)
    : core_(core), defaults_(std::move(defaults)), id_(core.next_sequence++) {}

std::uint32_t Sequence::text_iid(Interned kind, StrId text) {
  auto& table = iids_[static_cast<std::size_t>(kind)];
  const auto [at, is_new] = table.try_emplace(text.row, static_cast<std::uint32_t>(table.size() + 1));
  if (is_new) {
    protozero::pbf_writer interned(new_interned_);
    protozero::pbf_writer entry(interned, kTextField[static_cast<std::size_t>(kind)]);
    entry.add_uint32(pb::interned::kIid, at->second);
    const std::string_view bytes = core_.strings.text(text);
    entry.add_bytes(pb::interned::kText, bytes.data(), bytes.size());
  }
  return at->second;
}

void Sequence::add_interned(pb::Field field, std::string_view message) {
  protozero::pbf_writer interned(new_interned_);
  interned.add_message(field, message.data(), message.size());
}

void Sequence::add(std::int64_t ts, pb::Field field, std::string_view payload, bool is_absolute) {
  if (!is_started_) start(ts);
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
    new_interned_.clear();
  }
  if (ts > core_.last_ts) core_.last_ts = ts;
  core_.file.add(scratch_);
}

void Sequence::start(std::int64_t ts) {
  is_started_ = true;
  clock_ = ts;
  std::string snapshot, bytes, defaults;
  {
    protozero::pbf_writer message(snapshot);
    {
      protozero::pbf_writer delta(message, pb::clocks::kClocks);
      delta.add_uint32(pb::clocks::kClockId, pb::clocks::kFirstUser);
      delta.add_uint64(pb::clocks::kTimestamp, static_cast<std::uint64_t>(ts));
      delta.add_bool(pb::clocks::kIsIncremental, true);
    }
    protozero::pbf_writer base(message, pb::clocks::kClocks);
    base.add_uint32(pb::clocks::kClockId, pb::clocks::kMonotonic);
    base.add_uint64(pb::clocks::kTimestamp, static_cast<std::uint64_t>(ts));
  }
  protozero::pbf_writer(defaults).add_uint32(pb::defaults::kClockId, pb::clocks::kFirstUser);
  defaults += defaults_;
  protozero::pbf_writer packet(bytes);
  packet.add_message(pb::packet::kClockSnapshot, snapshot);
  packet.add_uint32(pb::packet::kSequenceId, id_);
  packet.add_uint32(pb::packet::kSequenceFlags, pb::packet::kFlagCleared);
  packet.add_message(pb::packet::kDefaults, defaults);
  packet.add_bool(pb::packet::kFirstOnSequence, true);
  core_.file.add(bytes);
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

} // namespace prof::detail
