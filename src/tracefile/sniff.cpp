#include "tracefile/sniff.hpp"

#include "tracefile/fields.hpp"
#include "tracefile/proto_message.hpp"

#include <protozero/exception.hpp>
#include <protozero/varint.hpp>

namespace prof {
namespace {

constexpr int kPacketsToCheck = 4;
constexpr int kSureEnough = 95; // whole packets

// Do the fields of these bytes parse, with numbers that a TracePacket has?
bool is_packet(std::string_view bytes) {
  detail::Message packet(bytes);
  int fields = 0;
  while (packet.next()) {
    if (packet.tag() >= 2000) return false; // TracePacket ends at 900, its extensions at 1999
    packet.skip();
    fields++;
  }
  return fields > 0;
}

} // namespace

int sniff_tracefile(std::string_view head) {
  int whole = 0;
  try {
    while (!head.empty() && whole < kPacketsToCheck) {
      if (head.front() != '\x0a') return whole > 0 ? 40 : 0;
      const char* at = head.data() + 1;
      const char* const end = head.data() + head.size();
      const std::uint64_t length = protozero::decode_varint(&at, end);
      if (length > static_cast<std::uint64_t>(end - at)) {
        // Cut off by the end of the head, or text that happens to begin with a line feed.
        return whole > 0                                                              ? 95
               : length > 0 && length < (std::uint64_t{256} << 20) && end - at > 1024 ? 30
                                                                                      : 10;
      }
      if (!is_packet({at, static_cast<std::size_t>(length)})) return whole > 0 ? 40 : 0;
      whole++;
      head.remove_prefix(static_cast<std::size_t>(at - head.data()) + static_cast<std::size_t>(length));
    }
  } catch (const protozero::exception&) {
    return whole > 0 ? 40 : 0;
  }
  return whole > 0 ? 95 : 0;
}

// The head says the format, uncompressed, within the first two packets.
bool is_own_tracefile(std::string_view head) {
  constexpr std::size_t kHeadBytes = 512;
  head = head.substr(0, kHeadBytes);
  return sniff_tracefile(head) >= kSureEnough && head.find(pb::kFormatKey) != std::string_view::npos;
}

} // namespace prof
