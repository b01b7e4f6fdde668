#include "capture/low_priority.hpp"

#include "base/clock.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

namespace prof {
namespace {

using namespace literals;

constexpr int kNice = 5;
// A round may begin this much late. An inference of two threads that takes 100 to 200 ms leaves no gap
// meanwhile, and one of its threads spins for as long as we hold the CPU of the other: better to wait for its
// end. The rings hold twice what comes in a round and this together (session.cpp: kPollEvents).
constexpr Dur kPatience = 250_ms;

void set_class(int tid, int scheduling_class) {
  const sched_param none{};
  ::sched_setscheduler(tid, scheduling_class, &none);
}

// Without the right to a lower nice value a thread cannot leave the idle class again: tried on one that ends.
bool can_leave_idle() {
  bool can = false;
  std::thread([&] {
    const sched_param none{};
    can = ::sched_setscheduler(0, SCHED_IDLE, &none) == 0 && ::sched_setscheduler(0, SCHED_BATCH, &none) == 0;
  }).join();
  return can;
}

} // namespace

LowPriority::LowPriority() : nice_(::getpriority(PRIO_PROCESS, 0)), tid_(::gettid()) {
  const bool has_idle = can_leave_idle();
  if (has_idle) { // now: a thread inherits the priority of its maker
    sigset_t all, old;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &old); // signals are for the thread that they shall wake
    watcher_ = std::thread([this] { watch(); });
    ::pthread_sigmask(SIG_SETMASK, &old, nullptr);
  }
  // With a watcher it gives way by its class; once it is late it must not wait behind everybody again.
  if (!has_idle) ::setpriority(PRIO_PROCESS, 0, std::max(nice_, kNice));
  set_class(0, SCHED_BATCH);
}

LowPriority::~LowPriority() {
  if (watcher_.joinable()) {
    {
      const std::lock_guard lock(mutex_);
      is_ending_ = true;
      be_ordinary();
    }
    changed_.notify_all();
    watcher_.join();
  }
  set_class(0, SCHED_OTHER);
  ::setpriority(PRIO_PROCESS, 0, nice_);
}

void LowPriority::rest_until(Ts next, bool has_gaps) {
  if (!watcher_.joinable()) return;
  const std::lock_guard lock(mutex_);
  next_ = next;
  if (has_gaps)
    be_idle();
  else
    be_ordinary();
}

void LowPriority::be_idle() {
  is_idle_ = true; // not so when it had to hurry: set again each time
  set_class(tid_, SCHED_IDLE);
}

void LowPriority::be_ordinary() {
  if (!is_idle_) return;
  is_idle_ = false;
  set_class(tid_, SCHED_BATCH);
}

// Asleep for most of the time: it wakes once after each round should have been done, and finds that it was.
void LowPriority::watch() {
  std::unique_lock lock(mutex_);
  while (!is_ending_) {
    const Ts due = next_ + kPatience, now = now_monotonic();
    if (now >= due) be_ordinary();
    const Dur pause = now >= due ? kPatience : due - now;
    changed_.wait_for(lock, std::chrono::nanoseconds(pause.ns), [this] { return is_ending_; });
  }
}

void hurry() {
  if (::sched_getscheduler(0) == SCHED_IDLE) set_class(0, SCHED_BATCH);
}

} // namespace prof
