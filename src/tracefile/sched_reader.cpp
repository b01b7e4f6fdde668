#include "tracefile/profile_reader.hpp"
#include "tracefile/sched_writer.hpp" // state_letter

#include <algorithm>

namespace prof::detail {
namespace {

std::uint64_t at_or_zero(const std::vector<std::uint64_t>& values, std::size_t i) {
  return i < values.size() ? values[i] : 0;
}

} // namespace

// A bundle holds the events of one CPU, compact and whole ones mixed; who ran is carried from event to event.
void SchedReader::read_bundle(SequenceState& sequence, std::string_view message) {
  Message bundle(message);
  std::int32_t cpu = 0;
  std::vector<Row> rows;
  while (bundle.next())
    switch (bundle.tag()) {
    case pb::ftrace::kCpu:
      cpu = static_cast<std::int32_t>(bundle.number32());
      break;
    case pb::ftrace::kEvent:
      read_event(bundle.message(), rows);
      break;
    case pb::ftrace::kCompactSched:
      read_compact(bundle.message(), rows);
      break;
    default:
      bundle.skip();
    }
  if (cpu < 0) { // no recorder has such a CPU, and in a sink it is none
    core_.note(Severity::data_loss, "note.tracefile.bad_packet");
    return;
  }
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.ts < b.ts; });
  auto [running, is_first] = running_.try_emplace(cpu, -1);
  for (Row& row : rows) {
    // ftrace times are boottime whatever the default clock of the sequence is.
    const auto ts =
        core_.clocks.to_trace(sequence, pb::clocks::kBoottime, static_cast<std::uint64_t>(row.ts));
    if (!ts || *ts > kMaxTime_ns || *ts < -kMaxTime_ns) {
      core_.note(Severity::data_loss, "note.tracefile.clock");
      continue;
    }
    if (core_.is_ours && row.is_compact && running->second < 0) {
      // Ours begins with a whole switch: the one before was lost, and who ran with it.
      if (row.is_switch) running->second = row.sw.next_tid;
      core_.note(Severity::data_loss, "note.tracefile.no_state");
      continue;
    }
    core_.saw(*ts);
    if (!row.is_switch) {
      row.wake.ts = {*ts};
      row.wake.cpu = cpu;
      if (row.is_compact) row.wake.waker_tid = std::max<std::int64_t>(running->second, 0);
      core_.sink().sched_wakeup(row.wake);
      continue;
    }
    row.sw.ts = {*ts};
    row.sw.cpu = cpu;
    const bool is_prev_known = !row.is_compact || running->second >= 0;
    if (row.is_compact) row.sw.prev_tid = running->second;
    running->second = row.sw.next_tid;
    // The first compact switch of a CPU does not say who stopped. It only starts the next one.
    if (!is_prev_known) row.sw.prev_tid = 0;
    core_.sink().sched_switch(row.sw);
  }
}

void SchedReader::read_event(Message message, std::vector<Row>& rows) {
  Row row;
  std::int64_t pid = 0;
  bool is_known = false;
  while (message.next())
    switch (message.tag()) {
    case pb::ftrace::kTimestamp:
      row.ts = message.integer();
      break;
    case pb::ftrace::kPid:
      pid = message.integer();
      break;
    case pb::ftrace::kSwitch: {
      row.is_switch = is_known = true;
      Message in = message.message();
      while (in.next())
        switch (in.tag()) {
        case pb::ftrace::kPrevPid:
          row.sw.prev_tid = in.integer();
          break;
        case pb::ftrace::kPrevState:
          row.sw.prev_state = state_letter(in.integer());
          break;
        case pb::ftrace::kNextComm:
          row.sw.next_comm = core_.intern(in.bytes());
          break;
        case pb::ftrace::kNextPid:
          row.sw.next_tid = in.integer();
          break;
        case pb::ftrace::kNextPrio:
          row.sw.next_prio = static_cast<std::int32_t>(in.number32());
          break;
        default:
          in.skip();
        }
      break;
    }
    case pb::ftrace::kWakeup:
    case pb::ftrace::kWaking: {
      is_known = true;
      Message in = message.message();
      while (in.next())
        switch (in.tag()) {
        case pb::ftrace::kWakingPid:
          row.wake.tid = in.integer();
          break;
        case pb::ftrace::kWakingCpu:
          row.wake.target_cpu = static_cast<std::int32_t>(in.number32());
          break;
        default:
          in.skip();
        }
      break;
    }
    default:
      message.skip();
    }
  if (!is_known) return;
  row.wake.waker_tid = pid;
  rows.push_back(row);
}

void SchedReader::read_compact(Message message, std::vector<Row>& rows) {
  std::vector<StrId> comms;
  std::vector<std::uint64_t> ts, state, next, prio, comm, wake_ts, wake_pid, wake_cpu;
  while (message.next())
    switch (message.tag()) {
    case pb::ftrace::kInternTable:
      comms.push_back(core_.intern(message.bytes()));
      break;
    case pb::ftrace::kSwTimestamp:
      message.numbers(ts);
      break;
    case pb::ftrace::kSwPrevState:
      message.numbers(state);
      break;
    case pb::ftrace::kSwNextPid:
      message.numbers(next);
      break;
    case pb::ftrace::kSwNextPrio:
      message.numbers(prio);
      break;
    case pb::ftrace::kSwNextComm:
      message.numbers(comm);
      break;
    case pb::ftrace::kWkTimestamp:
      message.numbers(wake_ts);
      break;
    case pb::ftrace::kWkPid:
      message.numbers(wake_pid);
      break;
    case pb::ftrace::kWkCpu:
      message.numbers(wake_cpu);
      break;
    default:
      message.skip();
    }
  if (ts.size() != next.size() || wake_ts.size() != wake_pid.size())
    core_.note(Severity::data_loss, "note.tracefile.bad_packet");
  std::uint64_t time = 0;
  for (std::size_t i = 0; i < std::min(ts.size(), next.size()); ++i) {
    Row row{.ts = static_cast<std::int64_t>(time += ts[i]),
            .is_switch = true,
            .is_compact = true,
            .sw = {},
            .wake = {}};
    row.sw.prev_state = state_letter(static_cast<std::int64_t>(at_or_zero(state, i)));
    row.sw.next_tid = static_cast<std::int64_t>(next[i]);
    row.sw.next_prio = static_cast<std::int32_t>(at_or_zero(prio, i));
    const std::uint64_t index = at_or_zero(comm, i);
    if (index < comms.size()) row.sw.next_comm = comms[index];
    rows.push_back(row);
  }
  time = 0;
  for (std::size_t i = 0; i < std::min(wake_ts.size(), wake_pid.size()); ++i) {
    Row row{.ts = static_cast<std::int64_t>(time += wake_ts[i]),
            .is_switch = false,
            .is_compact = true,
            .sw = {},
            .wake = {}};
    row.wake.tid = static_cast<std::int64_t>(wake_pid[i]);
    row.wake.target_cpu = static_cast<std::int32_t>(at_or_zero(wake_cpu, i));
    rows.push_back(row);
  }
}

} // namespace prof::detail
