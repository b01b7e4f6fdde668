#include "tracefile/packet_splitter.hpp"

#include "tracefile/fields.hpp"

#include <algorithm>
#include <array>
#include <protozero/buffer_string.hpp>
#include <protozero/exception.hpp>
#include <protozero/varint.hpp>
#include <utility>

namespace prof::detail {
namespace {

constexpr std::uint64_t kMaxPacket = std::uint64_t{256} << 20; // a longer one is damage, not data
constexpr std::uint64_t kMaxFound = std::uint64_t{1} << 20;    // behind damage; recorders write under 512 KiB
constexpr pb::Field kMaxField = 2000;  // TracePacket ends at 900, its extensions at 1999
constexpr std::size_t kMaxFields = 32; // of one packet behind damage; no field of a packet repeats
constexpr std::size_t kMaxLength = 4;  // bytes of a frame's length: 256 MiB fit

enum class Fit : std::uint8_t { yes, maybe, no }; // maybe: the bytes end before it can be told

// Hostile bytes must not take the square of their number: of a place that may be one of many, or that is
// looked at many times, only the first fields are looked at; and all walks together may take kWalkPerByte
// fields a byte (two bytes a field at least: a file that is good is walked once).
constexpr std::size_t kGlance = 64, kMaxIncomplete = 4096;
constexpr std::int64_t kWalkPerByte = 4;

enum class Strictness : std::uint8_t {
  loose,
  packet,   // what a recorder writes: no field twice, and either a sequence or nothing but a compressed group
  all_known // the same, of fields that are known here
};

bool has_wrong_type(pb::Field field, std::uint64_t type) {
  return (pb::packet::is_number(field) && type != 0) || (pb::packet::is_payload(field) && type != 2);
}

bool is_known(pb::Field field) {
  return pb::packet::is_number(field) || pb::packet::is_payload(field) ||
         field == pb::packet::kInternedData || field == pb::packet::kDefaults ||
         field == pb::packet::kSyncMarker;
}

// Walks the fields of a packet.
class FieldWalk {
public:
  // Of `length` bytes, of which `here` are at hand.
  FieldWalk(std::string_view here, std::uint64_t length, Strictness strictness, bool may_hold_packets = false)
      : here_(here.substr(0, length)), length_(length), strictness_(strictness),
        may_hold_packets_(may_hold_packets), cut_(here.size() < length ? Fit::maybe : Fit::no) {}
  // After `most` fields it cannot be told.
  Fit fit(std::size_t most = ~std::size_t{0}) {
    try {
      for (const char* at = here_.data(); at != end(); ++walked_) {
        if (walked_ == most) return Fit::maybe;
        if (const Fit fit = take_field(at); fit != Fit::yes) return fit;
      }
    } catch (const protozero::varint_too_long_exception&) {
      return Fit::no;
    } catch (const protozero::end_of_buffer_exception&) {
      return cut_;
    }
    if (here_.size() < length_) return Fit::maybe;
    return is_strict() && !has_sequence_ && !(has_group_ && fields_ == 1) ? Fit::no : Fit::yes;
  }

  [[nodiscard]] std::size_t walked() const { return walked_; }

private:
  [[nodiscard]] bool is_strict() const { return strictness_ != Strictness::loose; }
  [[nodiscard]] const char* end() const { return here_.data() + here_.size(); }
  [[nodiscard]] bool is_believable(pb::Field field, std::uint64_t type) {
    if (field >= kMaxField || fields_ == kMaxFields || has_wrong_type(field, type)) return false;
    if (strictness_ == Strictness::all_known && !is_known(field)) return false;
    if (std::find(seen_.begin(), seen_.begin() + fields_, field) != seen_.begin() + fields_) return false;
    seen_[fields_++] = field;
    return true;
  }
  Fit take_field(const char*& at) {
    const std::uint64_t tag = protozero::decode_varint(&at, end());
    const auto field = static_cast<pb::Field>(tag >> 3);
    if (field == 0 || tag > 0xffffffffU) return Fit::no;
    if (is_strict() && !is_believable(field, tag & 7U)) return Fit::no;
    std::uint64_t size = 0;
    switch (tag & 7U) {
    case 0: {
      const std::uint64_t value = protozero::decode_varint(&at, end());
      has_sequence_ = has_sequence_ || (field == pb::packet::kSequenceId && value != 0);
      break;
    }
    case 1:
      size = 8;
      break;
    case 2:
      size = protozero::decode_varint(&at, end());
      has_group_ = has_group_ || field == pb::packet::kCompressed || field == pb::packet::kZstdCompressed;
      break;
    case 5:
      size = 4;
      break;
    default:
      return Fit::no;
    }
    const auto position = static_cast<std::uint64_t>(at - here_.data());
    if (size > length_ - position) return Fit::no;
    if (size > static_cast<std::uint64_t>(end() - at)) return Fit::maybe;
    if (!may_hold_packets_ && has_sequence_ && field == pb::packet::kFtraceEvents && (tag & 7U) == 2 &&
        FieldWalk({at, static_cast<std::size_t>(size)}, size, Strictness::packet, true).fit() == Fit::yes)
      return Fit::no; // the frame of the next packet: the length of this one reaches over it
    at += size;
    return Fit::yes;
  }

