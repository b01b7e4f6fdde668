// lock_probe: annotates itself with its own copy of the SDK and has a second thread wait for a mutex that the
// main thread holds, `argv[1]` times: it is let on once it sleeps there.
#include "sdk/prof_sdk.hpp"

#include <cstdlib>
#include <mutex>
#include <thread>

int main(int argc, char** argv) {
  constexpr int kSomebodyWaits = 2; // glibc's own mark in a mutex whose owner must wake others
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 1;
  prof::sdk::service("lock_probe");
  std::mutex mutex;
  for (int i = 0; i < rounds; ++i) {
    mutex.lock();
    std::thread waiter([&] {
      PROF_SPAN("wait for it");
      const std::lock_guard<std::mutex> held(mutex);
    });
    while (__atomic_load_n(&mutex.native_handle()->__data.__lock, __ATOMIC_RELAXED) != kSomebodyWaits)
      std::this_thread::yield();
    mutex.unlock();
    waiter.join();
  }
  return 0;
}
