// low_priority.hpp: the capture works in the time that nobody else wants, as long as it comes round in time.
#pragma once
#include "base/units.hpp"

#include <condition_variable>
#include <mutex>
#include <thread>

namespace prof {

// While it lives, the calling thread gives way to the target, and gets its old priority back at the end: the
// caller's program goes on afterwards.
//
// Where the rights allow it the thread is of the kernel's idle class: waking up takes no CPU away from
// anybody, and on a machine with gaps its work costs the target's latency nothing. Where there are none it
// would wait too long (rings overflow, and what is not written yet is lost when the profiler is killed): a
// watching thread gives it an ordinary priority when its round is overdue, until the round is done.
class LowPriority {
public:
  LowPriority();
  LowPriority(const LowPriority&) = delete;
  LowPriority& operator=(const LowPriority&) = delete;
  ~LowPriority();

  // The round is over, the next one begins at `next`. Call it before sleeping. `has_gaps`: false while so
  // much comes that no time is to be lost.
  void rest_until(Ts next, bool has_gaps);

private:
  void watch();
  void be_idle();
  void be_ordinary();

  const int nice_, tid_;
  std::mutex mutex_; // of what follows
  std::condition_variable_any changed_;
  Ts next_{};
  bool is_idle_ = false, is_ending_ = false;
  std::thread watcher_; // none: the thread keeps an ordinary low priority
};

// For a lock that the target may want is taken next: the calling thread leaves the idle class for the rest of
// its round, so that it is not kept from giving the lock back.
void hurry();

} // namespace prof
