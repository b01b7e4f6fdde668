// mutex_probe: a program that knows nothing of us. Four threads, one after the other, wait for one pthread
// mutex that the main thread holds: each is let on once it sleeps there.
#include <pthread.h>
#include <sched.h>

namespace {

pthread_mutex_t g_mutex = PTHREAD_MUTEX_INITIALIZER;

void* take_it(void*) {
  pthread_mutex_lock(&g_mutex);
  pthread_mutex_unlock(&g_mutex);
  return nullptr;
}

} // namespace

int main() {
  constexpr int kSomebodyWaits = 2; // glibc's own mark in a mutex whose owner must wake others
  for (int i = 0; i < 4; ++i) {
    pthread_mutex_lock(&g_mutex);
    pthread_t waiter{};
    if (pthread_create(&waiter, nullptr, take_it, nullptr) != 0) return 1;
    while (__atomic_load_n(&g_mutex.__data.__lock, __ATOMIC_RELAXED) != kSomebodyWaits)
      sched_yield();
    pthread_mutex_unlock(&g_mutex);
    pthread_join(waiter, nullptr);
  }
  return 0;
}
