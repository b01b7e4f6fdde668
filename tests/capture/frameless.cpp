// Functions without frame pointers (libs.cmake compiles this file so), one of which destroys the one of its
// caller.
#include <cstdint>
#include <ctime>

namespace prof::test {

std::uint64_t frameless_outer(std::int64_t cpu_ms);

__attribute__((noinline, no_sanitize("address"))) std::uint64_t frameless_inner(std::int64_t cpu_ms) {
#if defined(__x86_64__)
  asm volatile("xor %%ebp, %%ebp" ::: "rbp");
#endif
  std::uint64_t sum = 1;
  timespec used{};
  do {
    for (int i = 0; i < 1'000'000; ++i)
      sum = sum * 6364136223846793005U + 1442695040888963407U;
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  } while (used.tv_sec * 1000 + used.tv_nsec / 1'000'000 < cpu_ms);
  return sum;
}
__attribute__((noinline)) std::uint64_t frameless_outer(std::int64_t cpu_ms) {
  return frameless_inner(cpu_ms) + 1; // not a tail call
}

} // namespace prof::test
