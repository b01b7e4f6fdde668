#include "tracefile/packet_splitter.hpp"

#include "tracefile/fields.hpp"

#include <algorithm>
#include <array>
#include <protozero/exception.hpp>
#include <protozero/varint.hpp>
#include <utility>

namespace prof::detail {
namespace {

constexpr std::uint64_t kMaxPacket = std::uint64_t{256} << 20; // a longer one is damage, not data
constexpr std::uint64_t kMaxFound = std::uint64_t{1} << 20;    // behind damage; recorders write under 512 KiB
constexpr pb::Field kMaxField = 2000;  // TracePacket ends at 900, its extensions at 1999
constexpr std::size_t kMaxFields = 32; // of one packet behind damage; no field of a packet repeats

enum class Fit : std::uint8_t { yes, maybe, no }; // maybe: the bytes end before it can be told

bool is_varint_field(pb::Field field) {
  return field == pb::packet::kTimestamp || field == pb::packet::kSequenceId ||
         field == pb::packet::kSequenceFlags || field == pb::packet::kClockId;
}

// Walks the fields of a packet of `length` bytes, of which `here` are at hand. `is_strict` asks for what a
// recorder writes: no field twice, and either a sequence or nothing but a compressed group.
Fit fields_fit(std::string_view here, std::uint64_t length, bool is_strict) {
  const Fit cut = here.size() < length ? Fit::maybe : Fit::no;
  here = here.substr(0, length);
  const char* at = here.data();
  const char* const end = here.data() + here.size();
  std::array<pb::Field, kMaxFields> seen{};
  std::size_t fields = 0;
  bool has_sequence = false, has_group = false;
  try {
    while (at != end) {
      const std::uint64_t tag = protozero::decode_varint(&at, end);
      const auto field = static_cast<pb::Field>(tag >> 3);
      if (field == 0 || tag > 0xffffffffU) return Fit::no;
      if (is_strict) {
        if (field >= kMaxField || fields == kMaxFields || (is_varint_field(field) && (tag & 7U) != 0))
          return Fit::no;
        if (std::find(seen.begin(), seen.begin() + fields, field) != seen.begin() + fields) return Fit::no;
        seen[fields++] = field;
      }
      std::uint64_t size = 0;
      switch (tag & 7U) {
      case 0: {
        const std::uint64_t value = protozero::decode_varint(&at, end);
        has_sequence = has_sequence || (field == pb::packet::kSequenceId && value != 0);
        break;
      }
      case 1:
        size = 8;
        break;
      case 2:
        size = protozero::decode_varint(&at, end);
        has_group = has_group || field == pb::packet::kCompressed || field == pb::packet::kZstdCompressed;
        break;
      case 5:
        size = 4;
        break;
      default:
        return Fit::no;
      }
      const auto position = static_cast<std::uint64_t>(at - here.data());
      if (size > length - position) return Fit::no;
      if (size > static_cast<std::uint64_t>(end - at)) return Fit::maybe;
      at += size;
    }
  } catch (const protozero::varint_too_long_exception&) {
    return Fit::no;
  } catch (const protozero::end_of_buffer_exception&) {
    return cut;
  }
  if (here.size() < length) return Fit::maybe;
  if (is_strict && !has_sequence && !(has_group && fields == 1)) return Fit::no;
  return Fit::yes;
}

struct Frame {
  Fit fit = Fit::maybe;
  std::string_view content = {};
  std::size_t size = 0; // of the whole frame
};

// The frame that begins at `bytes`.
Frame frame_at(std::string_view bytes, std::uint64_t max_length, bool is_strict) {
  if (bytes.empty()) return {};
  if (bytes.front() != '\x0a') return {.fit = Fit::no}; // a trace holds nothing but packets
  const char* at = bytes.data() + 1;
  const char* const end = bytes.data() + bytes.size();
  try {
    const std::uint64_t length = protozero::decode_varint(&at, end);
    if (length > max_length) return {.fit = Fit::no};
    const auto head = static_cast<std::size_t>(at - bytes.data());
    Frame frame{.fit = fields_fit(bytes.substr(head), length, is_strict)};
    if (frame.fit != Fit::yes) return frame;
    frame.content = bytes.substr(head, length);
    frame.size = head + frame.content.size();
    return frame;
  } catch (const protozero::varint_too_long_exception&) {
    return {.fit = Fit::no};
  } catch (const protozero::end_of_buffer_exception&) {
    return {};
  }
}

} // namespace

void PacketSplitter::feed(std::string_view bytes) {
  buffer_.erase(0, at_);
  base_ += static_cast<std::int64_t>(at_);
  at_ = 0;
  buffer_.append(bytes);
}

std::optional<PacketSplitter::Piece> PacketSplitter::next() {
  for (;;) {
    if (is_searching_ && !search()) return std::nullopt;
    const Frame frame = frame_at(std::string_view(buffer_).substr(at_), kMaxPacket, false);
    if (frame.fit == Fit::yes) {
      const Piece piece{.packet = frame.content,
                        .offset = base_ + static_cast<std::int64_t>(at_),
                        .skipped = std::exchange(skipped_, 0)};
      at_ += frame.size;
      is_cut_ = false;
      return piece;
    }
    if (at_ == buffer_.size() || (frame.fit == Fit::maybe && !is_ended_)) return std::nullopt;
    // Either the file was cut inside this packet, or its length is damaged: what stands behind tells.
    is_cut_ = frame.fit == Fit::maybe;
    is_searching_ = true;
    at_++;
    skipped_++;
  }
}

// Moves at_ to the next believable frame; false: there is none among the bytes at hand.
bool PacketSplitter::search() {
  while (at_ < buffer_.size()) {
    const std::size_t found = std::min(buffer_.find('\x0a', at_), buffer_.size());
    skipped_ += static_cast<std::int64_t>(found - at_);
    at_ = found;
    const std::string_view bytes = std::string_view(buffer_).substr(at_);
    const Frame frame = frame_at(bytes, kMaxFound, true);
    if (frame.fit == Fit::maybe && !is_ended_) return false;
    if (frame.fit == Fit::yes) {
      const std::string_view behind = bytes.substr(frame.size);
      if (behind.empty() || frame_at(behind, kMaxPacket, false).fit != Fit::no) {
        is_searching_ = false;
        return true;
      }
    }
    at_++;
    skipped_++;
  }
  return false;
}

PacketSplitter::Rest PacketSplitter::rest() const {
  const auto left = static_cast<std::int64_t>(buffer_.size() - at_);
  return {.offset = base_ + static_cast<std::int64_t>(at_) - skipped_,
          .bytes = left + skipped_,
          .is_damage = !is_cut_ && left + skipped_ > 0};
}

} // namespace prof::detail
