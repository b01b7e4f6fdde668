// metrics.hpp: what /metrics shows, in Prometheus' text format. Thread-safe.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

namespace poster {

class Metrics {
public:
  void count_request(const std::string& endpoint, int status, double seconds);
  void observe_stage(const std::string& stage, double seconds);
  void observe_batch(std::size_t size);
  std::string text(std::size_t queue_depth, std::size_t in_flight) const;

private:
  struct Histogram {
    std::array<std::uint64_t, 12> buckets{}; // counts per bound, not cumulative; the last is +Inf
    double sum = 0;
    std::uint64_t count = 0;
    void add(double value, const std::array<double, 11>& bounds);
  };
  static std::string lines(const std::string& name, const std::string& label, const Histogram& h,
                           const std::array<double, 11>& bounds);
  mutable std::mutex mutex_;
  std::map<std::pair<std::string, int>, std::uint64_t> requests_;
  std::map<std::string, Histogram> seconds_;
  std::map<std::string, Histogram> stages_;
  Histogram batches_;
};

} // namespace poster
