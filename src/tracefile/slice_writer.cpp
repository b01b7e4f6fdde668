#include "tracefile/slice_writer.hpp"

#include "tracefile/limits.hpp"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <iterator>
#include <limits>
#include <protozero/pbf_writer.hpp>
#include <utility>

namespace prof::detail {
namespace {

constexpr std::size_t kMostHeads = 4096; // of one lane; the models of a service have some hundred operators
constexpr int kMaxLanes = 256;           // of one track; what overlaps deeper is dropped and counted

constexpr auto by_flow = [](const auto& end) { return std::pair(end.flow, end.ts); };

std::string track_defaults(std::uint64_t uuid) {
  std::string event, out;
  protozero::pbf_writer(event).add_uint64(pb::defaults::kTrackUuid, uuid);
  protozero::pbf_writer(out).add_message(pb::defaults::kTrackEvent, event);
  return out;
}

} // namespace

std::string_view layer_name(Layer layer) {
  constexpr std::array<std::string_view, 6> kNames{"application", "framework", "runtime",
                                                   "device",      "os",        "hardware"};
  return kNames[static_cast<std::size_t>(layer)];
}

std::string attribute_message(std::string_view key, std::string_view value) {
  std::string message;
  protozero::pbf_writer attributes(message);
  {
    protozero::pbf_writer attribute(attributes, pb::attributes::kAttribute);
    attribute.add_bytes(pb::attributes::kKey, key.data(), key.size());
    attribute.add_bytes(pb::attributes::kString, value.data(), value.size());
  }
  return message;
}

void SliceWriter::add_track(std::uint64_t uuid, std::uint64_t parent_uuid, StrId name) {
  lanes_.emplace_back();
  lanes_.back().uuid = uuid;
  lanes_.back().parent_uuid = parent_uuid;
  lanes_.back().name = name;
}

void SliceWriter::add(std::size_t track, const Slice& slice) {
  if (track >= lanes_.size()) return;
  Lane& lane = lanes_[track];
  const auto args_at = static_cast<std::uint32_t>(args_.size());
  args_.insert(args_.end(), slice.args.begin(), slice.args.end());
  const auto out_at = static_cast<std::uint32_t>(flows_.size());
  flows_.insert(flows_.end(), slice.flows_out.begin(), slice.flows_out.end());
  const auto in_at = static_cast<std::uint32_t>(flows_.size());
  flows_.insert(flows_.end(), slice.flows_in.begin(), slice.flows_in.end());
  lane.slices.push_back({.ts = slice.ts.ns,
                         .dur = std::max<std::int64_t>(slice.dur.ns, 0),
                         .name = slice.name,
                         .category = slice.category,
                         .args_at = args_at,
                         .args_n = static_cast<std::uint32_t>(slice.args.size()),
                         .out_at = out_at,
                         .out_n = static_cast<std::uint32_t>(slice.flows_out.size()),
                         .in_at = in_at,
                         .in_n = static_cast<std::uint32_t>(slice.flows_in.size()),
                         .layer = slice.layer});
  if (!lane.is_dirty) dirty_.push_back(track);
  lane.is_dirty = true;
  pending_++;
}

void SliceWriter::add_kernel_flow(std::uint64_t flow, std::int64_t ts, std::uint64_t event_id) {
  kernel_ends_.push_back({flow, ts, event_id});
}

void SliceWriter::flush() {
  std::sort(dirty_.begin(), dirty_.end());
  const std::size_t known = categories_.size();
  for (const std::size_t track : dirty_)
    for (const Pending& slice : lanes_[track].slices)
      note_layer(slice);
  if (core_.stands_damage && known < categories_.size()) {
    core_.file.flush(); // once more, in another group
    for (std::size_t i = known; i < categories_.size(); ++i)
      write_layer(categories_[i], layer_of_category_[categories_[i].row]);
  }
  sort_flows();
  for (const std::size_t track : dirty_) {
    int depth = 0;
    for (Lane* lane = &lanes_[track]; lane != nullptr && !lane->slices.empty(); lane = lane->next.get()) {
      if (++depth > kMaxLanes) {
        dropped_ += std::ssize(lane->slices);
        lane->slices.clear();
        break;
      }
      flush_lane(*lane);
    }
    lanes_[track].is_dirty = false;
  }
  dirty_.clear();
  args_.clear();
  flows_.clear();
  kernel_ends_.clear();
  flow_starts_.clear();
  pending_ = 0;
}

void SliceWriter::sort_flows() {
  if (kernel_ends_.empty()) return;
  for (const std::size_t track : dirty_)
    for (const Pending& slice : lanes_[track].slices)
      for (std::uint32_t i = 0; i < slice.out_n; ++i)
        flow_starts_.push_back({.flow = flows_[slice.out_at + i], .ts = slice.ts});
  std::ranges::sort(flow_starts_, {}, by_flow);
  const auto same = std::ranges::unique(flow_starts_, {}, by_flow);
  flow_starts_.erase(same.begin(), same.end());
  std::ranges::stable_sort(kernel_ends_, {}, by_flow);
}

// A flow that many slices start (a launch number used again) has every kernel named once, not by each of
// them: else the file grows with the square of the launches.
void SliceWriter::append_kernels(std::string& correlation, std::uint64_t flow, std::int64_t ts) {
  const auto start = std::ranges::lower_bound(flow_starts_, std::pair(flow, ts), {}, by_flow);
  if (start == flow_starts_.end() || std::exchange(start->is_named, true)) return;
  const auto next = std::next(start);
  const bool is_first = start == flow_starts_.begin() || std::prev(start)->flow != flow;
  const bool is_last = next == flow_starts_.end() || next->flow != flow;
  constexpr auto kAll = std::numeric_limits<std::int64_t>::min();
  const std::int64_t from = is_first && is_last ? kAll : ts;
  for (auto kernel = std::ranges::lower_bound(kernel_ends_, std::pair(flow, from), {}, by_flow);
       kernel != kernel_ends_.end() && kernel->flow == flow && (is_last || kernel->ts < next->ts); ++kernel)
    protozero::pbf_writer(correlation).add_uint64(pb::event::kSubmissionIds, kernel->event_id);
}

// The first slice of a category decides the layer of all; others carry theirs as an annotation.
void SliceWriter::note_layer(const Pending& slice) {
  const auto [at, is_new] = layer_of_category_.try_emplace(slice.category.row, slice.layer);
  if (!is_new) return;
  categories_.push_back(slice.category);
  write_layer(slice.category, slice.layer);
}

void SliceWriter::write_layer(StrId category, Layer layer) {
  add_state(core_, pb::packet::kTraceAttributes,
            attribute_message(fmt::format("cann.layer.{}", core_.strings.text(category)), layer_name(layer)));
}

void SliceWriter::repeat() {
  for (const StrId category : categories_)
    write_layer(category, layer_of_category_[category.row]);
  for (const Lane& main : lanes_)
    for (const Lane* lane = &main; lane->next; lane = lane->next.get())
      write_lane(*lane->next, lane->uuid);
}

void SliceWriter::flush_lane(Lane& lane) {
  if (!lane.sequence) lane.sequence = std::make_unique<Sequence>(core_, track_defaults(lane.uuid));
  std::vector<Pending> slices = std::move(lane.slices);
  lane.slices.clear();
  const auto is_before = [](const Pending& a, const Pending& b) {
    return a.ts != b.ts ? a.ts < b.ts : a.dur > b.dur;
  };
  if (!std::ranges::is_sorted(slices, is_before)) { // what comes from the lane before is
    // Complete events come children first: of two equal intervals the later one is then the parent.
    const bool is_by_end = !std::ranges::is_sorted(slices, {}, &Pending::ts);
    if (is_by_end) std::reverse(slices.begin(), slices.end());
    std::stable_sort(slices.begin(), slices.end(), is_before);
  }
  std::size_t at = 0, misfits = 0; // misfits gather at the front: there may be many, for many lanes
  for (; at < slices.size() && lane.sequence->is_started() && slices[at].ts < lane.sequence->clock(); ++at) {
    const Pending& slice = slices[at];
    enter(lane, {});
    if (slice.dur == 0) {
      write_begin(lane, slice, true);
    } else if (lane.nesting.insert(slice.ts, slice.ts + slice.dur, true)) {
      write_begin(lane, slice, true);
      write_end(lane, slice.ts + slice.dur, true);
    } else {
      slices[misfits++] = slice;
    }
  }
  misfits = write_run(lane, slices, at, misfits);
  slices.erase(slices.begin() + static_cast<std::ptrdiff_t>(misfits), slices.end());
  if (!slices.empty()) move_to_next(lane, std::move(slices));
}

std::size_t SliceWriter::write_run(Lane& lane, std::vector<Pending>& slices, std::size_t from,
                                   std::size_t misfits) {
  std::vector<Open> open;
  const auto close = [&] {
    enter(lane, open);
    write_end(lane, open.back().end, false);
    open.pop_back();
  };
  for (std::size_t i = from; i < slices.size(); ++i) {
    const Pending& slice = slices[i];
    const std::int64_t end = slice.ts + slice.dur;
    while (!open.empty() && open.back().end <= slice.ts)
      close();
    enter(lane, open);
    if (slice.dur == 0) {
      write_begin(lane, slice, false);
      continue;
    }
    const bool fits = open.size() < kMaxOpen && (open.empty() || end <= open.back().end) &&
                      lane.nesting.insert(slice.ts, end, false);
    if (!fits) {
      slices[misfits++] = slice;
      continue;
    }
    write_begin(lane, slice, false);
    open.push_back({slice.ts, end});
  }
  while (!open.empty())
    close();
  return misfits;
}

// Before an event of a file that stands damage. In a group of their own the packets of a lane also say which
// slices are open: the beginnings as numbers, each counted from the one before.
void SliceWriter::enter(Lane& lane, const std::vector<Open>& open) {
  core_.begin_row();
  if (!lane.sequence->enters_group()) return;
  if (lane.described_in >= 0 && lane.described_in != core_.file.group()) {
    write_lane(lane, lane.main);
    lane.described_in = -1;
  }
  if (open.empty()) return;
  std::string begins;
  std::int64_t before = 0;
  for (const Open& slice : open)
    begins += fmt::format("{}{}", begins.empty() ? "" : " ", slice.ts - std::exchange(before, slice.ts));
  add_global(core_, pb::packet::kTraceAttributes,
             attribute_message(fmt::format("cann.open.{}", lane.uuid), begins));
}

void SliceWriter::move_to_next(Lane& lane, std::vector<Pending> misfits) {
  if (!lane.next) {
    lane.next = std::make_unique<Lane>();
    Lane& next = *lane.next;
    next.uuid = core_.next_uuid++;
    next.parent_uuid = lane.parent_uuid;
    next.name = lane.name;
    next.main = lane.uuid;
    write_lane(next, lane.uuid);
    if (core_.stands_damage) next.described_in = core_.file.group();
  }
  if (lane.next->slices.empty())
    lane.next->slices = std::move(misfits);
  else
    lane.next->slices.insert(lane.next->slices.end(), misfits.begin(), misfits.end());
}

// A further lane of a track; `main` is the lane before it.
void SliceWriter::write_lane(const Lane& lane, std::uint64_t main) {
  std::string message;
  protozero::pbf_writer track(message);
  track.add_uint64(pb::track::kUuid, lane.uuid);
  if (lane.parent_uuid != 0) track.add_uint64(pb::track::kParent, lane.parent_uuid);
  const std::string_view name = core_.strings.text(lane.name);
  track.add_bytes(pb::track::kName, name.data(), name.size());
  track.add_string(pb::track::kDescription, fmt::format("lane of {}", main));
  track.add_uint32(pb::track::kSiblingMerge, pb::track::kMergeNone);
  add_state(core_, pb::packet::kTrackDescriptor, message);
}

namespace {

// To the bit, as it is written: 0.0 and -0.0 are two.
bool is_same(const Arg& a, const Arg& b) {
  if (a.key != b.key || a.value.index() != b.value.index()) return false;
  const auto* x = std::get_if<double>(&a.value);
  return x == nullptr
             ? a.value == b.value
             : std::bit_cast<std::uint64_t>(*x) == std::bit_cast<std::uint64_t>(std::get<double>(b.value));
}

} // namespace

// Into event_. In a file that stands damage each group defines its texts, so that nothing can be taken over.
void SliceWriter::write_head(Lane& lane, const Pending& slice) {
  const std::span<const Arg> args = std::span(args_).subspan(slice.args_at, slice.args_n);
  const bool is_kept =
      !core_.stands_damage && (lane.heads.size() < kMostHeads || lane.heads.contains(slice.name.row));
  Head* head = is_kept ? &lane.heads[slice.name.row] : nullptr;
  if (head != nullptr && head->generation == core_.starts.number() && head->category == slice.category &&
      head->layer == slice.layer && head->is_instant == (slice.dur == 0) &&
      std::ranges::equal(head->args, args, is_same)) {
    event_ = head->bytes;
    return;
  }
  Sequence& sequence = *lane.sequence;
  event_.clear();
  protozero::pbf_writer event(event_);
  event.add_uint32(pb::event::kType, slice.dur > 0 ? pb::event::kBegin : pb::event::kInstant);
  event.add_uint64(pb::event::kNameIid, sequence.text_iid(Interned::event_name, slice.name));
  if (!slice.category.is_empty())
    event.add_uint64(pb::event::kCategoryIids, sequence.text_iid(Interned::category, slice.category));
  append_args(sequence, event_, slice);
  if (head == nullptr) return;
  head->generation = core_.starts.number();
  head->category = slice.category;
  head->layer = slice.layer;
  head->is_instant = slice.dur == 0;
  head->args.assign(args.begin(), args.end());
  head->bytes = event_;
}

void SliceWriter::write_begin(Lane& lane, const Pending& slice, bool is_late) {
  write_head(lane, slice);
  Sequence& sequence = *lane.sequence;
  protozero::pbf_writer event(event_);
  std::string correlation;
  for (std::uint32_t i = 0; i < slice.out_n; ++i) {
    const std::uint64_t flow = flows_[slice.out_at + i];
    event.add_fixed64(pb::event::kFlowIds, flow);
    append_kernels(correlation, flow, slice.ts);
  }
  for (std::uint32_t i = 0; i < slice.in_n; ++i)
    event.add_fixed64(pb::event::kTerminatingFlows, flows_[slice.in_at + i]);
  if (!correlation.empty()) event.add_message(pb::event::kGpuCorrelation, correlation);
  sequence.add(slice.ts, pb::packet::kTrackEvent, event_, is_late);
}

void SliceWriter::write_end(Lane& lane, std::int64_t ts, bool is_late) {
  event_.clear();
  protozero::pbf_writer(event_).add_uint32(pb::event::kType, pb::event::kEnd);
  lane.sequence->add(ts, pb::packet::kTrackEvent, event_, is_late);
}

namespace {

// The value of an annotation, into `out`.
void append_value(Sequence& sequence, protozero::pbf_writer& out, const ArgValue& value) {
  if (const auto* n = std::get_if<std::int64_t>(&value)) out.add_int64(pb::annotation::kInt, *n);
  if (const auto* x = std::get_if<double>(&value)) out.add_double(pb::annotation::kDouble, *x);
  if (const auto* b = std::get_if<bool>(&value)) out.add_bool(pb::annotation::kBool, *b);
  if (const auto* s = std::get_if<StrId>(&value))
    out.add_uint64(pb::annotation::kStringIid, sequence.text_iid(Interned::annotation_string, *s));
}

} // namespace

// A key that stands several times in a row (a batch lists its request ids) becomes one array annotation.
void SliceWriter::append_args(Sequence& sequence, std::string& event, const Pending& slice) {
  protozero::pbf_writer out(event);
  const std::span<const Arg> args = std::span(args_).subspan(slice.args_at, slice.args_n);
  for (std::size_t i = 0; i < args.size();) {
    std::size_t end = i + 1;
    while (end < args.size() && args[end].key == args[i].key)
      ++end;
    annotation_.clear(); // apart: a message begun inside another is moved when its length is known
    protozero::pbf_writer annotation(annotation_);
    annotation.add_uint64(pb::annotation::kNameIid,
                          sequence.text_iid(Interned::annotation_name, arg_key(core_, args[i].key)));
    if (end == i + 1) {
      append_value(sequence, annotation, args[i].value);
    } else {
      for (std::size_t k = i; k < end; ++k) {
        protozero::pbf_writer element(annotation, pb::annotation::kArray);
        append_value(sequence, element, args[k].value);
      }
    }
    out.add_message(pb::event::kAnnotations, annotation_);
    i = end;
  }
  if (layer_of_category_[slice.category.row] == slice.layer) return;
  protozero::pbf_writer annotation(out, pb::event::kAnnotations);
  annotation.add_uint64(pb::annotation::kNameIid,
                        sequence.text_iid(Interned::annotation_name, core_.strings.intern("cann.layer")));
  annotation.add_uint64(
      pb::annotation::kStringIid,
      sequence.text_iid(Interned::annotation_string, core_.strings.intern(layer_name(slice.layer))));
}

} // namespace prof::detail
