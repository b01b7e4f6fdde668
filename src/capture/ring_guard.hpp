// ring_guard.hpp: a mapping of a file that belongs to somebody else. Whoever may write a file may also cut
// it, and then touching the mapping is a SIGBUS; here it reads as zeros from that moment on.
#pragma once
#include <atomic>
#include <cstddef>

namespace prof {

// Any thread may make and destroy mappings. A handler for SIGBUS is installed with the first one; faults that
// lie in no such mapping go to the handler of before.
class GuardedMapping {
public:
  GuardedMapping() = default;
  // Maps the first `bytes` of the file, shared and writable. data() is null when that fails (errno).
  GuardedMapping(int fd, std::size_t bytes);
  GuardedMapping(const GuardedMapping&) = delete;
  GuardedMapping& operator=(const GuardedMapping&) = delete;
  ~GuardedMapping();

  [[nodiscard]] char* data() const { return data_; }
  // Whether the file was cut and the content is gone.
  [[nodiscard]] bool is_cut() const;

  // One entry of the handler's list; public for the handler only.
  struct Entry {
    std::atomic<char*> begin{nullptr};
    std::atomic<std::size_t> bytes{0};
    std::atomic<bool> is_cut{false};
    Entry* next = nullptr; // fixed once the entry is in the list
  };

private:
  char* data_ = nullptr;
  Entry* entry_ = nullptr;
};

} // namespace prof
