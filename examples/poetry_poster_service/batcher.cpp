#include "batcher.hpp"

#include "compose.hpp"

#include <chrono>
#include <fmt/format.h>
#include <pthread.h>

namespace poster {
namespace {
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}
} // namespace

Batcher::Batcher(const Pipeline& pipeline, const Config& config, Metrics& metrics)
    : pipeline_(pipeline), config_(config), metrics_(metrics) {
  for (int i = 0; i < config.workers; ++i) {
    workers_.emplace_back([this] { work(); });
    pthread_setname_np(workers_.back().native_handle(), fmt::format("worker-{}", i).c_str());
  }
}

Batcher::~Batcher() {
  stop();
}

void Batcher::stop() {
  {
    const std::scoped_lock lock(mutex_);
    is_stopping_ = true;
  }
  arrived_.notify_all();
  for (std::thread& worker : workers_)
    if (worker.joinable()) worker.join();
}

std::size_t Batcher::depth() const {
  const std::scoped_lock lock(mutex_);
  return queue_.size();
}

std::size_t Batcher::in_flight() const {
  const std::scoped_lock lock(mutex_);
  return in_flight_;
}

std::optional<std::future<Outcome>> Batcher::submit(Job job, prof_request request) {
  std::future<Outcome> result;
  {
    const std::scoped_lock lock(mutex_);
    if (is_stopping_ || queue_.size() >= static_cast<std::size_t>(config_.queue_capacity))
      return std::nullopt;
    Entry entry{.job = std::move(job),
                .request = request,
                .queued_ticks = prof_ticks(),
                .taken_ticks = 0,
                .promise = {}};
    result = entry.promise.get_future();
    prof::sdk::wait_begin(request, PROF_NAME("queue"), entry.queued_ticks, PROF_QUEUE_WAIT);
    queue_.push_back(std::move(entry));
    prof::sdk::counter(PROF_NAME("queue_depth"), static_cast<double>(queue_.size()));
  }
  arrived_.notify_one();
  return result;
}

// Moves waiting entries into the batch. The caller holds the lock.
void Batcher::take_up_to(std::vector<Entry>& batch, std::size_t limit) {
  while (batch.size() < limit && !queue_.empty()) {
    Entry entry = std::move(queue_.front());
    queue_.pop_front();
    entry.taken_ticks = prof_ticks();
    prof::sdk::wait(entry.request, PROF_NAME("queue"), entry.queued_ticks, entry.taken_ticks,
                    PROF_QUEUE_WAIT);
    batch.push_back(std::move(entry));
  }
  prof::sdk::counter(PROF_NAME("queue_depth"), static_cast<double>(queue_.size()));
}

// Waits for a first request, then up to batch_delay_ms for others. Empty: the service stops and the queue is
// empty.
std::vector<Batcher::Entry> Batcher::take_batch() {
  std::vector<Entry> batch;
  const auto limit = static_cast<std::size_t>(config_.max_batch);
  std::unique_lock lock(mutex_);
  arrived_.wait(lock, [this] { return is_stopping_ || !queue_.empty(); });
  if (queue_.empty()) return batch;
  take_up_to(batch, limit);
  const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                           std::chrono::duration<double, std::milli>(config_.batch_delay_ms));
  while (batch.size() < limit && !is_stopping_ &&
         arrived_.wait_until(lock, deadline, [this] { return is_stopping_ || !queue_.empty(); }))
    take_up_to(batch, limit);
  in_flight_ += batch.size();
  return batch;
}

void Batcher::serve(std::vector<Entry>& batch) {
  for (const Entry& entry : batch)
    prof::sdk::wait(entry.request, PROF_NAME("batch"), entry.taken_ticks, prof_ticks(), PROF_BATCH_WAIT);
  prof::sdk::counter(PROF_NAME("batch_size"), static_cast<double>(batch.size()));
  metrics_.observe_batch(batch.size());
  std::vector<Job> jobs;
  for (const Entry& entry : batch)
    jobs.push_back(entry.job);
  std::vector<prof_request> requests;
  for (const Entry& entry : batch)
    requests.push_back(entry.request);
  const auto staged = [&](const char* name, std::span<const prof_request> whom,
                          const std::function<void()>& run) {
    const auto start = Clock::now();
    {
      const prof::sdk::Stage stage(prof_intern(name), whom.data(), whom.size());
      run();
    }
    metrics_.observe_stage(name, seconds_since(start));
  };
  std::vector<Picture> pictures;
  std::string error;
  try {
    pictures = pipeline_.generate(
        jobs, [&](const char* name, const std::function<void()>& run) { staged(name, requests, run); });
  } catch (const OrtFailure& failure) {
    error = failure.what;
  }
  const std::uint64_t generated_ticks = prof_ticks();
  for (std::size_t i = 0; i < batch.size(); ++i) {
    // The worker finishes one picture after the other.
    if (i > 0)
      prof::sdk::wait(requests[i], PROF_NAME("compose_turn"), generated_ticks, prof_ticks(), PROF_QUEUE_WAIT);
    Outcome outcome{.png = {}, .error = error};
    if (error.empty()) {
      Surface surface;
      const std::span<const prof_request> own(&requests[i], 1);
      staged("compose", own, [&] { surface = compose(pictures[i], jobs[i].text); });
      staged("encode_png", own, [&] { outcome.png = encode_png(surface); });
    }
    batch[i].promise.set_value(std::move(outcome));
  }
}

void Batcher::work() {
  // Fonts are loaded per thread at first use: before the first request, not in it.
  compose(Picture{1, 1, {0, 0, 0}}, "诗 poem");
  for (;;) {
    std::vector<Entry> batch = take_batch();
    if (batch.empty()) return;
    serve(batch);
    const std::scoped_lock lock(mutex_);
    in_flight_ -= batch.size();
  }
}

} // namespace poster
