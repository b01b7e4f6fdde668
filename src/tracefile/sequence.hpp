// sequence.hpp: one packet sequence of a trace file being written: its delta clock and its interning tables.
#pragma once
#include "base/string_pool.hpp"
#include "tracefile/fields.hpp"
#include "tracefile/packet_file.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace prof::detail {

// What all parts of the writer share.
struct WriterCore {
  StringPool strings;
  PacketFile file;
  std::uint32_t next_sequence = 2; // 1 is the global sequence: descriptors, attributes, clocks
  std::uint64_t next_uuid = 1;
  std::int64_t boottime_offset_ns = 0; // boottime = trace clock + this
  std::int64_t last_ts = 0;            // latest time written so far
  explicit WriterCore(PacketFile out) : file(std::move(out)) {}
};

// Texts whose iid is given out per sequence.
enum class Interned : std::uint8_t {
  category,
  event_name,
  annotation_name,
  annotation_string,
  function,
  mapping_path,
  source_path,
  compute_arg_name
};
inline constexpr std::size_t kInternedKinds = 8;

// Packets must be added one at a time: text_iid() and add_interned() of a packet come before its add().
class Sequence {
public:
  // `defaults` is the content of TracePacketDefaults besides the clock id.
  Sequence(WriterCore& core, std::string defaults);

  // The iid of a text, defined in the packet that is added next when it is new.
  std::uint32_t text_iid(Interned kind, StrId text);
  // Puts a message of the caller's own into the interned data of the next packet.
  void add_interned(pb::Field field, std::string_view message);
  // Writes a packet holding `payload` as message field `field` at `ts`. Times that do not go back cost a 2 or
  // 3 byte delta; earlier ones, or all when `is_absolute`, are written absolute, which leaves the delta clock
  // as it was.
  void add(std::int64_t ts, pb::Field field, std::string_view payload, bool is_absolute = false);
  // The time of the last packet that was in order.
  [[nodiscard]] std::int64_t clock() const { return clock_; }
  [[nodiscard]] bool is_started() const { return is_started_; }

private:
  void start(std::int64_t ts);
  WriterCore& core_;
  std::string defaults_, new_interned_, scratch_;
  std::array<std::unordered_map<std::uint32_t, std::uint32_t>, kInternedKinds> iids_;
  std::uint32_t id_;
  std::int64_t clock_ = 0;
  bool is_started_ = false;
};

// Writes `payload` as message field `field` on the global sequence. `ts` < 0: without a time.
void add_global(WriterCore& core, pb::Field field, std::string_view payload, std::int64_t ts = -1);

} // namespace prof::detail
