#include "capture/shared.hpp"

#include "capture/perf_ring.hpp"
#include "capture/procfs.hpp"

#include <cstring>

namespace prof {
namespace {

std::string join(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) {
    if (!line.empty()) line += ' ';
    line += word;
  }
  return line;
}

template <class T>
T read_at(std::span<const std::byte> body, std::size_t at) {
  T value{};
  if (at + sizeof value <= body.size()) std::memcpy(&value, body.data() + at, sizeof value);
  return value;
}

std::string_view text_at(std::span<const std::byte> body, std::size_t at) {
  if (at >= body.size()) return {};
  const auto* begin = reinterpret_cast<const char*>(body.data()) + at;
  return {begin, ::strnlen(begin, body.size() - at)};
}

} // namespace

Id<Process> ThreadBook::process(std::int64_t pid, TraceSink& sink) {
  if (const auto found = processes_.find(pid); found != processes_.end()) return found->second;
  const Id<Process> id = sink.process({.pid = pid,
                                       .name = sink.intern(process_name(proc_, pid)),
                                       .cmdline = sink.intern(join(read_cmdline(proc_, pid)))});
  processes_.emplace(pid, id);
  return id;
}

Id<Thread> ThreadBook::thread(std::int64_t pid, std::int64_t tid, TraceSink& sink) {
  if (const auto found = threads_.find(tid); found != threads_.end()) return found->second;
  const std::string now = read_thread_comm(proc_, pid, tid);
  const StrId name = now.empty() ? comm_of(tid).value_or(StrId{}) : sink.intern(now);
  const Id<Thread> id = sink.thread({.process = process(pid, sink), .tid = tid, .name = name});
  threads_.emplace(tid, id);
  pid_of_[tid] = pid;
  if (name != StrId{}) comms_[tid] = name;
  return id;
}

void ThreadBook::rename(std::int64_t pid, std::int64_t tid, std::string_view comm, TraceSink& sink) {
  const StrId name = sink.intern(comm);
  threads_[tid] = sink.thread({.process = process(pid, sink), .tid = tid, .name = name, .is_renamed = true});
  pid_of_[tid] = pid;
  comms_[tid] = name;
}

void ThreadBook::renew(std::int64_t pid, std::string_view comm, TraceSink& sink) {
  const std::string now = process_name(proc_, pid);
  processes_[pid] = sink.process({.pid = pid,
                                  .name = sink.intern(now.empty() ? comm : std::string_view(now)),
                                  .cmdline = sink.intern(join(read_cmdline(proc_, pid))),
                                  .is_renamed = true});
}

void ThreadBook::look_for_exec(std::int64_t pid, TraceSink& sink) {
  std::error_code error;
  auto program = std::filesystem::read_symlink(proc_ / std::to_string(pid) / "exe", error);
  if (error) return; // gone, or not ours to see
  const auto [known, is_new] = programs_.try_emplace(pid, program);
  if (is_new || known->second == program) return;
  known->second = std::move(program);
  const std::string comm = read_comm(proc_, pid);
  if (comm.empty()) return;
  renew(pid, comm, sink);
  rename(pid, pid, comm, sink);
}

std::optional<StrId> ThreadBook::comm_of(std::int64_t tid) const {
  const auto found = comms_.find(tid);
  return found == comms_.end() ? std::nullopt : std::optional(found->second);
}

void ThreadBook::on_fork(std::int64_t pid, std::int64_t tid, std::int64_t parent_tid) {
  pid_of_[tid] = pid;
  if (const auto comm = comm_of(parent_tid))
    comms_[tid] = *comm;
  else
    comms_.erase(tid); // what another thread of that number was called
}

std::int64_t ThreadBook::pid_of(std::int64_t tid) const {
  const auto found = pid_of_.find(tid);
  return found == pid_of_.end() ? -1 : found->second;
}

std::int64_t CaptureShared::first_alive() const {
  for (const std::int64_t pid : targets_)
    if (is_alive(proc_, pid)) return pid;
  return targets_.empty() ? 0 : *targets_.begin();
}

void CaptureShared::on_side_record(const PerfRecord& record, bool has_mappings, TraceSink& sink) {
  const auto body = record.body;
  if (record.type == PERF_RECORD_FORK) {
    const std::int64_t pid = read_at<std::int32_t>(body, 0);
    const std::int64_t parent = read_at<std::int32_t>(body, 4);
    const std::int64_t tid = read_at<std::int32_t>(body, 8);
    threads.on_fork(pid, tid, read_at<std::int32_t>(body, 12));
    if (pid == parent) return;
    if (!is_whole_machine_ && targets_.contains(parent)) add_child(pid);
    if (has_mappings) stacks.on_fork(pid, parent);
    return;
  }
  if (record.type == PERF_RECORD_COMM) {
    const std::int64_t pid = read_at<std::int32_t>(body, 0);
    const std::int64_t tid = read_at<std::int32_t>(body, 4);
    threads.set_pid(tid, pid);
    const bool is_exec = (record.misc & PERF_RECORD_MISC_COMM_EXEC) != 0;
    if (is_exec && has_mappings) stacks.on_exec(pid);
    if (is_exec && is_target(pid)) threads.renew(pid, text_at(body, 8), sink);
    if (is_target(pid)) threads.rename(pid, tid, text_at(body, 8), sink);
    return;
  }
  if (record.type == PERF_RECORD_MMAP2 && has_mappings) {
    const std::int64_t pid = read_at<std::int32_t>(body, 0);
    if (!is_target(pid)) return;
    // struct { u32 pid, tid; u64 addr, len, pgoff; u32 maj, min; u64 ino, generation; u32 prot, flags; char
    // name[]; }
    stacks.on_mapping(pid, {.start = read_at<std::uint64_t>(body, 8),
                            .end = read_at<std::uint64_t>(body, 8) + read_at<std::uint64_t>(body, 16),
                            .file_offset = read_at<std::uint64_t>(body, 24),
                            .path = std::string(text_at(body, 64))});
  }
}

} // namespace prof
