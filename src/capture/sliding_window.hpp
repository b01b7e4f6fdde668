// sliding_window.hpp: the requests of the last few seconds, and their exact percentiles at any moment.
#pragma once
#include "base/units.hpp"

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

namespace prof {

// How a request ended, as far as it said so.
enum class RequestOutcome : std::uint8_t { unknown, ok, failed };

// Values stand in buckets of equal leading bits (128 to an octave), so that one is added and taken out in
// constant time, and an order statistic costs a walk over the buckets and one selection inside the right one.
// Percentiles are exact, of type 7 like those of the metric catalogue. Not thread-safe.
class SlidingWindow {
public:
  static constexpr std::size_t kMost = std::size_t{1} << 20; // 24 MB; then the oldest go before their time

  explicit SlidingWindow(Dur length, std::size_t most = kMost);
  // A value that became known at `at`. Times may come a little out of order.
  void add(Ts at, std::int64_t value, RequestOutcome outcome = RequestOutcome::unknown);
  // Drops what lies at or before `now` - length.
  void advance(Ts now);

  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(entries_.size()); }
  // None of an empty window. `percent` is 0..100.
  [[nodiscard]] std::optional<double> percentile(double percent) const;
  [[nodiscard]] std::optional<double> mean() const;
  // Percent of those with a known outcome that failed.
  [[nodiscard]] std::optional<double> failed_percent() const;
  // Values per second at `now`, over the window or what of it is kept. None while it is shorter than the
  // window since `since`: a rate over a moment says nothing.
  [[nodiscard]] std::optional<double> rate(Ts since, Ts now) const;

private:
  struct Entry {
    Ts at;
    std::int64_t value;
    RequestOutcome outcome;
  };
  // The value at this rank (0 = smallest) and the next one.
  [[nodiscard]] std::pair<std::int64_t, std::int64_t> order(std::int64_t rank) const;
  void drop_oldest();

  Dur length_;
  std::size_t most_;
  std::deque<Entry> entries_; // by time
  std::vector<std::vector<std::int64_t>> buckets_;
  std::uint64_t sum_ = 0;
  std::int64_t known_ = 0, failed_ = 0;
  Ts cut_at_; // up to here the limit of entries took some that were still in the window
};

} // namespace prof
