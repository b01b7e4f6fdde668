// row_index.hpp: "which row holds this content?" without a copy of the content: an open-addressing table of
// row numbers.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace prof::detail {

// 64-bit mixing (the finaliser of MurmurHash3, Austin Appleby, public domain formula).
[[nodiscard]] constexpr std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccdULL;
  x ^= x >> 33;
  x *= 0xc4ceb9fe1a85ec53ULL;
  return x ^ (x >> 33);
}
[[nodiscard]] constexpr std::uint64_t mix(std::uint64_t seed, std::uint64_t x) {
  return mix(seed * 0x9e3779b97f4a7c15ULL + x);
}

// 16 bytes a slot, at most 3/4 full. The caller owns the rows and says what is equal.
class RowIndex {
public:
  static constexpr std::uint32_t kEmpty = 0xffffffffU;

  // The row for which is_same(row) holds, or the one that add() makes now. Amortised O(1).
  template <class IsSame, class Add>
  std::uint32_t find_or_add(std::uint64_t hash, IsSame&& is_same, Add&& add) {
    if ((used_ + 1) * 4 > slots_.size() * 3) grow();
    const auto short_hash = static_cast<std::uint32_t>(hash >> 32);
    for (std::size_t at = hash & mask();; at = (at + 1) & mask()) {
      Slot& slot = slots_[at];
      if (slot.row == kEmpty) {
        const std::uint32_t row = add();
        slots_[at] = {row, short_hash, hash};
        ++used_;
        return row;
      }
      if (slot.short_hash == short_hash && is_same(slot.row)) return slot.row;
    }
  }

private:
  struct Slot {
    std::uint32_t row = kEmpty;
    std::uint32_t short_hash = 0;
    std::uint64_t hash = 0;
  };
  [[nodiscard]] std::size_t mask() const { return slots_.size() - 1; }
  void grow() {
    std::vector<Slot> old(slots_.empty() ? 64 : slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.row == kEmpty) continue;
      std::size_t at = slot.hash & mask();
      while (slots_[at].row != kEmpty)
        at = (at + 1) & mask();
      slots_[at] = slot;
    }
  }
  std::vector<Slot> slots_;
  std::size_t used_ = 0;
};

// The same question, asked of rows seen lately only: content that comes once costs no memory and no cache
// miss, content that repeats is found while it repeats. A row that fell out is added again.
class RecentRows {
public:
  template <class IsSame, class Add>
  std::uint32_t find_or_add(std::uint64_t hash, IsSame&& is_same, Add&& add) {
    if (slots_.empty()) slots_.resize(kSlots);
    Slot& slot = slots_[hash & (kSlots - 1)];
    const auto short_hash = static_cast<std::uint32_t>(hash >> 32);
    if (slot.row == RowIndex::kEmpty || slot.short_hash != short_hash || !is_same(slot.row))
      slot = {add(), short_hash};
    return slot.row;
  }

private:
  static constexpr std::size_t kSlots = std::size_t{1} << 15; // 256 KiB: stays in the second-level cache
  struct Slot {
    std::uint32_t row = RowIndex::kEmpty;
    std::uint32_t short_hash = 0;
  };
  std::vector<Slot> slots_;
};

} // namespace prof::detail
