// slice_writer.hpp: slices -> BEGIN/END track events, one packet sequence per lane of a track.
//
// Perfetto has no complete events: an END closes whatever BEGIN is innermost on its track after all packets
// were sorted by time (equal times keep their order in the file). A slice is therefore written whole, BEGIN
// and END in one flush:
// - in order: the slices of a flush that begin at or after the lane's clock, as one properly nested run of
//   deltas;
// - late (a parent that ends after its children were flushed): BEGIN and END side by side, at absolute times;
// - on a further lane: what would not nest after sorting (partial overlap; a late parent that begins at the
//   very nanosecond of a flushed child) or nests deeper than a reader follows (kMaxOpen). That is a sibling
//   track whose description says "lane of <uuid>", which our reader undoes.
#pragma once
#include "trace/model.hpp"
#include "tracefile/nesting.hpp"
#include "tracefile/sequence.hpp"

#include <map>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace prof::detail {

class SliceWriter {
public:
  explicit SliceWriter(WriterCore& core) : core_(core) {}

  // A track that slices can be put on. `parent_uuid` and `name` are for the descriptors of its further lanes.
  void add_track(std::uint64_t uuid, std::uint64_t parent_uuid, StrId name);
  // `track` is the index of the add_track() call.
  void add(std::size_t track, const Slice& slice);
  // A kernel was launched by flow `flow`: of the slices of this flush that start it, the latest one that does
  // not begin after the kernel (the only one, when there is one) names the kernel's event too.
  void add_kernel_flow(std::uint64_t flow, std::int64_t ts, std::uint64_t event_id);
  [[nodiscard]] std::int64_t pending() const { return pending_; }
  // Slices that found no lane (over 256 overlapping on one track) and were left out.
  [[nodiscard]] std::int64_t dropped() const { return dropped_; }
  void flush();
  // Describes the further lanes and the layers again, for a new start.
  void repeat();

private:
  struct Pending {
    std::int64_t ts, dur;
    StrId name, category;
    std::uint32_t args_at, args_n, out_at, out_n, in_at, in_n;
    Layer layer;
  };
  // The begin of a slice up to its flows, as it was last written.
  struct Head {
    std::uint32_t generation = 0; // in which its texts are defined
    StrId category;
    Layer layer{};
    bool is_instant = false;
    std::vector<Arg> args;
    std::string bytes;
  };
  struct Lane {
    std::uint64_t uuid = 0, parent_uuid = 0;
    StrId name;
    std::unique_ptr<Sequence> sequence;
    std::vector<Pending> slices;
    Nesting nesting;                               // of what was written
    std::unordered_map<std::uint32_t, Head> heads; // by name: an operator comes again and again
    std::unique_ptr<Lane> next;                    // where this lane's misfits go
    bool is_dirty = false;
    std::uint64_t main = 0;         // of a further lane: the lane before it
    std::int64_t described_in = -1; // the group; -1: in two, or not alone
  };
  struct Open {
    std::int64_t ts, end;
  };
  struct FlowStart {
    std::uint64_t flow;
    std::int64_t ts;
    bool is_named = false; // a slice has named its kernels
  };
  struct KernelEnd {
    std::uint64_t flow;
    std::int64_t ts;
    std::uint64_t event_id;
  };
  void flush_lane(Lane& lane);
  // The slices from `from` on, in order; what does not fit goes behind the `misfits` first ones. How many
  // those are then.
  std::size_t write_run(Lane& lane, std::vector<Pending>& slices, std::size_t from, std::size_t misfits);
  void move_to_next(Lane& lane, std::vector<Pending> misfits);
  void enter(Lane& lane, const std::vector<Open>& open);
  void write_begin(Lane& lane, const Pending& slice, bool is_late);
  void write_end(Lane& lane, std::int64_t ts, bool is_late);
  void write_head(Lane& lane, const Pending& slice);
  void append_args(Sequence& sequence, std::string& event, const Pending& slice);
  void sort_flows();
  void append_kernels(std::string& correlation, std::uint64_t flow, std::int64_t ts);
  void note_layer(const Pending& slice);
  void write_layer(StrId category, Layer layer);
  void write_lane(const Lane& lane, std::uint64_t main);

  WriterCore& core_;
  std::vector<Lane> lanes_;
  std::vector<std::size_t> dirty_;
  std::vector<Arg> args_;            // of the pending slices
  std::vector<std::uint64_t> flows_; // of the pending slices
  std::unordered_map<std::uint32_t, Layer> layer_of_category_;
  std::vector<StrId> categories_;      // its keys, in the order they came
  std::vector<KernelEnd> kernel_ends_; // of this flush; while it is written by flow, then time
  std::vector<FlowStart> flow_starts_; // likewise, of the pending slices
  std::string event_, annotation_;     // kept for their room
  std::int64_t pending_ = 0, dropped_ = 0;
};

// "application" ... "hardware".
[[nodiscard]] std::string_view layer_name(Layer layer);
// A TraceAttributes message of one attribute.
[[nodiscard]] std::string attribute_message(std::string_view key, std::string_view value);

} // namespace prof::detail
