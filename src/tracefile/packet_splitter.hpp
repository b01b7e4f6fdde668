// packet_splitter.hpp: cuts a byte stream into TracePackets, and finds the next one behind damage.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace prof::detail {

// The frames of a trace carry no checksum and no marker: a byte 0x0a, a length, a packet. A frame is taken as
// damaged when its head is none or when the fields of its content do not add up to its length. Reading then
// goes on at the next place where a frame holds a believable packet with another frame (or the end) behind
// it. Where only the byte that begins a frame is damaged, the packet is whole and is handed out. Memory: one
// packet (256 MiB at most), one damaged place (1 MiB at most) and one chunk.
class PacketSplitter {
public:
  struct Piece {
    std::string_view packet;    // lives until the next call of feed()
    std::int64_t offset = 0;    // of its frame in the stream
    std::int64_t skipped = 0;   // damaged bytes just before it
    std::string_view lost = {}; // the content of the one packet that they were, as far as that can be told
    bool is_lost_size_right = false; // no byte of `lost` is missing, nor is one too many
    bool is_mended = false;          // the byte that begins its frame is damaged
  };
  // What stands behind the last packet: nothing, a packet that is cut, or damage.
  struct Rest {
    std::int64_t offset = 0, bytes = 0;
    bool is_damage = false;
  };
  void feed(std::string_view bytes);
  void end() { is_ended_ = true; }
  // The next packet. nullopt: more bytes are needed, or, after end(), there is none.
  [[nodiscard]] std::optional<Piece> next();
  [[nodiscard]] Rest rest() const;

private:
  bool search();
  Piece take(std::string_view content);
  Piece take_doubtful();
  Piece take_mended(std::string_view content);
  std::string buffer_;
  std::int64_t base_ = 0;         // of buffer_[0] in the stream
  std::size_t from_ = 0, at_ = 0; // in buffer_: damage up to at_, then what was not handed out yet
  std::size_t doubtful_ = 0;      // bytes from from_ on: a good frame that no other follows
  std::int64_t skipped_ = 0;      // damage before from_ that is not reported yet
  std::int64_t walks_left_ = 0;   // fields that may still be looked at
  bool is_ended_ = false, is_searching_ = false, is_cut_ = false;
};

} // namespace prof::detail
