#include "capture/ring_guard.hpp"

#include <csignal>
#include <mutex>
#include <sys/mman.h>

namespace prof {
namespace {

// A signal handler has no arguments of ours: the list must be global. Entries are used again and never freed,
// so that a handler that runs meanwhile in another thread can follow them without a lock.
std::atomic<GuardedMapping::Entry*> g_entries{nullptr};
std::mutex g_mutex; // of those who add and remove
struct sigaction g_before{};

void on_bus_error(int number, siginfo_t* info, void* context) {
  const auto* at = static_cast<const char*>(info->si_addr);
  for (GuardedMapping::Entry* entry = g_entries.load(std::memory_order_acquire); entry != nullptr;
       entry = entry->next) {
    char* begin = entry->begin.load(std::memory_order_acquire);
    const std::size_t bytes = entry->bytes.load(std::memory_order_relaxed);
    if (begin == nullptr || at < begin || at >= begin + bytes) continue;
    if (::mmap(begin, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) ==
        MAP_FAILED)
      break;
    entry->is_cut.store(true, std::memory_order_release);
    return; // the instruction is tried again, on zeros
  }
  if ((g_before.sa_flags & SA_SIGINFO) != 0 && g_before.sa_sigaction != nullptr) {
    g_before.sa_sigaction(number, info, context);
    return;
  }
  ::sigaction(SIGBUS, &g_before, nullptr); // it comes again at once, and ends the program as it should
}

GuardedMapping::Entry* take_entry(char* begin, std::size_t bytes) {
  const std::lock_guard<std::mutex> held(g_mutex);
  if (g_entries.load(std::memory_order_relaxed) == nullptr) {
    struct sigaction action{};
    action.sa_sigaction = on_bus_error;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    ::sigaction(SIGBUS, &action, &g_before);
  }
  GuardedMapping::Entry* entry = g_entries.load(std::memory_order_relaxed);
  while (entry != nullptr && entry->begin.load(std::memory_order_relaxed) != nullptr)
    entry = entry->next;
  const bool is_new = entry == nullptr;
  if (is_new) entry = new GuardedMapping::Entry; // kept for good, see above
  entry->is_cut.store(false, std::memory_order_relaxed);
  entry->bytes.store(bytes, std::memory_order_relaxed);
  entry->begin.store(begin, std::memory_order_release);
  if (is_new) {
    entry->next = g_entries.load(std::memory_order_relaxed);
    g_entries.store(entry, std::memory_order_release);
  }
  return entry;
}

} // namespace

GuardedMapping::GuardedMapping(int fd, std::size_t bytes) {
  void* map = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (map == MAP_FAILED) return;
  data_ = static_cast<char*>(map);
  entry_ = take_entry(data_, bytes);
}

GuardedMapping::~GuardedMapping() {
  if (data_ == nullptr) return;
  entry_->begin.store(nullptr, std::memory_order_release);
  ::munmap(data_, entry_->bytes.load(std::memory_order_relaxed));
}

bool GuardedMapping::is_cut() const {
  return entry_ != nullptr && entry_->is_cut.load(std::memory_order_acquire);
}

} // namespace prof
