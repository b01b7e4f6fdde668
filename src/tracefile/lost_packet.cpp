// What a damaged packet still tells of its sequence and its clock.
#include "tracefile/fields.hpp"
#include "tracefile/reader_core.hpp"

#include <algorithm>
#include <protozero/exception.hpp>
#include <protozero/varint.hpp>
#include <vector>

namespace prof::detail {
namespace {

constexpr std::size_t kMaxTail = 64; // bytes of numbers at the end of a packet; recorders write under 40

struct Number {
  pb::Field field = 0;
  std::uint64_t value = 0;
};

void take(LostPacket& packet, Number number) {
  switch (number.field) {
  case pb::packet::kSequenceId:
    packet.sequence = number.value;
    break;
  case pb::packet::kClockId:
    packet.clock = static_cast<std::uint32_t>(number.value);
    break;
  case pb::packet::kSequenceFlags:
    packet.is_start = packet.is_start || (number.value & pb::packet::kFlagCleared) != 0;
    break;
  case pb::packet::kIncrementalStateCleared:
    packet.is_start = packet.is_start || number.value != 0;
    break;
  default:
    break;
  }
}

// The fields from the first one on, as long as they are of kinds that are known. Encoders write a packet's
// time first, or its fields in the order of their numbers: behind any other field there is none. A number is
// believed when a known field follows: damage in its own bytes leaves no tag there.
void read_front(LostPacket& packet, std::string_view content) {
  const char* at = content.data();
  const char* const end = at + content.size();
  std::optional<Number> before;
  bool is_first = true;
  while (at != end) {
    const std::uint64_t tag = protozero::decode_varint(&at, end);
    const auto field = static_cast<pb::Field>(tag >> 3);
    const bool is_number = pb::packet::is_number(field) && (tag & 7U) == 0;
    const bool is_message = (pb::packet::is_payload(field) || field == pb::packet::kInternedData ||
                             field == pb::packet::kDefaults) &&
                            (tag & 7U) == 2;
    if (tag > 0xffffffffU || (!is_number && !is_message)) return;
    packet.is_time_known = !is_first || is_message;
    if (before && before->field == pb::packet::kTimestamp && !packet.timestamp)
      packet.timestamp = before->value;
    else if (before)
      take(packet, *before);
    // The damage is in it or behind it. A clock that cannot be read is as lost as one whose time cannot.
    if (field == pb::packet::kClockSnapshot || field == pb::packet::kDefaults) packet.is_time_known = false;
    if (is_message) return;
    before = Number{field, protozero::decode_varint(&at, end)};
    is_first = false;
  }
}

// The numbers that `tail` consists of; empty when it holds anything else, a field twice, or no sequence.
std::vector<Number> numbers_of(std::string_view tail) {
  std::vector<Number> numbers;
  const char* at = tail.data();
  const char* const end = at + tail.size();
  bool has_sequence = false;
  while (at != end) {
    const std::uint64_t tag = protozero::decode_varint(&at, end);
    const auto field = static_cast<pb::Field>(tag >> 3);
    const bool is_twice = std::ranges::find(numbers, field, &Number::field) != numbers.end();
    if (tag > 0xffffffffU || (tag & 7U) != 0 || !pb::packet::is_number(field) || is_twice) return {};
    numbers.push_back({field, protozero::decode_varint(&at, end)});
    has_sequence = has_sequence || (field == pb::packet::kSequenceId && numbers.back().value != 0);
  }
  return has_sequence ? numbers : std::vector<Number>{};
}

// The longest run of numbers at the end.
void read_tail(LostPacket& packet, std::string_view content) {
  for (std::size_t size = std::min(content.size(), kMaxTail); size > 0; --size)
    try {
      const std::vector<Number> numbers = numbers_of(content.substr(content.size() - size));
      for (const Number& number : numbers)
        take(packet, number);
      if (!numbers.empty()) return;
    } catch (const protozero::exception&) {
      continue; // it begins inside a number
    }
}

} // namespace

LostPacket look_into(std::string_view content, bool is_size_right) {
  LostPacket packet;
  try {
    if (is_size_right) read_front(packet, content);
  } catch (const protozero::exception&) {
    // as far as it goes
  }
  if (!packet.sequence) read_tail(packet, content);
  return packet;
}

} // namespace prof::detail
