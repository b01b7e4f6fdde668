#include "capture/sliding_window.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace prof {
namespace {

constexpr int kSubBits = 7; // 128 buckets an octave: within one values differ by less than 0.8 %
constexpr std::size_t kSmall = std::size_t{1} << (kSubBits + 1); // values below it have a bucket each
constexpr std::size_t kBuckets = kSmall + (63 - kSubBits - 1) * (kSmall / 2);

// Grows with the value: 0, 1, ... 255, then by exponent and the seven bits behind the leading one.
std::size_t bucket_of(std::int64_t value) {
  const auto number = static_cast<std::uint64_t>(value);
  if (number < kSmall) return static_cast<std::size_t>(number);
  const auto shift = static_cast<std::size_t>(std::bit_width(number)) - (kSubBits + 1);
  return shift * (kSmall / 2) + static_cast<std::size_t>(number >> shift);
}

} // namespace

SlidingWindow::SlidingWindow(Dur length, std::size_t most)
    : length_(length), most_(most), buckets_(kBuckets) {}

void SlidingWindow::add(Ts at, std::int64_t value, RequestOutcome outcome) {
  value = std::max<std::int64_t>(value, 0);
  auto place = entries_.end();
  while (place != entries_.begin() && std::prev(place)->at > at)
    --place;
  entries_.insert(place, {.at = at, .value = value, .outcome = outcome});
  buckets_[bucket_of(value)].push_back(value);
  sum_ += static_cast<std::uint64_t>(value);
  known_ += outcome != RequestOutcome::unknown ? 1 : 0;
  failed_ += outcome == RequestOutcome::failed ? 1 : 0;
  if (entries_.size() <= most_) return;
  cut_at_ = entries_.front().at;
  drop_oldest();
}

void SlidingWindow::drop_oldest() {
  const Entry& entry = entries_.front();
  std::vector<std::int64_t>& bucket = buckets_[bucket_of(entry.value)];
  const auto place = std::ranges::find(bucket, entry.value);
  *place = bucket.back();
  bucket.pop_back();
  sum_ -= static_cast<std::uint64_t>(entry.value);
  known_ -= entry.outcome != RequestOutcome::unknown ? 1 : 0;
  failed_ -= entry.outcome == RequestOutcome::failed ? 1 : 0;
  entries_.pop_front();
}

void SlidingWindow::advance(Ts now) {
  while (!entries_.empty() && now - entries_.front().at >= length_)
    drop_oldest();
}

std::pair<std::int64_t, std::int64_t> SlidingWindow::order(std::int64_t rank) const {
  auto left = static_cast<std::size_t>(rank);
  std::size_t i = 0;
  while (left >= buckets_[i].size())
    left -= buckets_[i++].size();
  std::vector<std::int64_t> values = buckets_[i];
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(left);
  std::ranges::nth_element(values, at);
  if (at + 1 != values.end()) return {*at, *std::min_element(at + 1, values.end())};
  for (++i; i < buckets_.size(); ++i)
    if (!buckets_[i].empty()) return {*at, *std::ranges::min_element(buckets_[i])};
  return {*at, *at};
}

std::optional<double> SlidingWindow::percentile(double percent) const {
  if (entries_.empty()) return std::nullopt;
  const double place = percent / 100 * static_cast<double>(entries_.size() - 1); // as the catalogue reckons
  const double below = std::floor(place);
  const auto [low, high] = order(static_cast<std::int64_t>(below));
  return static_cast<double>(low) + (place - below) * static_cast<double>(high - low);
}

std::optional<double> SlidingWindow::mean() const {
  if (entries_.empty()) return std::nullopt;
  return static_cast<double>(sum_) / static_cast<double>(entries_.size());
}

std::optional<double> SlidingWindow::failed_percent() const {
  if (known_ == 0) return std::nullopt;
  return 100.0 * static_cast<double>(failed_) / static_cast<double>(known_);
}

std::optional<double> SlidingWindow::rate(Ts since, Ts now) const {
  if (now - since < length_) return std::nullopt;
  const Ts begin = std::max(now + Dur{-length_.ns}, cut_at_);
  const Dur span = now - begin;
  if (span.ns <= 0) return std::nullopt;
  return static_cast<double>(entries_.size()) * 1e9 / static_cast<double>(span.ns);
}

} // namespace prof
