#include "store/off_cpu.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace prof {
namespace {

template <std::size_t N>
bool has_any(std::string_view function, const std::array<std::string_view, N>& parts) {
  return std::ranges::any_of(
      parts, [&](std::string_view part) { return function.find(part) != std::string_view::npos; });
}

// Function names of Linux 5.x and 6.x (mm/memory.c, kernel/futex, net/, fs/) and of glibc's nptl.
constexpr std::array<std::string_view, 6> kPageFault{"exc_page_fault",  "do_user_addr_fault",
                                                     "handle_mm_fault", "filemap_fault",
                                                     "do_swap_page",    "do_page_fault"};
constexpr std::array<std::string_view, 4> kKernelLock{"futex_lock_pi", "rwsem_down_", "__mutex_lock",
                                                      "rt_mutex"};
constexpr std::array<std::string_view, 3> kFutex{"futex_wait", "do_futex", "futex_wait_queue"};
constexpr std::array<std::string_view, 9> kNetwork{"sk_wait_data", "tcp_",         "inet_",
                                                   "unix_stream_", "sock_recvmsg", "sock_sendmsg",
                                                   "__sys_recv",   "__sys_send",   "sock_read_iter"};
constexpr std::array<std::string_view, 11> kIo{"vfs_read",    "vfs_write", "ksys_read",  "ksys_write",
                                               "io_schedule", "fsync",     "folio_wait", "wait_on_page",
                                               "pipe_write",  "io_uring",  "blk_"};
constexpr std::array<std::string_view, 6> kEvent{"do_sys_poll", "do_poll",       "do_select",
                                                 "ep_poll",     "do_epoll_wait", "pipe_read"};
constexpr std::array<std::string_view, 3> kTimer{"hrtimer_nanosleep", "do_nanosleep", "clock_nanosleep"};
constexpr std::array<std::string_view, 7> kUserMutex{
    "pthread_mutex_lock", "lll_lock_wait",     "pthread_mutex_timedlock", "pthread_rwlock_",
    "std::mutex::lock",   "absl::Mutex::Lock", "pthread_mutex_clocklock"};
// CPython's global interpreter lock is a condition variable underneath, and a lock all the same.
constexpr std::array<std::string_view, 2> kInterpreterLock{"take_gil", "PyEval_RestoreThread"};
constexpr std::array<std::string_view, 3> kUserCondition{"pthread_cond_wait", "pthread_cond_timedwait",
                                                         "pthread_cond_clockwait"};

} // namespace

OffCpuReasons::OffCpuReasons(const Store& store) : store_(store) {
  const FrameTable& frames = store.tables().frame;
  hints_.reserve(frames.function.size());
  for (std::size_t i = 0; i < frames.function.size(); ++i)
    hints_.push_back(hint_of(store.text(frames.function[i]), frames.kind[i] == FrameKind::kernel));
}

OffCpuReasons::Hint OffCpuReasons::hint_of(std::string_view function, bool is_kernel) {
  if (!is_kernel) {
    if (has_any(function, kInterpreterLock)) return Hint::interpreter_lock;
    if (has_any(function, kUserCondition)) return Hint::user_condition;
    return has_any(function, kUserMutex) ? Hint::user_mutex : Hint::none;
  }
  if (has_any(function, kPageFault)) return Hint::page_fault;
  if (has_any(function, kKernelLock)) return Hint::kernel_lock;
  if (has_any(function, kFutex)) return Hint::futex;
  if (has_any(function, kTimer)) return Hint::timer;
  if (has_any(function, kNetwork)) return Hint::network;
  if (has_any(function, kEvent)) return Hint::event;
  return has_any(function, kIo) ? Hint::io : Hint::none;
}

OffCpuReasons::Hints OffCpuReasons::hints_of(std::uint32_t sample) const {
  const CallstackTable& stacks = store_.tables().callstack;
  Hints has{};
  for (std::uint32_t node = store_.tables().sample.callstack[sample]; node != kNoRow;
       node = stacks.parent[node])
    has[static_cast<std::size_t>(hints_[stacks.frame[node]])] = true;
  return has;
}

bool OffCpuReasons::is_event_wait(std::uint32_t sample) const {
  return sample != kNoRow && hints_of(sample)[static_cast<std::size_t>(Hint::event)];
}

std::optional<TimeClass> OffCpuReasons::reason(std::uint32_t sample, bool is_uninterruptible) const {
  const std::optional<TimeClass> unsaid = is_uninterruptible ? std::optional(TimeClass::io) : std::nullopt;
  if (sample == kNoRow) return unsaid;
  const Hints has = hints_of(sample);
  const auto says = [&](Hint hint) { return has[static_cast<std::size_t>(hint)]; };
  // A page fault inside a read is a page fault; a lock inside a page fault (mmap_lock) is its cost.
  if (says(Hint::page_fault)) return TimeClass::page_fault;
  if (says(Hint::futex)) {
    if (says(Hint::interpreter_lock)) return TimeClass::lock_wait;
    // A condition variable relocks its mutex inside pthread_cond_wait: the wait itself is no contention.
    if (says(Hint::user_mutex) && !says(Hint::user_condition)) return TimeClass::lock_wait;
    return says(Hint::kernel_lock) ? std::optional(TimeClass::lock_wait) : unsaid;
  }
  if (says(Hint::network)) return TimeClass::network;
  if (says(Hint::io) || says(Hint::event)) return TimeClass::io;
  if (says(Hint::kernel_lock)) return TimeClass::lock_wait;
  if (says(Hint::timer)) return TimeClass::sleeping;
  return unsaid;
}

} // namespace prof
