// The scheduler: every switch that takes a thread of the target on or off a CPU, every wake-up of one and who
// did it, and what ran instead while it had to wait. From the tracepoints sched_switch and sched_waking on
// all CPUs; without the right to them, from the switch records of the target's own threads (who else ran is
// unknown then).
#include "base/clock.hpp"
#include "capture/collector.hpp"
#include "capture/perf_ring.hpp"
#include "capture/procfs.hpp"
#include "capture/shared.hpp"
#include "capture/signal_states.hpp"
#include "trace/conventions.hpp"

#include <cerrno>
#include <cstring>
#include <linux/magic.h>
#include <sys/mount.h>
#include <sys/vfs.h>
#include <unistd.h>
#include <unordered_set>

namespace prof {
namespace {

// A switch is about 100 bytes in the ring: 2 MiB hold 20,000, ten times what a busy CPU makes between two
// polls.
constexpr std::size_t kRingBytes = std::size_t{2} << 20;
// Other processes' switches are kept up to this rate; beyond it only those around the target's
// (docs/capture.md).
constexpr double kMaxOtherPerSecond = 20'000;

constexpr double kRateSeconds = 0.2; // a shorter time makes no rate

constexpr const char* kTraceFolders[] = {"/sys/kernel/tracing", "/sys/kernel/debug/tracing"};

// Where a field lies in a tracepoint's record, as the running kernel says.
struct FieldPlace {
  std::size_t offset = 0, size = 0;
};
struct Tracepoint {
  std::uint64_t id = 0;
  std::string format;
  [[nodiscard]] std::optional<FieldPlace> field(std::string_view name) const {
    for (const std::string& before : {" " + std::string(name) + ";", " " + std::string(name) + "["}) {
      const auto at = format.find(before);
      if (at == std::string::npos) continue;
      const auto offset = format.find("offset:", at), size = format.find("size:", at);
      if (offset == std::string::npos || size == std::string::npos) continue;
      return FieldPlace{.offset = std::strtoul(format.c_str() + offset + 7, nullptr, 10),
                        .size = std::strtoul(format.c_str() + size + 5, nullptr, 10)};
    }
    return std::nullopt;
  }
};

std::optional<Tracepoint> find_tracepoint(std::string_view name) {
  for (const char* root : kTraceFolders) {
    const auto folder = std::filesystem::path(root) / "events/sched" / name;
    const auto id = read_virtual_int(folder / "id");
    auto format = read_virtual_file(folder / "format");
    if (id && format) return Tracepoint{.id = static_cast<std::uint64_t>(*id), .format = std::move(*format)};
  }
  return std::nullopt;
}

bool is_tracefs_mounted() {
  struct statfs info{};
  return ::statfs("/sys/kernel/tracing", &info) == 0 && info.f_type == TRACEFS_MAGIC;
}

// The trace file system is part of every kernel, but not every machine mounts it.
void mount_tracefs() {
  if (::geteuid() == 0 && !is_tracefs_mounted())
    ::mount("nodev", "/sys/kernel/tracing", "tracefs", 0, nullptr);
}

// As a signal without a name.
SignalState probe_tracepoints() {
  // A tracepoint tells threads by the kernel's own numbers, which are others than those of a container.
  if (!is_first_pid_namespace())
    return {.reason = "signal.reason.pid_namespace",
            .mend = "signal.mend.pid_namespace",
            .detail = "pid:[" + std::to_string(own_pid_namespace()) + "]"};
  mount_tracefs();
  const auto point = find_tracepoint("sched_switch");
  if (!point && is_tracefs_mounted())
    return {.reason = "signal.reason.tracefs_unreadable",
            .mend = "signal.mend.tracefs_rights",
            .detail = "/sys/kernel/tracing is mounted"};
  if (!point)
    return {.reason = "signal.reason.no_tracefs",
            .mend = "signal.mend.tracefs",
            .detail = "no sched_switch in /sys/kernel/tracing"};
  perf_event_attr attr = perf_attr(PERF_TYPE_TRACEPOINT, point->id);
  attr.sample_type |= PERF_SAMPLE_RAW;
  attr.sample_period = 1;
  const PerfProbe result = probe_perf(attr, -1, online_cpus().front());
  if (result.is_ok) return {.is_available = true};
  return refused_state({}, result.error, "sched_switch",
                       {.reason = "signal.reason.no_perf", .mend = "signal.mend.perf_kernel"});
}

std::vector<SignalState> probe(const CaptureRequest& request) {
  const SignalState all = probe_tracepoints();
  SignalState sched{.name = std::string(words::kSignalSched), .is_available = all.is_available};
  SignalState preempted_by = all;
  preempted_by.name = "preempted_by";
  if (!all.is_available) {
    perf_event_attr attr = perf_attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY);
    attr.context_switch = 1;
    attr.exclude_kernel = 1;
    const PerfProbe own = probe_perf(attr, request.pids.empty() ? 0 : request.pids.front(), -1);
    sched.is_available = own.is_ok && !request.is_whole_machine;
    sched.detail = all.detail;
    if (!sched.is_available) {
      sched.reason = all.reason;
      sched.mend = all.mend;
    } else {
      sched.detail = "own switches only: " + all.detail;
    }
  }
  return {sched, preempted_by};
}

char state_letter(std::int64_t state) {
  // Bits of the kernel's task state, lowest first; 0 means it could have gone on running.
  static constexpr char kLetters[] = {'S', 'D', 'T', 't', 'X', 'Z', 'P', 'I'};
  for (int bit = 0; bit < 8; ++bit)
    if ((state & (std::int64_t{1} << bit)) != 0) return kLetters[bit];
  return 'R';
}

class Sched final : public Collector {
public:
  explicit Sched(const CaptureRequest& request) : request_(request), shared_(request.shared) {}

