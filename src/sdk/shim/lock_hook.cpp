// pthread_mutex_lock, seen by every program that has the shim preloaded: a lock that had to be waited for
// becomes a slice.
#include "sdk/shim/shim.hpp"

#include <cerrno>
#include <pthread.h>
#include <sched.h>

namespace prof::shim {
namespace {

using Lock = int(pthread_mutex_t*);
Lock* g_lock = nullptr;
__thread bool t_is_resolving __attribute__((tls_model("initial-exec"))) = false;

Lock* resolve() {
  if (t_is_resolving) return nullptr; // the loader itself locked something on the way
  t_is_resolving = true;
  auto* lock = reinterpret_cast<Lock*>(real_symbol(nullptr, "pthread_mutex_lock"));
  t_is_resolving = false;
  __atomic_store_n(&g_lock, lock, __ATOMIC_RELEASE);
  return lock;
}

int lock_slowly(pthread_mutex_t* mutex) {
  int result = 0;
  while ((result = pthread_mutex_trylock(mutex)) == EBUSY)
    sched_yield();
  return result;
}

} // namespace
} // namespace prof::shim

extern "C" __attribute__((visibility("default"))) int pthread_mutex_lock(pthread_mutex_t* mutex) {
  using namespace prof::shim;
  Lock* lock = __atomic_load_n(&g_lock, __ATOMIC_ACQUIRE);
  if (lock == nullptr) lock = resolve();
  if (lock == nullptr) return lock_slowly(mutex);
  if (!prof_is_on()) return lock(mutex);
  const int at_once = pthread_mutex_trylock(mutex);
  if (at_once != EBUSY) return at_once; // got it; or the same error that lock() would give
  const auto owner = static_cast<std::uint32_t>(__atomic_load_n(&mutex->__data.__owner, __ATOMIC_RELAXED));
  const std::uint64_t begin = prof_sdk_api->ticks();
  const int result = lock(mutex);
  const int kept = errno;
  prof_sdk_api->lock(mutex, owner, begin, prof_sdk_api->ticks());
  errno = kept;
  return result;
}
