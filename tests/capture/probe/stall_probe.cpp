// stall_probe NAME RATE: an annotated service with one worker that answers RATE requests a second in about 2
// ms each. A line "N" on standard input makes it stand still for N ms at its next request; then it answers
// with "stall ID BEGIN_NS END_NS" (CLOCK_MONOTONIC). Ends with its input.
#include "sdk/prof_sdk.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <thread>

namespace {

using Clock = std::chrono::steady_clock;

long long now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch()).count();
}

struct Queue {
  std::mutex mutex;
  std::condition_variable came;
  std::deque<prof::sdk::Request> waiting;
};

void serve(Queue& queue, const std::atomic<bool>& is_over, std::atomic<int>& stall_ms) {
  for (;;) {
    prof::sdk::Request request;
    {
      std::unique_lock lock(queue.mutex);
      queue.came.wait(lock, [&] { return is_over || !queue.waiting.empty(); });
      if (queue.waiting.empty()) return;
      request = std::move(queue.waiting.front());
      queue.waiting.pop_front();
      prof::sdk::counter(PROF_NAME("queue_depth"), static_cast<double>(queue.waiting.size()));
    }
    const prof::sdk::Attach working(request.id());
    if (const int ms = stall_ms.exchange(0); ms > 0) {
      const long long begin = now_ns();
      {
        PROF_STAGE("stall");
        std::this_thread::sleep_for(std::chrono::milliseconds(ms));
      }
      std::printf("stall %llu %lld %lld\n", static_cast<unsigned long long>(request.id()), begin, now_ns());
      std::fflush(stdout);
    }
    {
      PROF_STAGE("work");
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    request.finish(PROF_OK);
  }
}

} // namespace

int main(int argc, char** argv) {
  prof::sdk::service(argc > 1 ? argv[1] : "stall_probe");
  const double rate = argc > 2 ? std::atof(argv[2]) : 50;
  Queue queue;
  std::atomic<bool> is_over{false};
  std::atomic<int> stall_ms{0};
  std::thread worker([&] { serve(queue, is_over, stall_ms); });
  std::thread arrivals([&] {
    const auto pause = std::chrono::nanoseconds(static_cast<long long>(1e9 / rate));
    for (auto next = Clock::now(); !is_over; next += pause) {
      std::this_thread::sleep_until(next);
      const std::lock_guard lock(queue.mutex);
      queue.waiting.emplace_back(PROF_NAME("order"));
      queue.came.notify_one();
    }
  });
  std::printf("ready\n");
  std::fflush(stdout);
  for (int ms = 0; std::scanf("%d", &ms) == 1;)
    stall_ms = ms;
  is_over = true;
  queue.came.notify_all();
  arrivals.join();
  worker.join();
  return 0;
}
