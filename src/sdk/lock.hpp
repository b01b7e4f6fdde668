// lock.hpp: a lock of our own. pthread_mutex_lock may be interposed by the shim of this very SDK, which would
// recurse.
#pragma once
#include <atomic>
#include <cstdint>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace prof::sdk {

// Not recursive. 0 = free, 1 = held, 2 = held and somebody waits.
class Lock {
public:
  void lock() {
    std::uint32_t seen = 0;
    if (state_.compare_exchange_strong(seen, 1, std::memory_order_acquire)) return;
    while (state_.exchange(2, std::memory_order_acquire) != 0)
      syscall(SYS_futex, &state_, FUTEX_WAIT_PRIVATE, 2, nullptr);
  }
  void unlock() {
    if (state_.exchange(0, std::memory_order_release) == 2)
      syscall(SYS_futex, &state_, FUTEX_WAKE_PRIVATE, 1);
  }

private:
  std::atomic<std::uint32_t> state_{0};
};

class Held {
public:
  explicit Held(Lock& lock) : lock_(lock) { lock_.lock(); }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  ~Held() { lock_.unlock(); }

private:
  Lock& lock_;
};

} // namespace prof::sdk