  Status start(TraceSink& sink) override {
    const auto pids = request_.is_whole_machine ? list_pids(request_.proc_root) : request_.pids;
    for (const std::int64_t pid : pids)
      for (const std::int64_t tid : list_tids(request_.proc_root, pid))
        shared_->threads.set_pid(tid, pid);
    PROF_CHECK(events_.open_rings(kRingBytes));
    attached_.insert(request_.pids.begin(), request_.pids.end());
    last_poll_ns_ = now_monotonic().ns;
    if (start_tracepoints()) return {};
    is_own_only_ = true;
    sink.note({.severity = Severity::notice, .code = sink.intern("note.sched_own_only")});
    for (const std::int64_t pid : request_.pids)
      PROF_CHECK(events_.attach_process(own_attr(), pid, request_.proc_root));
    return {};
  }

  void poll(TraceSink& sink) override {
    const std::int64_t now = now_monotonic().ns;
    events_.drain([&](const PerfRecord& record) { take(record, sink); });
    const double seconds = static_cast<double>(now - last_poll_ns_) / 1e9;
    if (seconds < kRateSeconds) return;
    last_poll_ns_ = now;
    rate_ = 0.5 * rate_ + 0.5 * static_cast<double>(std::exchange(others_, 0)) / seconds;
    is_thinning_ = rate_ > kMaxOtherPerSecond && !shared_->is_whole_machine();
  }

  void stop(TraceSink& sink) override {
    events_.detach();
    events_.drain([&](const PerfRecord& record) { take(record, sink); });
    if (events_.lost() > 0)
      sink.note({.severity = Severity::data_loss,
                 .code = sink.intern("note.sched_lost"),
                 .count = events_.lost(),
                 .where = sink.intern("sched_switch")});
    if (thinned_ > 0)
      sink.note({.severity = Severity::notice, .code = sink.intern("note.sched_thinned"), .count = thinned_});
  }

  void on_processes(std::span<const std::int64_t> pids, TraceSink&) override {
    for (const std::int64_t pid : pids) {
      for (const std::int64_t tid : list_tids(request_.proc_root, pid))
        shared_->threads.set_pid(tid, pid);
      if (!attached_.insert(pid).second || !is_own_only_ || shared_->is_inherited(pid)) continue;
      (void)events_.attach_process(own_attr(), pid, request_.proc_root); // the sampler tells of a refusal
    }
  }

private:
  struct CpuState {
    std::int64_t last_tid = -1; // who runs according to the last switch
    bool has_pending = false;
    SchedSwitch pending{}; // the last switch that was left out
  };

