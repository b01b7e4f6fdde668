// wire.hpp: a second opinion on our files: a protobuf decoder and a model of what Perfetto makes of track
// events, sharing no code with src/tracefile (only zlib). Field numbers are Perfetto's, written out again.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>
#include <zlib.h>

namespace prof::wire {

struct Field {
  std::uint32_t number = 0;
  std::uint64_t value = 0; // of varints and fixed numbers
  std::string bytes;       // of LEN fields
};

inline std::uint64_t read_varint(std::string_view& in) {
  std::uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    if (in.empty()) throw std::runtime_error("varint is cut");
    const auto byte = static_cast<unsigned char>(in.front());
    in.remove_prefix(1);
    value |= std::uint64_t{byte & 0x7fU} << shift;
    if (byte < 0x80) return value;
  }
  throw std::runtime_error("varint is too long");
}

inline std::uint64_t read_fixed(std::string_view& in, std::size_t size) {
  if (in.size() < size) throw std::runtime_error("fixed number is cut");
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < size; ++i)
    value |= std::uint64_t{static_cast<unsigned char>(in[i])} << (8 * i);
  in.remove_prefix(size);
  return value;
}

// All fields of a message; throws when the bytes are no message.
inline std::vector<Field> decode(std::string_view in) {
  std::vector<Field> out;
  while (!in.empty()) {
    const std::uint64_t tag = read_varint(in);
    Field field{.number = static_cast<std::uint32_t>(tag >> 3), .bytes = {}};
    switch (tag & 7U) {
    case 0:
      field.value = read_varint(in);
      break;
    case 1:
      field.value = read_fixed(in, 8);
      break;
    case 5:
      field.value = read_fixed(in, 4);
      break;
    case 2: {
      const std::uint64_t size = read_varint(in);
      if (size > in.size()) throw std::runtime_error("field is cut");
      field.bytes = std::string(in.substr(0, size));
      in.remove_prefix(size);
      break;
    }
    default:
      throw std::runtime_error("no such wire type");
    }
    out.push_back(std::move(field));
  }
  return out;
}

// --- the other way: messages are written as sums of fields

inline std::string varint(std::uint64_t value) {
  std::string out;
  for (; value >= 0x80; value >>= 7)
    out += static_cast<char>(value | 0x80U);
  return out + static_cast<char>(value);
}

inline std::string num(std::uint32_t field, std::uint64_t value) {
  return varint(std::uint64_t{field} << 3) + varint(value);
}

inline std::string fixed(std::uint32_t field, std::uint64_t value) {
  std::string out = varint((std::uint64_t{field} << 3) | 1U);
  for (int i = 0; i < 8; ++i)
    out += static_cast<char>(value >> (8 * i));
  return out;
}

inline std::string real(std::uint32_t field, double value) {
  return fixed(field, std::bit_cast<std::uint64_t>(value));
}

inline std::string len(std::uint32_t field, std::string_view bytes) {
  return varint((std::uint64_t{field} << 3) | 2U) + varint(bytes.size()) + std::string(bytes);
}

inline std::string deflate_group(const std::string& raw) {
  std::string out(compressBound(raw.size()), '\0');
  uLongf size = out.size();
  compress(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(raw.data()),
           raw.size());
  out.resize(size);
  return out;
}

inline std::optional<std::uint64_t> number(const std::vector<Field>& message, std::uint32_t field) {
  for (const Field& f : message)
    if (f.number == field) return f.value;
  return std::nullopt;
}

inline std::optional<std::string> bytes(const std::vector<Field>& message, std::uint32_t field) {
  for (const Field& f : message)
    if (f.number == field) return f.bytes;
  return std::nullopt;
}

inline std::string inflate_group(const std::string& packed) {
  std::string out(512 * 1024, '\0'); // Perfetto's own limit
  uLongf size = out.size();
  if (uncompress(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(packed.data()),
                 packed.size()) != Z_OK)
    throw std::runtime_error("group does not inflate to less than 512 KiB");
  out.resize(size);
  return out;
}

// All packets of a trace in file order, those of compressed groups in their place.
inline std::vector<std::vector<Field>> packets(std::string_view trace) {
  std::vector<std::vector<Field>> out;
  for (const Field& outer : decode(trace)) {
    if (outer.number != 1) throw std::runtime_error("a trace holds packets only");
    std::vector<Field> packet = decode(outer.bytes);
    if (const auto group = bytes(packet, 50)) {
      if (packet.size() != 1) throw std::runtime_error("a group stands alone in its packet");
      for (auto& inner : packets(inflate_group(*group)))
        out.push_back(std::move(inner));
      continue;
    }
    out.push_back(std::move(packet));
  }
  return out;
}