  std::string_view here_;
  std::uint64_t length_;
  Strictness strictness_;
  bool may_hold_packets_;
  Fit cut_;
  std::array<pb::Field, kMaxFields> seen_{};
  std::size_t fields_ = 0, walked_ = 0;
  bool has_sequence_ = false, has_group_ = false;
};

struct Frame {
  Fit fit = Fit::maybe;
  std::string_view content = {};
  std::size_t size = 0; // of the whole frame
  std::size_t walked = 0;
  bool is_whole = false; // its bytes are all at hand
};

// The frame that begins at `bytes`.
Frame frame_at(std::string_view bytes, std::uint64_t max_length, Strictness strictness,
               std::size_t most = ~std::size_t{0}) {
  if (bytes.empty()) return {};
  if (bytes.front() != '\x0a') return {.fit = Fit::no}; // a trace holds nothing but packets
  const char* at = bytes.data() + 1;
  const char* const end = bytes.data() + bytes.size();
  try {
    const std::uint64_t length = protozero::decode_varint(&at, end);
    if (length > max_length) return {.fit = Fit::no};
    const auto head = static_cast<std::size_t>(at - bytes.data());
    FieldWalk walk(bytes.substr(head), length, strictness);
    const bool is_whole = length <= bytes.size() - head;
    Frame frame{.fit = walk.fit(is_whole ? most : std::min(most, kMaxIncomplete)), .is_whole = is_whole};
    frame.walked = walk.walked();
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

// Of a frame whose content does not add up: its size by its own length, where a believable frame or the end
// of the file follows; else 0. `fit` is maybe where more bytes would tell.
Frame damaged_inside(std::string_view bytes, bool is_ended) {
  if (bytes.front() != '\x0a') return {.fit = Fit::no};
  const char* at = bytes.data() + 1;
  try {
    const std::uint64_t length = protozero::decode_varint(&at, bytes.data() + bytes.size());
    const auto head = static_cast<std::size_t>(at - bytes.data());
    if (length > kMaxFound) return {.fit = Fit::no};
    if (length > bytes.size() - head || (length == bytes.size() - head && !is_ended))
      return {.fit = is_ended ? Fit::no : Fit::maybe};
    const std::size_t size = head + static_cast<std::size_t>(length);
    const std::string_view behind = bytes.substr(size);
    const Fit fit = behind.empty() ? Fit::yes : frame_at(behind, kMaxFound, Strictness::packet).fit;
    if (fit == Fit::maybe && is_ended) return {.fit = Fit::no};
    return {.fit = fit, .size = fit == Fit::yes ? size : 0};
  } catch (const protozero::exception&) {
    return {.fit = Fit::no};
  }
}

std::string frame_head(std::size_t length) {
  std::string head(1, '\x0a');
  protozero::add_varint_to_buffer(&head, length);
  return head;
}

// A damaged place as one frame.
struct Damaged {
  enum class Head : std::uint8_t { none, good, tag_is_wrong, length_is_wrong };
  Head head = Head::none; // where it is wrong, it is in one byte, and the content is a whole packet
  std::string_view content = {};
};

Damaged damaged_frame(std::string_view bytes) {
  if (bytes.size() > kMaxFound) return {};
  for (std::size_t size = 2; size <= 1 + kMaxLength && size < bytes.size(); ++size) {
    const std::string_view content = bytes.substr(size);
    const std::string head = frame_head(content.size());
    if (head.size() != size) continue;
    if (bytes.starts_with(head)) return {.head = Damaged::Head::good, .content = content};
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < size; ++i)
      wrong += head[i] != bytes[i] ? 1 : 0;
    if (wrong != 1 || FieldWalk(content, content.size(), Strictness::all_known).fit() != Fit::yes) continue;
    return {.head = bytes.front() == '\x0a' ? Damaged::Head::length_is_wrong : Damaged::Head::tag_is_wrong,
            .content = content};
  }
  return {};
}

} // namespace

void PacketSplitter::feed(std::string_view bytes) {
  buffer_.erase(0, from_);
  base_ += static_cast<std::int64_t>(from_);
  at_ -= from_;
  from_ = 0;
  buffer_.append(bytes);
  walks_left_ += kWalkPerByte * std::ssize(bytes);
}

std::optional<PacketSplitter::Piece> PacketSplitter::next() {
  for (;;) {
    if (is_searching_) {
      const bool is_found = search();
      const bool is_far = at_ - from_ > kMaxFound;
      if (!is_found && !is_ended_ && !is_far) return std::nullopt;
      const Damaged damaged =
          is_found ? damaged_frame(std::string_view(buffer_).substr(from_, at_ - from_)) : Damaged{};
      if (damaged.head == Damaged::Head::tag_is_wrong && skipped_ == 0) return take_mended(damaged.content);
      if (damaged.head == Damaged::Head::length_is_wrong) doubtful_ = 0; // its own length, that is
      if (doubtful_ > 0) return take_doubtful();
      if (is_far) skipped_ += static_cast<std::int64_t>(at_ - std::exchange(from_, at_));
      if (!is_found) return std::nullopt;
      is_searching_ = false;
    }
    const std::string_view bytes = std::string_view(buffer_).substr(at_);
    Frame frame = frame_at(bytes, kMaxPacket, Strictness::loose,
                           static_cast<std::size_t>(std::max<std::int64_t>(walks_left_, kGlance)));
    if (frame.is_whole && frame.fit == Fit::maybe) frame.fit = Fit::no;
    if (frame.fit != Fit::maybe) walks_left_ -= static_cast<std::int64_t>(frame.walked);
    const std::string_view behind = bytes.substr(frame.size);
    if (frame.fit == Fit::yes && !behind.empty() && behind.front() == '\x0a') return take(frame.content);
    if (bytes.empty() || (!is_ended_ && (frame.fit == Fit::maybe || behind.empty()))) return std::nullopt;
    if (frame.fit == Fit::yes && behind.empty()) return take(frame.content);
    const Frame inside = frame.fit == Fit::no ? damaged_inside(bytes, is_ended_) : Frame{.fit = Fit::no};
    if (inside.fit == Fit::maybe) return std::nullopt;
    // What stands behind tells: the file may be cut inside this packet, or its length may be damaged, or,
    // where a whole packet is not followed by a frame, the length of that or the head of the next.
    is_cut_ = frame.fit == Fit::maybe;
    is_searching_ = true;
    if (from_ != at_ && frame.fit == Fit::yes) return take(frame.content);
    doubtful_ = frame.size;
    at_ += std::max({frame.size, inside.size, std::size_t{1}});
  }
}

// Hands out the frame at at_ and reports the damage before it.
PacketSplitter::Piece PacketSplitter::take(std::string_view content) {
  const std::string_view bytes = std::string_view(buffer_).substr(from_, at_ - from_);
  const Damaged damaged = skipped_ > 0 ? Damaged{} : damaged_frame(bytes);
  const Piece piece{.packet = content,
                    .offset = base_ + static_cast<std::int64_t>(at_),
                    .skipped = std::exchange(skipped_, 0) + std::ssize(bytes),
                    .lost = damaged.content,
                    .is_lost_size_right = damaged.head == Damaged::Head::good};
  at_ = static_cast<std::size_t>(content.data() - buffer_.data()) + content.size();
  from_ = at_;
  is_cut_ = false;
  return piece;
}

// By itself the frame before the damage is a good one.
PacketSplitter::Piece PacketSplitter::take_doubtful() {
  const std::string_view bytes = std::string_view(buffer_).substr(from_);
  const Piece piece{.packet = frame_at(bytes, kMaxPacket, Strictness::loose).content,
                    .offset = base_ + static_cast<std::int64_t>(from_)};
  from_ += std::exchange(doubtful_, 0);
  return piece;
}

// The damaged place is a whole packet but for the byte that begins its frame. A wrong length is not put
// right: bytes that were left out on the way look the same.
PacketSplitter::Piece PacketSplitter::take_mended(std::string_view content) {
  const Piece piece{.packet = content, .offset = base_ + static_cast<std::int64_t>(from_), .is_mended = true};
  from_ = at_;
  doubtful_ = 0;
  is_searching_ = is_cut_ = false;
  return piece;
}

// Moves at_ to the next believable frame; false: there is none among the bytes at hand.
bool PacketSplitter::search() {
  while (at_ < buffer_.size()) {
    at_ = std::min(buffer_.find('\x0a', at_), buffer_.size());
    const std::string_view bytes = std::string_view(buffer_).substr(at_);
    const Frame frame = frame_at(bytes, kMaxFound, Strictness::packet);
    if (frame.fit == Fit::maybe && !is_ended_) return false;
    if (frame.fit == Fit::yes) {
      const std::string_view behind = bytes.substr(frame.size);
      if (behind.empty() || frame_at(behind, kMaxPacket, Strictness::loose, kGlance).fit != Fit::no)
        return true;
    }
    at_ = std::min(at_ + 1, buffer_.size());
  }
  return false;
}

PacketSplitter::Rest PacketSplitter::rest() const {
  const std::int64_t left = std::ssize(buffer_) - static_cast<std::int64_t>(from_) + skipped_;
  return {.offset = base_ + static_cast<std::int64_t>(from_) - skipped_,
          .bytes = left,
          .is_damage = !is_cut_ && left > 0};
}

} // namespace prof::detail