  bool start_tracepoints() {
    if (!is_first_pid_namespace()) return false;
    mount_tracefs();
    const auto on_switch = find_tracepoint("sched_switch");
    const auto on_waking = find_tracepoint("sched_waking");
    if (!on_switch || !on_waking) return false;
    switch_id_ = on_switch->id;
    const auto prev_pid = on_switch->field("prev_pid"), prev_state = on_switch->field("prev_state");
    const auto next_pid = on_switch->field("next_pid"), next_prio = on_switch->field("next_prio");
    const auto next_comm = on_switch->field("next_comm");
    const auto woken = on_waking->field("pid"), target_cpu = on_waking->field("target_cpu");
    if (!prev_pid || !prev_state || !next_pid || !next_prio || !next_comm || !woken || !target_cpu)
      return false;
    prev_pid_ = *prev_pid;
    prev_state_ = *prev_state;
    next_pid_ = *next_pid;
    next_prio_ = *next_prio;
    next_comm_ = *next_comm;
    woken_ = *woken;
    target_cpu_ = *target_cpu;
    for (const Tracepoint* point : {&*on_switch, &*on_waking}) {
      perf_event_attr attr = perf_attr(PERF_TYPE_TRACEPOINT, point->id);
      attr.sample_type |= PERF_SAMPLE_RAW;
      attr.sample_period = 1;
      if (point->id == switch_id_) { // new threads and names of the target come along
        attr.task = 1;
        attr.comm = 1;
        attr.context_switch = 1; // see take_switch_in
      }
      if (!events_.attach_machine(attr)) {
        events_.detach();
        return false;
      }
    }
    return true;
  }

  [[nodiscard]] perf_event_attr own_attr() const {
    perf_event_attr attr = perf_attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY);
    attr.context_switch = 1;
    attr.exclude_kernel = 1;
    attr.task = 1;
    attr.comm = 1;
    return attr;
  }

  template <class T>
  [[nodiscard]] static T field(const PerfRecord& record, FieldPlace place) {
    T value{};
    if (place.size == sizeof value && place.offset + place.size <= record.raw.size())
      std::memcpy(&value, record.raw.data() + place.offset, sizeof value);
    return value;
  }

  void take(const PerfRecord& record, TraceSink& sink) {
    if (record.type == PERF_RECORD_SWITCH) {
      take_own_switch(record, sink);
      return;
    }
    if (record.type == PERF_RECORD_SWITCH_CPU_WIDE) {
      if ((record.misc & PERF_RECORD_MISC_SWITCH_OUT) == 0) take_switch_in(record, sink);
      return;
    }
    if (record.type != PERF_RECORD_SAMPLE) {
      if (record.type == PERF_RECORD_EXIT && is_own_only_) take_own_exit(record, sink);
      shared_->on_side_record(record, false, sink);
      return;
    }
    if (field<std::uint16_t>(record, {.offset = 0, .size = 2}) == switch_id_)
      take_switch(record, sink);
    else
      take_waking(record, sink);
  }

  [[nodiscard]] bool is_target_thread(std::int64_t tid) const {
    return tid > 0 && (shared_->is_whole_machine() || shared_->is_target(shared_->threads.pid_of(tid)));
  }

  // Some kernels leave out the tracepoint of some switches (6.18 in a VM: from the idle task of the second
  // CPU, and from threads of the first process), while the record of who came onto the CPU is there: it
  // stands in.
  void take_switch_in(const PerfRecord& record, TraceSink& sink) {
    const auto found = cpus_.find(static_cast<std::size_t>(record.cpu));
    if (found == cpus_.end() || found->second.last_tid < 0 || found->second.last_tid == record.tid ||
        record.tid < 0)
      return;
    auto comm = shared_->threads.comm_of(record.tid);
    if (!comm && record.tid > 0) comm = sink.intern(read_comm(request_.proc_root, record.tid));
    SchedSwitch row{
        .ts = {record.ts_ns}, .cpu = record.cpu, .prev_tid = found->second.last_tid, .next_tid = record.tid};
    row.prev_state = row.prev_tid == 0 ? 'R' : 'S';
    row.next_comm = comm.value_or(sink.intern(""));
    hand_on(row, sink);
  }

  void take_switch(const PerfRecord& record, TraceSink& sink) {
    SchedSwitch row{.ts = {record.ts_ns},
                    .cpu = record.cpu,
                    .prev_tid = field<std::int32_t>(record, prev_pid_),
                    .prev_state = state_letter(field<std::int64_t>(record, prev_state_)),
                    .next_tid = field<std::int32_t>(record, next_pid_),
                    .next_prio = field<std::int32_t>(record, next_prio_)};
    char comm[17] = {};
    if (next_comm_.offset + 16 <= record.raw.size())
      std::memcpy(comm, record.raw.data() + next_comm_.offset, 16);
    row.next_comm = sink.intern(comm);
    shared_->threads.set_comm(row.next_tid, row.next_comm);
    hand_on(row, sink);
  }

