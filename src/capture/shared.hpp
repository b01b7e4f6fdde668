// shared.hpp: what the collectors of one session know together: which processes are the target, the threads
// already named, the mapped files and the call stacks. Single-threaded, like the session.
#pragma once
#include "capture/stack_book.hpp"
#include "trace/sink.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <unistd.h>
#include <unordered_map>
#include <utility>

namespace prof {

// Names each process and thread once, from /proc, when it is first seen in the data.
class ThreadBook {
public:
  explicit ThreadBook(std::filesystem::path proc) : proc_(std::move(proc)) {}
  Id<Process> process(std::int64_t pid, TraceSink& sink);
  Id<Thread> thread(std::int64_t pid, std::int64_t tid, TraceSink& sink);
  // The kernel told a new name (pthread_setname, exec).
  void rename(std::int64_t pid, std::int64_t tid, std::string_view comm, TraceSink& sink);
  // The process runs another program by now: name and command line are read anew; `comm` is for one that has
  // ended.
  void renew(std::int64_t pid, std::string_view comm, TraceSink& sink);
  // The same for a process whose file is another one than at the last look: for when the kernel tells
  // nothing.
  void look_for_exec(std::int64_t pid, TraceSink& sink);
  // The process that a thread belongs to, as far as the data said so.
  [[nodiscard]] std::int64_t pid_of(std::int64_t tid) const;
  void set_pid(std::int64_t tid, std::int64_t pid) { pid_of_[tid] = pid; }
  // The last name that the data gave: /proc no longer knows a thread that has ended by the time it is asked.
  void set_comm(std::int64_t tid, StrId comm) { comms_[tid] = comm; }
  [[nodiscard]] std::optional<StrId> comm_of(std::int64_t tid) const;
  // A new thread bears the name of the thread that made it.
  void on_fork(std::int64_t pid, std::int64_t tid, std::int64_t parent_tid);

private:
  std::filesystem::path proc_;
  std::unordered_map<std::int64_t, Id<Process>> processes_;
  std::unordered_map<std::int64_t, Id<Thread>> threads_; // by tid; ids of tasks are unique on a machine
  std::unordered_map<std::int64_t, std::int64_t> pid_of_;
  std::unordered_map<std::int64_t, StrId> comms_;
  std::unordered_map<std::int64_t, std::filesystem::path> programs_; // by pid, of the last look
};

class CaptureShared {
public:
  CaptureShared(const std::filesystem::path& proc, bool is_whole_machine)
      : threads(proc), stacks(proc), proc_(proc), is_whole_machine_(is_whole_machine) {}

  ThreadBook threads;
  StackBook stacks;

  // Of the whole machine everything but ourselves: our own cost is told as a figure of its own.
  [[nodiscard]] bool is_target(std::int64_t pid) const {
    return is_whole_machine_ ? pid != self_ : targets_.contains(pid);
  }
  [[nodiscard]] bool is_whole_machine() const { return is_whole_machine_; }
  [[nodiscard]] const std::set<std::int64_t>& targets() const { return targets_; }
  // The first process of the target that has not ended; 0 when there is none. Whose cgroup and network are
  // read.
  [[nodiscard]] std::int64_t first_alive() const;
  void add_target(std::int64_t pid) { targets_.insert(pid); }
  // A child of a watched process: its events are inherited and must not be opened a second time.
  void add_child(std::int64_t pid) {
    targets_.insert(pid);
    inherited_.insert(pid);
  }
  [[nodiscard]] bool is_inherited(std::int64_t pid) const { return inherited_.contains(pid); }

  // Only one collector asks the kernel for records of mapped files, else each would come several times.
  [[nodiscard]] bool claim_mappings() { return !std::exchange(are_mappings_claimed_, true); }

  // Fork, exec, rename and mmap records, from whichever collector's ring they come.
  void on_side_record(const struct PerfRecord& record, bool has_mappings, TraceSink& sink);

private:
  std::filesystem::path proc_;
  bool is_whole_machine_;
  std::int64_t self_ = ::getpid();
  bool are_mappings_claimed_ = false;
  std::set<std::int64_t> targets_, inherited_;
};

} // namespace prof
