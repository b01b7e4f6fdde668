// sequence.hpp: one packet sequence of a trace file being written: its delta clock and its interning tables.
#pragma once
#include "base/string_pool.hpp"
#include "tracefile/fields.hpp"
#include "tracefile/packet_file.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace prof::detail {

// When something is said again, so that damage in the file costs what stands between two times and not the
// rest: between two generations pass 200 times the bytes that one of them repeats (half a per cent),
// but never more than kMaxSpan.
class Generation {
public:
  [[nodiscard]] std::uint32_t number() const { return number_; }
  // `bytes` were written that the next generation has to repeat.
  void will_repeat(std::size_t bytes) { state_bytes_ += static_cast<std::int64_t>(bytes); }
  // `written` bytes stand in the file: true when a new generation began.
  bool begin_if_due(std::int64_t written) {
    constexpr std::int64_t kMaxSpan = std::int64_t{32} << 20, kShare = 200;
    if (state_bytes_ == 0 || written - began_at_ < std::min(kShare * state_bytes_, kMaxSpan)) return false;
    begin(written);
    return true;
  }
  void begin(std::int64_t written) {
    number_++;
    state_bytes_ = 0;
    began_at_ = written;
  }

private:
  std::uint32_t number_ = 1;
  std::int64_t state_bytes_ = 0, began_at_ = 0;
};

// What all parts of the writer share.
struct WriterCore {
  StringPool strings;
  PacketFile file;
  std::uint32_t next_sequence = 2; // 1 is the global sequence: descriptors, attributes, clocks
  std::uint64_t next_uuid = 1;
  std::int64_t boottime_offset_ns = 0; // boottime = trace clock + this
  std::int64_t last_ts = 0;            // latest time written so far
  // Anchors give the delta clocks again, at little cost and often. Starts also clear and give again what is
  // interned, and the descriptors: that is 2 % of a recording of half a minute, so they are rare.
  Generation anchors, starts;
  bool stands_damage = false; // WriterOptions
  explicit WriterCore(PacketFile out) : file(std::move(out)) {}
  // Before a row is written: it and what it defines go into one group.
  void begin_row() {
    if (stands_damage && file.is_nearly_full()) file.flush();
  }
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

// A text's number in a sequence. It keeps its meaning for good, so that a reader may use tables from before a
// loss.
struct Iid {
  std::uint32_t iid = 0, defined_in = 0; // start
  std::int64_t again_behind = -1;        // the group behind which it is to be defined once more
};

// The numbers of a sequence's texts, 1 2 3 ... as they come. An operator asks for ten of them: open
// addressing, as nothing is ever taken out.
class IidTable {
public:
  // Stays valid until another text is new.
  Iid& of(StrId text);

private:
  struct Slot {
    std::uint32_t row = 0;
    Iid value; // iid 0: free
  };
  [[nodiscard]] std::size_t place(std::uint32_t row) const;
  void grow();
  std::vector<Slot> slots_; // a power of two of them, at most three quarters taken
  std::uint32_t size_ = 0;
};

// Packets must be added one at a time: text_iid() and add_interned() of a packet come before its add().
class Sequence {
public:
  // `defaults` is the content of TracePacketDefaults besides the clock id.
  Sequence(WriterCore& core, std::string defaults);

  // Starts afresh when a generation has begun since the last call (as at the first): what was interned must
  // be interned again. The calls below do it too; who calls add_interned() must ask first.
  bool renew();
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
  // Of a file that stands damage: the packet added next is the first of the sequence in its group ...
  [[nodiscard]] bool enters_group() const {
    return core_.stands_damage && is_started_ && group_ != core_.file.group();
  }
  // ... and the group is its second: what it defined with its start is given again.
  [[nodiscard]] bool starts_again() const { return enters_group() && is_second_due_; }

private:
  void start(std::int64_t ts);
  void anchor(std::int64_t ts);
  [[nodiscard]] std::string defaults() const;
  WriterCore& core_;
  std::string defaults_, new_interned_, scratch_;
  std::array<IidTable, kInternedKinds> iids_;
  std::uint32_t id_;
  std::int64_t clock_ = 0;
  std::uint32_t started_in_ = 0, anchored_in_ = 0; // generations; 0: not yet
  std::int64_t group_ = -1;                        // of its last clock
  bool is_started_ = false, needs_start_ = false, is_second_due_ = false;
};

// The key to write for an argument: one of the caller's that begins like ours is moved aside.
[[nodiscard]] StrId arg_key(WriterCore& core, StrId key);

// Writes `payload` as message field `field` on the global sequence. `ts` < 0: without a time.
void add_global(WriterCore& core, pb::Field field, std::string_view payload, std::int64_t ts = -1);
// The same for what every start repeats: descriptors and the like.
void add_state(WriterCore& core, pb::Field field, std::string_view payload);

} // namespace prof::detail