  void hand_on(const SchedSwitch& row, TraceSink& sink) {
    const bool is_prev = is_target_thread(row.prev_tid), is_next = is_target_thread(row.next_tid);
    if (is_prev && row.prev_state == 'R') waiting_.insert(row.prev_tid);
    if (is_next) waiting_.erase(row.next_tid);
    CpuState& cpu = cpus_[static_cast<std::size_t>(row.cpu)];
    cpu.last_tid = row.next_tid;
    if (!is_prev && !is_next) {
      ++others_;
      if (is_thinning_ && waiting_.empty()) {
        cpu.pending = row;
        thinned_ += cpu.has_pending ? 1 : 0;
        cpu.has_pending = true;
        return;
      }
    }
    if (is_prev) name(row.prev_tid, sink);
    if (is_next) name(row.next_tid, sink);
    // The switch before this one was left out: hand it on now, so that who ran before stays right.
    if (cpu.has_pending) sink.sched_switch(cpu.pending);
    cpu.has_pending = false;
    sink.sched_switch(row);
  }

  void take_waking(const PerfRecord& record, TraceSink& sink) {
    const auto tid = field<std::int32_t>(record, woken_);
    if (!is_target_thread(tid)) return;
    waiting_.insert(tid);
    name(tid, sink);
    sink.sched_wakeup({.ts = {record.ts_ns},
                       .cpu = record.cpu,
                       .tid = tid,
                       .waker_tid = record.tid > 0 ? record.tid : 0,
                       .target_cpu = field<std::int32_t>(record, target_cpu_)});
  }

  void take_own_switch(const PerfRecord& record, TraceSink& sink) {
    if (record.tid <= 0) return;
    const bool is_new = !named_.contains(record.tid);
    name(record.tid, record.pid, sink);
    CpuState& cpu = cpus_[static_cast<std::size_t>(record.cpu)];
    SchedSwitch row{.ts = {record.ts_ns}, .cpu = record.cpu};
    if ((record.misc & PERF_RECORD_MISC_SWITCH_OUT) != 0) {
      // It ran here already when it was first watched: since when is not known.
      if (is_new && cpu.last_tid == 0)
        sink.sched_switch({.ts = {record.ts_ns}, .cpu = record.cpu, .next_tid = record.tid});
      row.prev_tid = record.tid;
      row.prev_state = (record.misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT) != 0 ? 'R' : 'S';
    } else {
      row.next_tid = record.tid;
      row.next_comm = sink.intern(read_thread_comm(request_.proc_root, record.pid, record.tid));
    }
    cpu.last_tid = row.next_tid;
    sink.sched_switch(row);
  }

  // Of the last switch of a thread there is no record: it is no longer watched by then.
  void take_own_exit(const PerfRecord& record, TraceSink& sink) {
    CpuState& cpu = cpus_[static_cast<std::size_t>(record.cpu)];
    if (record.tid <= 0 || cpu.last_tid != record.tid) return;
    cpu.last_tid = 0;
    sink.sched_switch(
        {.ts = {record.ts_ns}, .cpu = record.cpu, .prev_tid = record.tid, .prev_state = 'X', .next_tid = 0});
  }

  // The trace must know which process a thread belongs to before its switches make sense.
  void name(std::int64_t tid, TraceSink& sink) { name(tid, shared_->threads.pid_of(tid), sink); }
  void name(std::int64_t tid, std::int64_t pid, TraceSink& sink) {
    if (pid > 0 && named_.insert(tid).second) shared_->threads.thread(pid, tid, sink);
  }

  CaptureRequest request_;
  std::shared_ptr<CaptureShared> shared_; // with the session and the other collectors
  PerfEvents events_;
  std::uint64_t switch_id_ = 0;
  FieldPlace prev_pid_, prev_state_, next_pid_, next_prio_, next_comm_, woken_, target_cpu_;
  std::unordered_set<std::int64_t> attached_, named_, waiting_;
  std::unordered_map<std::size_t, CpuState> cpus_;
  std::int64_t last_poll_ns_ = 0, others_ = 0, thinned_ = 0;
  double rate_ = 0;
  bool is_own_only_ = false, is_thinning_ = false;
};

std::unique_ptr<Collector> create(const CaptureRequest& request) {
  return std::make_unique<Sched>(request);
}

} // namespace

extern const CollectorInfo sched_collector;
const CollectorInfo sched_collector{.name = "sched",
                                    .description = "capture.collector.sched",
                                    .layer = Layer::os,
                                    .probe = probe,
                                    .create = create};

} // namespace prof
