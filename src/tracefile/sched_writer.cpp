#include "tracefile/sched_writer.hpp"

#include <algorithm>
#include <protozero/pbf_writer.hpp>
#include <unordered_map>

namespace prof::detail {
namespace {

constexpr std::size_t kWholeSwitch = 40; // bytes that a whole switch is longer than a compact one, about

struct StateName {
  char letter;
  std::int64_t bits;
};
// include/linux/sched.h, task_state_to_char() order.
constexpr std::array<StateName, 9> kStates{
    {{'R', 0}, {'S', 1}, {'D', 2}, {'T', 4}, {'t', 8}, {'X', 16}, {'Z', 32}, {'P', 64}, {'I', 128}}};

// The packed arrays of one CompactSched message.
struct Compact {
  std::vector<std::uint64_t> switch_ts, waking_ts;
  std::vector<std::int64_t> prev_state;
  std::vector<std::int64_t> next_pid, next_prio, waking_pid, waking_cpu;
  std::vector<std::uint64_t> next_comm, waking_comm;
  std::unordered_map<std::uint32_t, std::uint64_t> comm_index;
  std::vector<StrId> comms;
  std::uint64_t last_switch = 0, last_waking = 0;

  std::uint64_t comm(StrId text) {
    const auto [at, is_new] = comm_index.try_emplace(text.row, comms.size());
    if (is_new) comms.push_back(text);
    return at->second;
  }
  [[nodiscard]] std::string encode(const StringPool& strings) const;
};

std::string Compact::encode(const StringPool& strings) const {
  std::string out;
  protozero::pbf_writer message(out);
  const auto put_unsigned = [&](pb::Field field, const std::vector<std::uint64_t>& values) {
    if (!values.empty()) message.add_packed_uint64(field, values.begin(), values.end());
  };
  const auto put = [&](pb::Field field, const std::vector<std::int64_t>& values) {
    if (!values.empty()) message.add_packed_int64(field, values.begin(), values.end());
  };
  for (const StrId text : comms) {
    const std::string_view bytes = strings.text(text);
    message.add_bytes(pb::ftrace::kInternTable, bytes.data(), bytes.size());
  }
  put_unsigned(pb::ftrace::kSwTimestamp, switch_ts);
  put(pb::ftrace::kSwPrevState, prev_state);
  put(pb::ftrace::kSwNextPid, next_pid);
  put(pb::ftrace::kSwNextPrio, next_prio);
  put_unsigned(pb::ftrace::kSwNextComm, next_comm);
  put_unsigned(pb::ftrace::kWkTimestamp, waking_ts);
  put(pb::ftrace::kWkPid, waking_pid);
  put(pb::ftrace::kWkCpu, waking_cpu);
  // Perfetto reads the arrays in step, so priority and flags must be there even where nothing is known.
  const std::vector<std::int64_t> prio(waking_pid.size(), 120);
  const std::vector<std::uint64_t> none(waking_pid.size(), 0);
  put(pb::ftrace::kWkPrio, prio);
  put_unsigned(pb::ftrace::kWkComm, waking_comm);
  put_unsigned(pb::ftrace::kWkFlags, none);
  return out;
}

void write_whole_switch(protozero::pbf_writer& bundle, const SchedSwitch& row, std::uint64_t ts,
                        const StringPool& strings) {
  protozero::pbf_writer event(bundle, pb::ftrace::kEvent);
  event.add_uint64(pb::ftrace::kTimestamp, ts);
  event.add_int64(pb::ftrace::kPid, row.prev_tid);
  protozero::pbf_writer body(event, pb::ftrace::kSwitch);
  body.add_int64(pb::ftrace::kPrevPid, row.prev_tid);
  body.add_int64(pb::ftrace::kPrevState, state_bits(row.prev_state));
  const std::string_view comm = strings.text(row.next_comm);
  body.add_bytes(pb::ftrace::kNextComm, comm.data(), comm.size());
  body.add_int64(pb::ftrace::kNextPid, row.next_tid);
  body.add_int64(pb::ftrace::kNextPrio, row.next_prio);
}

void write_whole_wakeup(protozero::pbf_writer& bundle, const SchedWakeup& row, std::uint64_t ts) {
  protozero::pbf_writer event(bundle, pb::ftrace::kEvent);
  event.add_uint64(pb::ftrace::kTimestamp, ts);
  event.add_int64(pb::ftrace::kPid, row.waker_tid);
  protozero::pbf_writer body(event, pb::ftrace::kWaking);
  body.add_int64(pb::ftrace::kWakingPid, row.tid);
  body.add_int64(pb::ftrace::kWakingCpu, row.target_cpu);
}

} // namespace

std::int64_t state_bits(char letter) {
  for (const StateName& state : kStates)
    if (state.letter == letter) return state.bits;
  return 1;
}

char state_letter(std::int64_t bits) {
  for (const StateName& state : kStates)
    if (state.bits != 0 && (bits & state.bits) != 0) return state.letter;
  return 'R'; // 0, and the preempted flag above the reported states
}

void SchedWriter::flush() {
  const auto order = [](const auto& a, const auto& b) {
    return a.cpu != b.cpu ? a.cpu < b.cpu : a.ts < b.ts;
  };
  std::stable_sort(switches_.begin(), switches_.end(), order);
  std::stable_sort(wakeups_.begin(), wakeups_.end(), order);
  std::span<const SchedSwitch> switches(switches_);
  std::span<const SchedWakeup> wakeups(wakeups_);
  while (!switches.empty() || !wakeups.empty()) {
    const std::int32_t cpu = switches.empty()  ? wakeups.front().cpu
                             : wakeups.empty() ? switches.front().cpu
                                               : std::min(switches.front().cpu, wakeups.front().cpu);
    const auto of_cpu = [cpu](const auto& row) { return row.cpu == cpu; };
    const auto n = std::find_if_not(switches.begin(), switches.end(), of_cpu) - switches.begin();
    const auto m = std::find_if_not(wakeups.begin(), wakeups.end(), of_cpu) - wakeups.begin();
    write_cpu(cpu, switches.first(static_cast<std::size_t>(n)), wakeups.first(static_cast<std::size_t>(m)));
    switches = switches.subspan(static_cast<std::size_t>(n));
    wakeups = wakeups.subspan(static_cast<std::size_t>(m));
  }
  switches_.clear();
  wakeups_.clear();
}

void SchedWriter::write_cpu(std::int32_t cpu, std::span<const SchedSwitch> switches,
                            std::span<const SchedWakeup> wakeups) {
  std::string bytes;
  protozero::pbf_writer bundle(bytes);
  bundle.add_uint32(pb::ftrace::kCpu, static_cast<std::uint32_t>(cpu));
  Compact compact;
  auto running = running_.find(cpu);
  std::int64_t tid = running == running_.end() ? -1 : running->second;
  if (tid < 0) core_.anchors.will_repeat(kWholeSwitch);
  std::int64_t latest = core_.last_ts;
  std::size_t i = 0, k = 0;
  while (i < switches.size() || k < wakeups.size()) {
    const bool is_switch = k == wakeups.size() || (i < switches.size() && switches[i].ts <= wakeups[k].ts);
    const std::int64_t own = is_switch ? switches[i].ts.ns : wakeups[k].ts.ns;
    latest = std::max(latest, own);
    const auto ts =
        static_cast<std::uint64_t>(own + core_.boottime_offset_ns); // ftrace times are boottime in Perfetto
    if (is_switch) {
      const SchedSwitch& row = switches[i++];
      comm_of_[row.next_tid] = row.next_comm;
      // A reader merges whole and compact events by time, so what shares its nanosecond with a neighbour is
      // written whole.
      const bool is_tied =
          (i > 1 && switches[i - 2].ts == row.ts) || (i < switches.size() && switches[i].ts == row.ts);
      if (row.prev_tid == tid && !is_tied) {
        compact.switch_ts.push_back(ts - compact.last_switch);
        compact.prev_state.push_back(state_bits(row.prev_state));
        compact.next_pid.push_back(row.next_tid);
        compact.next_prio.push_back(row.next_prio);
        compact.next_comm.push_back(compact.comm(row.next_comm));
        compact.last_switch = ts;
      } else {
        write_whole_switch(bundle, row, ts, core_.strings);
      }
      tid = row.next_tid;
      continue;
    }
    const SchedWakeup& row = wakeups[k++];
    const bool is_tied =
        (i > 0 && switches[i - 1].ts == row.ts) || (i < switches.size() && switches[i].ts == row.ts);
    const auto comm = comm_of_.find(row.tid);
    if (row.waker_tid == tid && !is_tied && comm != comm_of_.end()) {
      compact.waking_comm.push_back(compact.comm(comm->second));
      compact.waking_ts.push_back(ts - compact.last_waking);
      compact.waking_pid.push_back(row.tid);
      compact.waking_cpu.push_back(row.target_cpu);
      compact.last_waking = ts;
    } else {
      write_whole_wakeup(bundle, row, ts);
    }
  }
  running_[cpu] = tid;
  core_.last_ts = latest;
  if (!compact.switch_ts.empty() || !compact.waking_ts.empty())
    bundle.add_message(pb::ftrace::kCompactSched, compact.encode(core_.strings));
  add_global(core_, pb::packet::kFtraceEvents, bytes);
}

} // namespace prof::detail
