// packet_ring.hpp: the newest encoded packets of a recording, in memory, bounded by time and by bytes.
#pragma once
#include "base/units.hpp"

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace prof {

// Segments in the order of time. Each must be readable without those before it: only whole ones are dropped,
// always the oldest, and never the newest. Single-threaded.
class PacketRing {
public:
  // Holds at least the last `span` as long as that fits into `most_bytes` (the newest segment may exceed them
  // alone).
  PacketRing(Dur span, std::int64_t most_bytes) : span_(span), most_bytes_(most_bytes) {}

  // What is added from now on stands alone.
  void begin_segment(Ts now);
  void add(std::string_view bytes);
  // Events that the newest segment holds by now.
  void set_events(std::int64_t events);
  // Drops what `now` needs no more.
  void trim(Ts now);

  [[nodiscard]] std::int64_t bytes() const { return bytes_; }
  [[nodiscard]] std::int64_t events() const;
  [[nodiscard]] std::size_t segments() const { return segments_.size(); }
  // The beginning of the oldest segment; of an empty ring 0.
  [[nodiscard]] Ts oldest() const { return segments_.empty() ? Ts{} : segments_.front().begin; }
  // Whether the limit of bytes took something that `span` would have kept at the last trim().
  [[nodiscard]] bool is_cut() const { return is_cut_; }

  // Gives every chunk in order to `take`, which says whether to go on, and is empty afterwards.
  template <class Take>
  bool drain(Take&& take) {
    bool is_going = true;
    while (!segments_.empty()) {
      for (const std::string& chunk : segments_.front().chunks)
        is_going = is_going && take(std::string_view(chunk));
      segments_.pop_front();
    }
    bytes_ = 0;
    return is_going;
  }

private:
  struct Segment {
    Ts begin;
    std::vector<std::string> chunks{}; // as they came: no growing string that is copied and half empty
    std::int64_t bytes = 0, events = 0;
  };
  void drop_oldest();
  Dur span_;
  std::int64_t most_bytes_, bytes_ = 0;
  std::deque<Segment> segments_;
  Ts cut_until_; // up to here the limit of bytes dropped
  bool is_cut_ = false;
};

} // namespace prof
