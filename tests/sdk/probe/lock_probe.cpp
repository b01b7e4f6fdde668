// lock_probe: annotates itself with its own copy of the SDK and has two threads wait for one mutex, `argv[1]`
// times.
#include "sdk/prof_sdk.hpp"

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <thread>

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 1;
  prof::sdk::service("lock_probe");
  std::mutex mutex;
  for (int i = 0; i < rounds; ++i) {
    std::atomic<bool> is_waiting{false};
    mutex.lock();
    std::thread waiter([&] {
      PROF_SPAN("wait for it");
      is_waiting.store(true);
      const std::lock_guard<std::mutex> held(mutex);
    });
    while (!is_waiting.load())
      std::this_thread::yield();
    // Long enough for the waiter to reach the mutex; a late one costs a slice and the test asks for most of
    // them only.
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    mutex.unlock();
    waiter.join();
  }
  return 0;
}
