#include "capture/sdk_decoder.hpp"

#include "capture/procfs.hpp"
#include "sdk/prof_sdk.h"
#include "trace/conventions.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <fmt/core.h>

namespace prof {

namespace {

Layer layer_of(std::uint8_t kind) {
  return kind == PROF_KIND_RUN ? Layer::framework : Layer::application;
}
std::uint64_t flow_id(std::uint64_t flow) {
  return flow | 1ull << 62; // apart from the small numbers of other sources
}

} // namespace

std::string_view detail::span_category(std::uint8_t kind) {
  switch (kind) {
  case PROF_KIND_STAGE:
    return words::kStage;
  case PROF_KIND_RUN:
    return words::kRun;
  default:
    return words::kSpan;
  }
}

StrId SdkDecoder::text(std::uint32_t name_id, TraceSink& sink) {
  if (name_id == 0) return {};
  if (const auto it = texts_.find(name_id); it != texts_.end()) return it->second;
  const std::string name = ring_.name(name_id);
  if (name.empty()) return {}; // an id that was never given: not kept, as there are 2^32 of them
  return texts_.try_emplace(name_id, sink.intern(name)).first->second;
}

Id<Process> SdkDecoder::process(TraceSink& sink) {
  if (!process_)
    process_ = sink.process(
        {.pid = ring_.pid(), .name = sink.intern(process_name(proc_, ring_.pid())), .cmdline = {}});
  return *process_;
}

void SdkDecoder::take(std::uint32_t slot_number, const sdk::RingRecord& record, const TickClock& clock,
                      TraceSink& sink) {
  if (slot_number >= slots_.size()) slots_.resize(slot_number + 1);
  SlotState& slot = slots_[slot_number];
  if (record.kind == sdk::RecordKind::thread) {
    enter_thread(slot, record, sink);
    return;
  }
  if (!slot.is_entered) return; // left over from a profiler that died
  if (!has_possible_times(record, clock)) {
    seen_.damaged += 1;
    return;
  }
  switch (record.kind) {
  case sdk::RecordKind::span_begin:
  case sdk::RecordKind::span_request:
  case sdk::RecordKind::span_arg:
  case sdk::RecordKind::span_end:
  case sdk::RecordKind::flow_out:
  case sdk::RecordKind::flow_in:
    take_span(slot, record, clock, sink);
    return;
  case sdk::RecordKind::request_begin:
  case sdk::RecordKind::request_end:
    take_request(record, clock, sink);
    return;
  case sdk::RecordKind::async:
    take_async(record, clock, sink);
    return;
  case sdk::RecordKind::wait_begin:
    take_wait_begin(record, clock, sink);
    return;
  case sdk::RecordKind::counter:
    emit_counter(record, clock, sink);
    return;
  case sdk::RecordKind::op:
    emit_op(slot, record, clock, sink);
    return;
  case sdk::RecordKind::lock:
    emit_lock(slot, record, clock, sink);
    return;
  case sdk::RecordKind::none:
  case sdk::RecordKind::thread:
    break;
  }
  seen_.damaged += 1;
}

bool SdkDecoder::has_possible_times(const sdk::RingRecord& record, const TickClock& clock) {
  switch (record.kind) {
  case sdk::RecordKind::span_request:
  case sdk::RecordKind::span_arg:
  case sdk::RecordKind::flow_out:
  case sdk::RecordKind::flow_in:
    return true; // they have none
  case sdk::RecordKind::async:
  case sdk::RecordKind::op:
  case sdk::RecordKind::lock:
    return clock.is_possible(record.ts) && clock.is_possible(record.a);
  default: // also of kinds that do not exist: take() tells them
    return clock.is_possible(record.ts);
  }
}

void SdkDecoder::enter_thread(SlotState& slot, const sdk::RingRecord& record, TraceSink& sink) {
  // The thread before, if any, ended with spans open: nobody knows when, so they end where they are known to
  // have been.
  for (std::size_t depth = slot.open.size(); depth > 0; --depth)
    close_spans(slot, depth - 1, slot.open[depth - 1].ts, true, sink);
  const auto tid = static_cast<std::int64_t>(record.a & 0x7fffffff);
  const std::string comm = read_thread_comm(proc_, ring_.pid(), tid);
  const StrId name = comm.empty() ? text(record.name, sink) : sink.intern(comm);
  const Id<Thread> thread = sink.thread({.process = process(sink), .tid = tid, .name = name});
  slot.track = sink.track({.name = name, .kind = TrackKind::thread, .thread = thread});
  slot.is_entered = true;
}

void SdkDecoder::take_span(SlotState& slot, const sdk::RingRecord& record, const TickClock& clock,
                           TraceSink& sink) {
  if (record.kind == sdk::RecordKind::span_begin) {
    begin_span(slot, record, clock, sink);
    return;
  }
  if (record.depth == 0 || record.depth > slot.open.size()) { // its begin was dropped
    seen_.damaged += 1;
    return;
  }
  if (record.kind == sdk::RecordKind::span_end) {
    close_spans(slot, record.depth - 1u, {clock.ns(record.ts)}, false, sink);
    return;
  }
  add_arg(slot.open[record.depth - 1u], record, sink);
}

void SdkDecoder::begin_span(SlotState& slot, const sdk::RingRecord& record, const TickClock& clock,
                            TraceSink& sink) {
  const Ts ts{clock.ns(record.ts)};
  if (record.depth == 0 || record.depth > sdk::kMaxDepth) {
    seen_.damaged += 1;
    return;
  }
  close_spans(slot, record.depth - 1u, ts, true,
              sink); // a span whose end is missing ends where the next one begins
  while (slot.open.size() + 1 < record.depth)
    slot.open.push_back({.ts = ts, .name = {}, .category = {}, .args = {}, .flows_out = {}, .flows_in = {}});
  OpenSpan span{.ts = ts,
                .name = text(record.name, sink),
                .category = sink.intern(detail::span_category(record.flags)),
                .args = {},
                .flows_out = {},
                .flows_in = {}};
  if (record.flags == PROF_KIND_STAGE) seen_.stages += 1;
  if (record.flags == PROF_KIND_STAGE && record.a != 0)
    span.args.push_back({sink.intern(words::kArgRequestId), detail::shown_id(record.a)});
  if (record.flags == PROF_KIND_RUN) {
    seen_.runs += 1;
    span.args.push_back({sink.intern(words::kArgModel), span.name});
  }
  slot.open.push_back(std::move(span));
}

void SdkDecoder::add_arg(OpenSpan& span, const sdk::RingRecord& record, TraceSink& sink) {
  if (span.args.size() + span.flows_in.size() + span.flows_out.size() >= detail::kMaxSpanArgs) return;
  if (record.kind == sdk::RecordKind::span_request) {
    span.args.push_back({sink.intern(words::kArgRequestId), detail::shown_id(record.a)});
  } else if (record.kind == sdk::RecordKind::flow_out) {
    span.flows_out.push_back(flow_id(record.a));
  } else if (record.kind == sdk::RecordKind::flow_in) {
    span.flows_in.push_back(flow_id(record.a));
  } else if (record.flags == PROF_ARG_TEXT) {
    span.args.push_back({text(record.name, sink), text(static_cast<std::uint32_t>(record.a), sink)});
  } else if (record.flags == PROF_ARG_DOUBLE) {
    span.args.push_back({text(record.name, sink), std::bit_cast<double>(record.a)});
  } else {
    span.args.push_back({text(record.name, sink), std::bit_cast<std::int64_t>(record.a)});
  }
}

void SdkDecoder::close_spans(SlotState& slot, std::size_t depth, Ts end, bool is_unfinished,
                             TraceSink& sink) {
  while (slot.open.size() > depth) {
    OpenSpan& span = slot.open.back();
    const bool is_cut = is_unfinished || slot.open.size() > depth + 1;
    if (!span.category.is_empty()) { // empty: a place holder for one that was dropped
      if (is_cut) {
        span.args.push_back({sink.intern("unfinished"), true});
        seen_.unclosed += 1;
      }
      const Layer layer =
          span.category == sink.intern(words::kRun) ? layer_of(PROF_KIND_RUN) : Layer::application;
      sink.slice({.track = slot.track,
                  .ts = span.ts,
                  .dur = std::max(end, span.ts) - span.ts,
                  .name = span.name,
                  .category = span.category,
                  .layer = layer,
                  .args = span.args,
                  .flows_out = span.flows_out,
                  .flows_in = span.flows_in});
    }
    slot.open.pop_back();
  }
}

void SdkDecoder::read_new_ops(TraceSink& sink) {
  // Rows marked by `reserved` are facts about the process, not operators: key and value.
  for (const std::uint32_t count = ring_.op_count(); ops_read_ < count; ++ops_read_) {
    const sdk::RingOp row = ring_.op(ops_read_);
    if (row.reserved == 1) sink.metadata(ring_.name(row.name), ring_.name(row.op_type));
  }
}

const SdkDecoder::OpRow& SdkDecoder::op_row(std::uint32_t id, TraceSink& sink) {
  const auto [it, is_new] = ops_.try_emplace(id);
  if (!is_new) return it->second;
  const sdk::RingOp row = ring_.op(id);
  it->second.name = text(row.name, sink);
  it->second.category = sink.intern(words::kOp); // here, because operators are what comes by the million
  const std::array<std::pair<std::string_view, std::uint32_t>, 6> args{
      {{words::kArgOpType, row.op_type},
       {words::kArgModel, row.model},
       {words::kArgProvider, row.provider},
       {words::kArgInputShapes, row.input_shapes},
       {words::kArgOutputShapes, row.output_shapes},
       {"input_dtypes", row.input_dtypes}}};
  for (const auto& [key, value] : args)
    if (value != 0) it->second.args.push_back({sink.intern(key), text(value, sink)});
  return it->second;
}

void SdkDecoder::emit_op(const SlotState& slot, const sdk::RingRecord& record, const TickClock& clock,
                         TraceSink& sink) {
  const Ts begin{clock.ns(record.ts)};
  const Ts end{clock.ns(record.a)};
  if (end < begin || (record.name != 0 && record.name >= ring_.op_count())) {
    seen_.damaged += 1;
    return;
  }
  const OpRow& row = op_row(record.name, sink);
  seen_.ops += 1;
  sink.slice({.track = slot.track,
              .ts = begin,
              .dur = end - begin,
              .name = row.name,
              .category = row.category,
              .layer = Layer::framework,
              .args = row.args,
              .flows_out = {},
              .flows_in = {}});
}

void SdkDecoder::emit_lock(const SlotState& slot, const sdk::RingRecord& record, const TickClock& clock,
                           TraceSink& sink) {
  const Ts begin{clock.ns(record.ts)};
  const Ts end{clock.ns(record.a)};
  if (end < begin) {
    seen_.damaged += 1;
    return;
  }
  seen_.locks += 1;
  const std::array<Arg, 2> args{
      {{sink.intern(words::kArgAddress), sink.intern(fmt::format("0x{:x}", record.b))},
       {sink.intern(words::kArgOwnerTid), std::int64_t{record.name}}}};
  sink.slice({.track = slot.track,
              .ts = begin,
              .dur = end - begin,
              .name = sink.intern("pthread_mutex_lock"),
              .category = sink.intern(words::kLock),
              .layer = Layer::os,
              .args = args,
              .flows_out = {},
              .flows_in = {}});
}

void SdkDecoder::emit_counter(const sdk::RingRecord& record, const TickClock& clock, TraceSink& sink) {
  constexpr std::size_t kMaxCounters = 4096; // tracks that one process may make
  const std::uint64_t key = std::uint64_t{record.name} << 32 | (record.b & 0xffffffffu);
  const bool is_known = counters_.contains(key);
  // Without a name, values of several counters would lie on one line.
  if (!is_known && (counters_.size() >= kMaxCounters || text(record.name, sink).is_empty())) {
    seen_.damaged += 1;
    return;
  }
  const auto [it, is_new] = counters_.try_emplace(key);
  if (is_new) {
    const StrId unit =
        record.b == 0 ? sink.intern("count") : text(static_cast<std::uint32_t>(record.b), sink);
    it->second =
        sink.counter_track({.name = text(record.name, sink), .unit = unit, .process = process(sink)});
  }
  if (text(record.name, sink) == sink.intern("heap_in_use")) seen_.heap += 1;
  sink.counter(it->second, {clock.ns(record.ts)}, std::bit_cast<double>(record.a));
}

void SdkDecoder::end_of_round(TraceSink& sink) {
  read_new_ops(sink);
  emit_pending(false, sink);
  ending_.swap(just_ended_);
  late_.insert(late_.end(), just_late_.begin(), just_late_.end());
  just_late_.clear();
}

void SdkDecoder::finish(Ts now, TraceSink& sink) {
  read_new_ops(sink);
  late_.insert(late_.end(), just_late_.begin(), just_late_.end());
  just_late_.clear();
  emit_pending(true, sink);
  just_ended_.clear();
  for (SlotState& slot : slots_)
    close_spans(slot, 0, now, true, sink);
  std::vector<std::uint64_t> open;
  for (const auto& [id, request] : requests_)
    open.push_back(id); // of one that began before the recording, the waits are left
  std::sort(open.begin(), open.end());
  for (const std::uint64_t id : open) {
    close_request(requests_[id], now);
    emit_request(id, requests_[id], true, sink);
  }
  requests_.clear();
  for (const Wait& wait : late_)
    emit_wait(wait, lane_for(wait_lanes_, "waits", wait.begin, wait.end, sink), sink);
  late_.clear();
}

} // namespace prof
