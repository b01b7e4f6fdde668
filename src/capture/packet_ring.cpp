#include "capture/packet_ring.hpp"

namespace prof {

void PacketRing::begin_segment(Ts now) {
  segments_.push_back({.begin = now});
}

void PacketRing::add(std::string_view bytes) {
  if (segments_.empty()) begin_segment({});
  Segment& newest = segments_.back();
  newest.chunks.emplace_back(bytes);
  newest.bytes += std::ssize(bytes);
  bytes_ += std::ssize(bytes);
}

void PacketRing::set_events(std::int64_t events) {
  if (!segments_.empty()) segments_.back().events = events;
}

std::int64_t PacketRing::events() const {
  std::int64_t sum = 0;
  for (const Segment& segment : segments_)
    sum += segment.events;
  return sum;
}

void PacketRing::drop_oldest() {
  bytes_ -= segments_.front().bytes;
  segments_.pop_front();
}

void PacketRing::trim(Ts now) {
  // A segment ends where the next one begins.
  while (segments_.size() > 1 && now - segments_[1].begin >= span_)
    drop_oldest();
  while (segments_.size() > 1 && bytes_ > most_bytes_) {
    cut_until_ = segments_[1].begin;
    drop_oldest();
  }
  is_cut_ = cut_until_.ns != 0 && now - cut_until_ < span_;
}

} // namespace prof
