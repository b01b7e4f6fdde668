// batcher.hpp: the bounded queue and the worker threads that take batches from it.
#pragma once
#include "config.hpp"
#include "metrics.hpp"
#include "pipeline.hpp"
#include "sdk/prof_sdk.hpp"

#include <condition_variable>
#include <deque>
#include <future>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace poster {

// What a job ends with: a PNG, or what went wrong.
struct Outcome {
  std::string png;
  std::string error;
};

class Batcher {
public:
  Batcher(const Pipeline& pipeline, const Config& config, Metrics& metrics);
  ~Batcher(); // stop()
  Batcher(const Batcher&) = delete;
  Batcher& operator=(const Batcher&) = delete;
  // Empty when the queue is full or the service is stopping. `request` is what the annotations know the job
  // by.
  std::optional<std::future<Outcome>> submit(Job job, prof_request request);
  std::size_t depth() const;
  std::size_t in_flight() const;
  // Finishes what is queued, then ends the workers.
  void stop();

private:
  struct Entry {
    Job job;
    prof_request request = 0;
    std::uint64_t queued_ticks = 0, taken_ticks = 0; // for the annotations; 0 while nobody records
    std::promise<Outcome> promise;
  };
  void work();
  std::vector<Entry> take_batch();
  void serve(std::vector<Entry>& batch);
  void take_up_to(std::vector<Entry>& batch, std::size_t limit);

  const Pipeline& pipeline_;
  const Config& config_;
  Metrics& metrics_;
  mutable std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<Entry> queue_;
  std::size_t in_flight_ = 0;
  bool is_stopping_ = false;
  std::vector<std::thread> workers_;
};

} // namespace poster
