// sql_kept.hpp: what functions and tables of ours keep while a statement runs.
#pragma once
#include <algorithm>
#include <cstddef>
#include <span>
#include <sqlite3.h>
#include <type_traits>

namespace prof::detail {

// Lies in SQLite's own memory, so that the statement's limit holds for it too: rows that a recursion makes
// without end must not take the machine.
template <class T>
class Kept {
public:
  Kept() = default;
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;
  ~Kept() { sqlite3_free(data_); }
  // False: no memory is left.
  [[nodiscard]] bool push(const T& value) {
    if (size_ == capacity_) {
      const std::size_t more = std::max<std::size_t>(64, capacity_ + capacity_ / 2);
      void* grown = sqlite3_realloc64(data_, more * sizeof(T));
      if (grown == nullptr) return false;
      data_ = static_cast<T*>(grown);
      capacity_ = more;
    }
    data_[size_++] = value;
    return true;
  }
  [[nodiscard]] std::span<T> all() { return {data_, size_}; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] const T& at(std::size_t i) const { return data_[i]; }
  // The last one takes the place of this one.
  void remove(std::size_t i) { data_[i] = data_[--size_]; }
  void clear() { size_ = 0; }

private:
  static_assert(std::is_trivially_copyable_v<T>);
  T* data_ = nullptr;
  std::size_t size_ = 0, capacity_ = 0;
};

} // namespace prof::detail
