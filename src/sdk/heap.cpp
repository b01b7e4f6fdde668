#include "sdk/process.hpp"

#include <cstring>
#include <malloc.h>

namespace prof::sdk {

namespace {
std::atomic<std::int64_t> g_next_ns{0};
constexpr std::int64_t kPeriodNs = 1'000'000'000;
// mallinfo2 walks free lists under the arenas' locks: where that takes long it is done less often, 0.1 % of
// the time at most.
constexpr std::int64_t kCostFactor = 1000;

void put_counter(const char* name, prof_name unit, double value) {
  own_table()->counter(intern(name, std::strlen(name)), unit, value);
}
} // namespace

#if defined(__GLIBC__) && (__GLIBC__ > 2 || (__GLIBC__ == 2 && __GLIBC_MINOR__ >= 33))
void heap_tick() {
  std::int64_t due = g_next_ns.load(std::memory_order_relaxed);
  const std::int64_t now = monotonic_ns();
  if (now < due || !g_next_ns.compare_exchange_strong(due, now + kPeriodNs, std::memory_order_relaxed))
    return;
  const struct mallinfo2 info = mallinfo2();
  const std::int64_t cost = (monotonic_ns() - now) * kCostFactor;
  if (cost > kPeriodNs) g_next_ns.store(now + cost, std::memory_order_relaxed);
  const prof_name bytes = intern("bytes", 5);
  put_counter("heap_in_use", bytes, static_cast<double>(info.uordblks + info.hblkhd));
  put_counter("heap_held", bytes, static_cast<double>(info.arena + info.hblkhd));
}
#else
void heap_tick() {}
#endif

} // namespace prof::sdk
