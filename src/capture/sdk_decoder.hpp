// sdk_decoder.hpp: turns the records of one annotated process into slices, counters and flows of the trace.
#pragma once
#include "capture/sdk_ring.hpp"
#include "capture/tick_clock.hpp"
#include "trace/sink.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace prof {

namespace detail {
// Arguments of one span that are kept: a batch lists its requests.
inline constexpr std::size_t kMaxSpanArgs = 1024;
// The category of a span of this prof_span_kind.
[[nodiscard]] std::string_view span_category(std::uint8_t kind);
// A request's number without the SDK's mark on it.
[[nodiscard]] inline std::int64_t shown_id(std::uint64_t request) {
  return static_cast<std::int64_t>(request & ~sdk::kUnsampledBit);
}
} // namespace detail

// What was seen, for signals and notes.
struct SdkSeen {
  std::int64_t requests = 0, unfinished = 0, unsampled = 0;
  std::int64_t stages = 0, ops = 0, locks = 0, heap = 0, runs = 0;
  std::int64_t unclosed = 0; // spans that were open at the end
  std::int64_t damaged = 0;  // records that fit nothing
};

// Single-threaded. The slices of each track come in order of their end.
class SdkDecoder {
public:
  SdkDecoder(SdkRing& ring, std::filesystem::path proc_root) : ring_(ring), proc_(std::move(proc_root)) {}
  // One record of the ring, in the order of its slot.
  void take(std::uint32_t slot, const sdk::RingRecord& record, const TickClock& clock, TraceSink& sink);
  // After all slots were drained once. A request ends one round later, as its last stages may stand in other
  // rings.
  void end_of_round(TraceSink& sink);
  // The end of the recording at `now`: what is still open ends there, marked as unfinished.
  void finish(Ts now, TraceSink& sink);
  [[nodiscard]] const SdkSeen& seen() const { return seen_; }

private:
  struct OpenSpan {
    Ts ts;
    StrId name, category;
    std::vector<Arg> args;
    std::vector<std::uint64_t> flows_out, flows_in;
  };
  struct SlotState {
    bool is_entered = false; // its thread record was seen
    Id<Track> track;
    std::vector<OpenSpan> open;
  };
  struct Wait {
    Ts begin, end;
    StrId name;
    StrId category;
    StrId wait_class; // empty for runs
    std::int64_t request = 0;
    bool is_open = false; // cut by the end of the recording
  };
  struct OpenRequest {
    std::optional<Ts> begin, end;
    StrId name;
    std::uint8_t status = 0;
    bool is_sampled = true;
    std::vector<Wait> waits;
    std::vector<Wait> begun; // told at their beginning; those in `waits` by now have ended
  };
  struct Lane {
    Id<Track> track;
    Ts last_end;
  };
  struct OpRow {
    StrId name, category;
    std::vector<Arg> args;
  };

  [[nodiscard]] static bool has_possible_times(const sdk::RingRecord& record, const TickClock& clock);
  void enter_thread(SlotState& slot, const sdk::RingRecord& record, TraceSink& sink);
  void take_span(SlotState& slot, const sdk::RingRecord& record, const TickClock& clock, TraceSink& sink);
  void take_request(const sdk::RingRecord& record, const TickClock& clock, TraceSink& sink);
  void take_async(const sdk::RingRecord& record, const TickClock& clock, TraceSink& sink);
  void take_wait_begin(const sdk::RingRecord& record, const TickClock& clock, TraceSink& sink);
  void begin_span(SlotState& slot, const sdk::RingRecord& record, const TickClock& clock, TraceSink& sink);
  void add_arg(OpenSpan& span, const sdk::RingRecord& record, TraceSink& sink);
  void close_spans(SlotState& slot, std::size_t depth, Ts end, bool is_unfinished, TraceSink& sink);
  void emit_op(const SlotState& slot, const sdk::RingRecord& record, const TickClock& clock, TraceSink& sink);
  void emit_lock(const SlotState& slot, const sdk::RingRecord& record, const TickClock& clock,
                 TraceSink& sink);
  void emit_counter(const sdk::RingRecord& record, const TickClock& clock, TraceSink& sink);
  void emit_request(std::uint64_t id, OpenRequest& request, bool is_unfinished, TraceSink& sink);
  void emit_wait(const Wait& wait, Id<Track> track, TraceSink& sink);
  void close_request(OpenRequest& request, Ts now);
  void emit_pending(bool is_all, TraceSink& sink);
  void read_new_ops(TraceSink& sink);
  // A lane of `lanes` that is free from `begin` on; none when there are too many.
  Id<Track> lane_for(std::vector<Lane>& lanes, std::string_view name, Ts begin, Ts end, TraceSink& sink);
  [[nodiscard]] StrId text(std::uint32_t name_id, TraceSink& sink);
  [[nodiscard]] Id<Process> process(TraceSink& sink);
  [[nodiscard]] const OpRow& op_row(std::uint32_t id, TraceSink& sink);

  SdkRing& ring_;
  std::filesystem::path proc_;
  SdkSeen seen_;
  std::optional<Id<Process>> process_;
  std::vector<SlotState> slots_;
  std::unordered_map<std::uint32_t, StrId> texts_;
  std::unordered_map<std::uint32_t, OpRow> ops_;
  std::unordered_map<std::uint64_t, Id<CounterTrack>> counters_;
  std::unordered_map<std::uint64_t, OpenRequest> requests_;
  std::vector<std::uint64_t> ending_;     // ended before this round
  std::vector<std::uint64_t> just_ended_; // in this round
  std::vector<Wait> late_, just_late_;    // waits that have no request to lie in
  std::vector<Lane> request_lanes_, wait_lanes_, run_lanes_;
  std::uint32_t ops_read_ = 1;
};

} // namespace prof