struct Slice {
  std::uint64_t track = 0;
  std::int64_t begin = 0, end = 0;
  std::string name;
  friend auto operator<=>(const Slice&, const Slice&) = default;
};

struct Timeline {
  std::vector<Slice> slices;         // as closed
  std::vector<std::string> problems; // what Perfetto would count as an import error
};

namespace detail {

struct Sequence { // what a packet sequence carries from packet to packet
  bool is_valid = false;
  std::int64_t clock = 0;
  std::uint64_t default_track = 0, default_clock = 0;
  std::map<std::uint64_t, std::string> names;
};

struct Event {
  std::int64_t ts = 0;
  std::uint64_t track = 0, type = 0;
  std::string name;
};

constexpr std::uint64_t kDelta = 64, kMonotonic = 3;

inline void take_state(Sequence& sequence, const std::vector<Field>& packet) {
  if ((number(packet, 13).value_or(0) & 1U) != 0) {
    sequence.is_valid = true;
    sequence.names.clear();
    sequence.default_track = sequence.default_clock = 0;
  }
  if (const auto defaults = bytes(packet, 59)) {
    const auto fields = decode(*defaults);
    sequence.default_clock = number(fields, 58).value_or(0);
    if (const auto events = bytes(fields, 11))
      sequence.default_track = number(decode(*events), 11).value_or(0);
  }
  if (const auto interned = bytes(packet, 12))
    for (const Field& entry : decode(*interned))
      if (entry.number == 2) {
        const auto fields = decode(entry.bytes);
        sequence.names[number(fields, 1).value_or(0)] = bytes(fields, 2).value_or("");
      }
  if (const auto snapshot = bytes(packet, 6))
    for (const Field& entry : decode(*snapshot)) {
      if (entry.number != 1) continue;
      const auto clock = decode(entry.bytes);
      if (number(clock, 1) == kDelta)
        sequence.clock = static_cast<std::int64_t>(number(clock, 2).value_or(0));
    }
}

} // namespace detail

// Plays a trace the way Perfetto does: packets update their sequence in file order; then all track events are
// sorted by time, equal times in file order; an END closes the innermost open slice of its track.
inline Timeline play(std::string_view trace) {
  using namespace detail;
  Timeline out;
  std::map<std::uint64_t, Sequence> sequences;
  std::vector<Event> events;
  for (const auto& packet : packets(trace)) {
    const std::uint64_t id = number(packet, 10).value_or(0);
    if (id == 0) out.problems.push_back("a packet without a sequence");
    Sequence& sequence = sequences[id];
    take_state(sequence, packet);
    if ((number(packet, 13).value_or(0) & 2U) != 0 && !sequence.is_valid)
      out.problems.push_back("a packet needs state that was never given");
    const auto timestamp = number(packet, 8);
    const std::uint64_t clock = number(packet, 58).value_or(sequence.default_clock);
    std::int64_t ts = static_cast<std::int64_t>(timestamp.value_or(0));
    if (timestamp && clock == kDelta)
      ts = sequence.clock += ts;
    else if (timestamp && clock != kMonotonic)
      out.problems.push_back("a time on another clock than ours");
    const auto event = bytes(packet, 11);
    if (!event) continue;
    const auto fields = decode(*event);
    std::string name;
    if (const auto iid = number(fields, 10)) {
      const auto at = sequence.names.find(*iid);
      if (at == sequence.names.end())
        out.problems.push_back("a name was never interned");
      else
        name = at->second;
    }
    events.push_back({ts, number(fields, 11).value_or(sequence.default_track), number(fields, 9).value_or(0),
                      std::move(name)});
  }
  std::stable_sort(events.begin(), events.end(), [](const Event& a, const Event& b) { return a.ts < b.ts; });
  std::map<std::uint64_t, std::vector<Event>> open;
  for (const Event& event : events) {
    auto& stack = open[event.track];
    if (event.type == 1) {
      stack.push_back(event);
    } else if (event.type == 2 && stack.empty()) {
      out.problems.push_back("an end without a begin at " + std::to_string(event.ts));
    } else if (event.type == 2) {
      out.slices.push_back({event.track, stack.back().ts, event.ts, stack.back().name});
      stack.pop_back();
    } else if (event.type == 3) {
      out.slices.push_back({event.track, event.ts, event.ts, event.name});
    }
  }
  for (const auto& [track, stack] : open)
    for (const Event& event : stack)
      out.problems.push_back("never ended: " + event.name);
  return out;
}

} // namespace prof::wire
