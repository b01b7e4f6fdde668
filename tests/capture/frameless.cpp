// Functions without frame pointers (libs.cmake compiles this file so) that destroy the one of their caller.
#include <cstdint>
#include <ctime>

#if defined(__x86_64__)
// Without a table, as the engines' matrix kernels: pushes what it must keep and counts down.
asm(R"(
.text
.type table_free_kernel, @function
.globl table_free_kernel
table_free_kernel:
  push %rbp
  push %rbx
  push %r12
  xor %ebp, %ebp
1:
  dec %rdi
  jnz 1b
  pop %r12
  pop %rbx
  pop %rbp
  ret
.size table_free_kernel, .-table_free_kernel
)");
extern "C" void table_free_kernel(std::int64_t rounds);
#endif

namespace prof::test {

std::uint64_t frameless_outer(std::int64_t cpu_ms);
void caller_of_table_free(std::int64_t rounds);

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

__attribute__((noinline)) void caller_of_table_free([[maybe_unused]] std::int64_t rounds) {
#if defined(__x86_64__)
  table_free_kernel(rounds);
  asm volatile(""); // not a tail call
#endif
}

} // namespace prof::test
