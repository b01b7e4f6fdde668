// proto_message.hpp: protozero's reader for hostile input: a field of another wire type than expected reads
// as empty or 0 (protozero asserts there). Broken framing still throws protozero::exception; reader.cpp
// catches it once per packet.
#pragma once
#include <bit>
#include <cstdint>
#include <protozero/pbf_reader.hpp>
#include <string_view>
#include <vector>

namespace prof::detail {

// A cursor over the fields of one message, whose bytes the caller owns. After next() exactly one of the
// reading calls or skip() must follow.
class Message {
public:
  explicit Message(std::string_view bytes) : reader_(bytes.data(), bytes.size()) {}
  [[nodiscard]] bool next() { return reader_.next(); }
  // The next field with this tag; others are skipped.
  [[nodiscard]] bool next(std::uint32_t tag) { return reader_.next(tag); }
  [[nodiscard]] std::uint32_t tag() const { return reader_.tag(); }
  void skip() { reader_.skip(); }

  // A varint, fixed64 or fixed32 field.
  [[nodiscard]] std::uint64_t number() {
    switch (reader_.wire_type()) {
    case protozero::pbf_wire_type::varint:
      return reader_.get_uint64();
    case protozero::pbf_wire_type::fixed64:
      return reader_.get_fixed64();
    case protozero::pbf_wire_type::fixed32:
      return reader_.get_fixed32();
    default:
      reader_.skip();
      return 0;
    }
  }
  [[nodiscard]] std::int64_t integer() { return static_cast<std::int64_t>(number()); }
  [[nodiscard]] std::uint32_t number32() { return static_cast<std::uint32_t>(number()); }
  [[nodiscard]] double real() {
    if (reader_.wire_type() == protozero::pbf_wire_type::fixed64)
      return std::bit_cast<double>(reader_.get_fixed64());
    if (reader_.wire_type() == protozero::pbf_wire_type::fixed32)
      return static_cast<double>(std::bit_cast<float>(reader_.get_fixed32()));
    return static_cast<double>(integer());
  }
  // A LEN field; lives as long as the message's bytes.
  [[nodiscard]] std::string_view bytes() {
    if (reader_.wire_type() != protozero::pbf_wire_type::length_delimited) {
      reader_.skip();
      return {};
    }
    const protozero::data_view data = reader_.get_view();
    return {data.data(), data.size()};
  }
  [[nodiscard]] Message message() { return Message(bytes()); }
  // A repeated number, packed or not: its values are appended.
  void numbers(std::vector<std::uint64_t>& out) {
    if (reader_.wire_type() != protozero::pbf_wire_type::length_delimited) {
      out.push_back(number());
      return;
    }
    for (const std::uint64_t value : reader_.get_packed_uint64())
      out.push_back(value);
  }
  // A repeated fixed64 or double field, packed or not: the raw bits are appended.
  void fixed_numbers(std::vector<std::uint64_t>& out) {
    if (reader_.wire_type() != protozero::pbf_wire_type::length_delimited) {
      out.push_back(number());
      return;
    }
    for (const std::uint64_t value : reader_.get_packed_fixed64())
      out.push_back(value);
  }

private:
  protozero::pbf_reader reader_;
};

} // namespace prof::detail
