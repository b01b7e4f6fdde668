// unwinder.hpp: call stacks of code without frame pointers: from the registers and the top of the stack that
// the kernel copied with a sample, by the unwind tables (.eh_frame) of the mapped files (libdw). x86-64 only.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

namespace prof {

// A mapped file and how far its addresses lie from those in the ELF file.
struct UnwindModule {
  std::filesystem::path file;
  std::uint64_t bias = 0;
};

// What a sample knows of its thread. `registers` as perf gives them for kUnwindRegisters.
struct UserState {
  std::span<const std::uint64_t> registers;
  std::span<const std::byte> stack; // from the stack pointer on
};
inline constexpr std::size_t kUnwindRegisterCount = 17;
#if defined(__x86_64__)
inline constexpr bool kCanUnwind = true;
inline constexpr std::uint64_t kUnwindRegisters = 0x1ff | 0xff0000; // ax bx cx dx si di bp sp ip, r8-r15
#else
inline constexpr bool kCanUnwind = false;
inline constexpr std::uint64_t kUnwindRegisters = 0;
#endif

// Single-threaded.
class Unwinder {
public:
  Unwinder();
  Unwinder(const Unwinder&) = delete;
  Unwinder& operator=(const Unwinder&) = delete;
  ~Unwinder();

  // The modules of a process; replaces those of before. Each file stays open: the processes that were sampled
  // last are kept.
  void set_modules(std::int64_t pid, std::span<const UnwindModule> modules);
  [[nodiscard]] bool knows(std::int64_t pid) const { return spaces_.contains(pid); }
  // Addresses leaf first into `out`: the sampled one, then return addresses. True when the outermost frame
  // was reached; false when the copied stack or a table ended before, and `out` holds what was found.
  bool unwind(std::int64_t pid, const UserState& state, std::vector<std::uint64_t>& out);

private:
  struct Space;
  static bool unwind_above_leaf(Space& space, std::vector<std::uint64_t>& out);
  std::unordered_map<std::int64_t, std::unique_ptr<Space>> spaces_;
  std::int64_t uses_ = 0;
};

} // namespace prof
