// Tables of what lies on the timeline: owners, tracks, slices, flows, counters, kernels.
#include "store/host_calls.hpp"
#include "store/sql_column.hpp"
#include "trace/enum_words.hpp"

#include <array>

namespace prof {
namespace {

using detail::column;
using detail::nth_word;
using detail::real_bits;
using detail::row_count;
using detail::row_id;
using D = SqlData;
using R = std::uint32_t;
using I = std::int64_t;
using K = ColumnKind;

// The rank at the end of a name; -1: there is none.
template <auto Table, auto Name>
I rank_of(D& d, R row) {
  return rank_in(d.store().text(((d.t().*Table).*Name)[row]));
}

template <auto Member>
I device_value(D& d, R row) {
  return static_cast<I>(d.device_time()[row].*Member);
}

template <auto Member>
I gap_value(D& d, R row) {
  return static_cast<I>(d.device_gaps()[row].*Member);
}

constexpr ColumnDef kProcess[] = {
    {"id", K::integer, "row number", row_id},
    {"pid", K::integer, "process id of the operating system", column<&Tables::process, &ProcessTable::pid>},
    {"name", K::text, "name", column<&Tables::process, &ProcessTable::name>},
    {"cmdline", K::text, "command line", column<&Tables::process, &ProcessTable::cmdline>},
    {"rank", K::optional, "rank of a distributed run, of a trace with several; NULL = none is known",
     rank_of<&Tables::process, &ProcessTable::name>},
};
constexpr ColumnDef kThread[] = {
    {"id", K::integer, "row number", row_id},
    {"tid", K::integer, "thread id of the operating system", column<&Tables::thread, &ThreadTable::tid>},
    {"process_id", K::id, "process.id; NULL where only the scheduler saw the thread",
     column<&Tables::thread, &ThreadTable::process>},
    {"name", K::text, "name", column<&Tables::thread, &ThreadTable::name>},
};
constexpr ColumnDef kDevice[] = {
    {"id", K::integer, "row number", row_id},
    {"name", K::text, "name", column<&Tables::device, &DeviceTable::name>},
    {"kind", K::word, "cpu, gpu, npu or other", column<&Tables::device, &DeviceTable::kind>,
     nth_word<kDeviceKindWords>},
    {"idx", K::integer, "number among the devices of its kind", column<&Tables::device, &DeviceTable::index>},
    {"rank", K::optional, "rank of a distributed run, of a trace with several; NULL = none is known",
     rank_of<&Tables::device, &DeviceTable::name>},
};
constexpr ColumnDef kStream[] = {
    {"id", K::integer, "row number", row_id},
    {"device_id", K::id, "device.id", column<&Tables::stream, &StreamTable::device>},
    {"number", K::integer, "number on its device", column<&Tables::stream, &StreamTable::number>},
    {"name", K::text, "name", column<&Tables::stream, &StreamTable::name>},
};
constexpr ColumnDef kTrack[] = {
    {"id", K::integer, "row number", row_id},
    {"name", K::text, "name", column<&Tables::track, &TrackTable::name>},
    {"kind", K::word, "thread, async, stream or other", column<&Tables::track, &TrackTable::kind>,
     nth_word<kTrackKindWords>},
    {"thread_id", K::id, "thread.id of a thread's track", column<&Tables::track, &TrackTable::thread>},
    {"process_id", K::id, "process.id (of the thread, or of an async track's owner)",
     column<&Tables::track, &TrackTable::process>},
    {"stream_id", K::id, "stream.id of a device stream's track", column<&Tables::track, &TrackTable::stream>},
    {"parent_id", K::id, "track.id of the track that this one belongs under",
     column<&Tables::track, &TrackTable::parent>},
};
constexpr ColumnDef kSlice[] = {
    {"id", K::integer, "row number; a parent's is smaller than its children's", row_id},
    {"ts", K::integer, "start, ns on the trace clock", column<&Tables::slice, &SliceTable::ts>},
    {"dur", K::integer, "length, ns; 0 = an instant", column<&Tables::slice, &SliceTable::dur>},
    {"track_id", K::id, "track.id", column<&Tables::slice, &SliceTable::track>},
    {"depth", K::integer, "0 = outermost on its track", column<&Tables::slice, &SliceTable::depth>},
    {"parent_id", K::id, "slice.id of the slice around it on its track",
     column<&Tables::slice, &SliceTable::parent>},
    {"name", K::text, "name", column<&Tables::slice, &SliceTable::name>},
    {"category", K::text, "request, stage, run, op, lock, span, mark, or a producer's own word",
     column<&Tables::slice, &SliceTable::category>},
    {"layer", K::word, "application, framework, runtime, device, os or hardware",
     column<&Tables::slice, &SliceTable::layer>, nth_word<kLayerWords>},
    {"arg_set_id", K::id, "args.arg_set_id; NULL = no arguments",
     column<&Tables::slice, &SliceTable::arg_set>},
};
constexpr ColumnDef kArgs[] = {
    {"arg_set_id", K::id, "the set; equal sets that come close together are stored once",
     [](D& d, R r) -> I {
       const auto& begin = d.t().arg.set_begin;
       R low = 0, high = static_cast<R>(begin.size()) - 1;
       while (high - low > 1) {
         const R mid = low + (high - low) / 2;
         (begin[mid] <= r ? low : high) = mid;
       }
       return low;
     }},
    {"key", K::text, "name; may stand more than once in a set", column<&Tables::arg, &ArgTable::key>},
    {"int_value", K::integer, "value of integers and of booleans (0, 1)",
     [](D& d, R r) -> I {
       if (const auto* i = std::get_if<std::int64_t>(&d.t().arg.value[r])) return *i;
       if (const auto* b = std::get_if<bool>(&d.t().arg.value[r])) return *b ? 1 : 0;
       return kSqlNull;
     }},
    {"double_value", K::real, "value of real numbers",
     [](D& d, R r) -> I {
       const auto* x = std::get_if<double>(&d.t().arg.value[r]);
       return x == nullptr ? kSqlNull : real_bits(*x);
     }},
    {"string_value", K::text, "value of texts",
     [](D& d, R r) -> I {
       const auto* s = std::get_if<StrId>(&d.t().arg.value[r]);
       return s == nullptr ? kSqlNull : s->row;
     }},
    {"value_type", K::word, "integer, real, flag or text: which of them it is, and what was recorded",
     [](D& d, R r) -> I { return static_cast<I>(d.t().arg.value[r].index()); }, nth_word<kArgTypeWords>},
};
constexpr ColumnDef kFlow[] = {
    {"id", K::integer, "row number", row_id},
    {"slice_out", K::id, "slice.id of the cause", column<&Tables::flow, &FlowTable::slice_out>},
    {"slice_in", K::id, "slice.id of the effect; NULL when it is a kernel",
     column<&Tables::flow, &FlowTable::slice_in>},
    {"kernel_in", K::id, "kernel.id of the effect; NULL when it is a slice",
     column<&Tables::flow, &FlowTable::kernel_in>},
};
constexpr ColumnDef kCounterTrack[] = {
    {"id", K::integer, "row number", row_id},
    {"name", K::text, "what is counted: rss, cpu_util, queue_depth ...",
     column<&Tables::counter_track, &CounterTrackTable::name>},
    {"unit", K::text, "bytes, percent, count, ns, 1/s, MHz, celsius, watt",
     column<&Tables::counter_track, &CounterTrackTable::unit>},
    {"cpu", K::optional, "number of the CPU that it belongs to",
     column<&Tables::counter_track, &CounterTrackTable::cpu>},
    {"thread_id", K::id, "thread.id", column<&Tables::counter_track, &CounterTrackTable::thread>},
    {"process_id", K::id, "process.id", column<&Tables::counter_track, &CounterTrackTable::process>},
    {"device_id", K::id, "device.id", column<&Tables::counter_track, &CounterTrackTable::device>},
};
constexpr ColumnDef kCounter[] = {
    {"id", K::integer, "row number", row_id},
    {"ts", K::integer, "when, ns", column<&Tables::counter, &CounterTable::ts>},
    {"track_id", K::id, "counter_track.id", column<&Tables::counter, &CounterTable::track>},
    {"value", K::real, "value in the unit of its track", column<&Tables::counter, &CounterTable::value>},
};
I device_of_kernel(D& d, R r) {
  return d.t().stream.device[d.t().kernel.stream[r]];
}
constexpr ColumnDef kKernel[] = {
    {"id", K::integer, "row number", row_id},
    {"ts", K::integer, "start, ns", column<&Tables::kernel, &KernelTable::ts>},
    {"dur", K::integer, "length, ns", column<&Tables::kernel, &KernelTable::dur>},
    {"name", K::text, "name", column<&Tables::kernel, &KernelTable::name>},
    {"op_type", K::text, "operator type", column<&Tables::kernel, &KernelTable::op_type>},
    {"kind", K::word, "compute, communication or memory", column<&Tables::kernel, &KernelTable::kind>,
     nth_word<kKernelKindWords>},
    {"device", K::integer, "number of its device (device.idx)",
     [](D& d, R r) -> I {
       const I device = device_of_kernel(d, r);
       return device == kNoRow ? kSqlNull : d.t().device.index[static_cast<R>(device)];
     }},
    {"stream", K::integer, "number of its stream (stream.number)",
     [](D& d, R r) -> I { return d.t().stream.number[d.t().kernel.stream[r]]; }},
    {"op_id", K::id, "op.id of the operator that launched it",
     [](D& d, R r) -> I { return d.op_around(d.t().kernel.launch[r]); }},
    {"launch_id", K::id, "slice.id of the launch", column<&Tables::kernel, &KernelTable::launch>},
    {"correlation", K::integer, "launch number given by the producer; 0 = none",
     [](D& d, R r) -> I { return static_cast<I>(d.t().kernel.correlation[r] & 0x7fffffffffffffffULL); }},
    {"input_shapes", K::text, "shapes of the inputs",
     [](D& d, R r) -> I { return d.text_arg(d.t().kernel.arg_set[r], d.input_shapes).row; }},
    {"input_formats", K::text, "data formats of the inputs",
     [](D& d, R r) -> I { return d.text_arg(d.t().kernel.arg_set[r], d.input_formats).row; }},
    {"input_dtypes", K::text, "data types of the inputs",
     [](D& d, R r) -> I { return d.text_arg(d.t().kernel.arg_set[r], d.input_dtypes).row; }},
    {"bytes", K::integer, "bytes moved, for kind memory; NULL = not known",
     [](D& d, R r) -> I { return d.t().kernel.bytes[r] == 0 ? kSqlNull : d.t().kernel.bytes[r]; }},
    {"device_id", K::id, "device.id", device_of_kernel},
    {"stream_id", K::id, "stream.id", column<&Tables::kernel, &KernelTable::stream>},
    {"arg_set_id", K::id, "args.arg_set_id", column<&Tables::kernel, &KernelTable::arg_set>},
    {"stage_slice_id", K::id, "slice.id of the stage that its launch works for, found as op.stage_slice_id",
     column<&Tables::kernel, &KernelTable::stage_slice>},
};
constexpr ColumnDef kDeviceTime[] = {
    {"device", K::integer, "number of the device (device.idx)",
     [](D& d, R r) -> I { return d.t().device.index[d.device_time()[r].device]; }},
    {"window_ns", K::integer, "first start to last end of its kernels and copies, ns",
     device_value<&DeviceTime::window>},
    {"compute_ns", K::integer, "union of its compute kernels, ns", device_value<&DeviceTime::compute>},
    {"communication_ns", K::integer, "union of its communication kernels, ns",
     device_value<&DeviceTime::communication>},
    {"memory_ns", K::integer, "union of its copies, ns", device_value<&DeviceTime::memory>},
    {"overlap_ns", K::integer, "compute and communication at once, ns", device_value<&DeviceTime::overlap>},
    {"exposed_communication_ns", K::integer, "communication without compute and copies, ns",
     device_value<&DeviceTime::exposed_communication>},
    {"busy_ns", K::integer, "union of everything it ran, ns", device_value<&DeviceTime::busy>},
    {"idle_ns", K::integer, "window without busy, ns", device_value<&DeviceTime::idle>},
    {"device_id", K::id, "device.id", device_value<&DeviceTime::device>},
};
constexpr ColumnDef kDeviceGap[] = {
    {"id", K::integer, "row number", row_id},
    {"ts", K::integer, "start, ns", gap_value<&DeviceGap::ts>},
    {"dur", K::integer, "length, ns; the parts below exclude each other and sum to it",
     gap_value<&DeviceGap::dur>},
    {"device_id", K::id, "device.id", gap_value<&DeviceGap::device>},
    {"kernel_id", K::id, "kernel.id of the first kernel after the gap", gap_value<&DeviceGap::kernel>},
    {"launch_id", K::id, "slice.id of the launch of that kernel",
     [](D& d, R r) -> I { return d.t().kernel.launch[d.device_gaps()[r].kernel]; }},
    {"no_work_ns", K::integer, "outside every request, ns (0 where steps of a loop stand for requests)",
     gap_value<&DeviceGap::no_work>},
    {"input_ns", K::integer, "launch late, its thread in a data loader, ns", gap_value<&DeviceGap::input>},
    {"slow_call_ns", K::integer, "launch late, its thread in one runtime call of 50 ms or more, ns",
     gap_value<&DeviceGap::slow_call>},
    {"sync_ns", K::integer, "launch late, after a synchronise call had drained the device, ns",
     gap_value<&DeviceGap::sync>},
    {"launch_ns", K::integer, "launch late for any other reason, ns", gap_value<&DeviceGap::launch>},
    {"after_launch_ns", K::integer, "launched in time, and something else was waited for, ns",
     gap_value<&DeviceGap::after_launch>},
    {"unknown_ns", K::integer, "no launch of that kernel is recorded, ns", gap_value<&DeviceGap::unknown>},
};

constexpr ColumnDef kIdleCall[] = {
    {"device_id", K::id, "device.id", [](D& d, R r) -> I { return d.idle_calls()[r].device; }},
    {"thread_id", K::id,
     "thread.id: the thread that launched the kernel after the gap, else another of its process",
     [](D& d, R r) -> I { return d.idle_calls()[r].thread; }},
    {"part", K::word, "input, start_up, host_sync, host_launch or after_launch: the parts of device_gap",
     [](D& d, R r) -> I { return static_cast<I>(d.idle_calls()[r].part); },
     [](I number) { return word(static_cast<IdleCall::Part>(number)); }},
    {"name", K::text, "name of a call or operator",
     [](D& d, R r) -> I { return d.idle_calls()[r].name.row; }},
    {"ns", K::integer, "time of that part in which it was the innermost one, ns",
     [](D& d, R r) -> I { return d.idle_calls()[r].ns; }},
};

constexpr TableDef kTables[] = {
    {"slice", "Intervals on tracks, sorted by track, then start.", kSlice,
     row_count<&Tables::slice, &SliceTable::ts>, true, false, 3, 1},
    {"args", "Named values of slices and kernels.", kArgs, row_count<&Tables::arg, &ArgTable::key>, false,
     false, 0, -1},
    {"flow", "What caused what: a slice led to a slice or to a kernel.", kFlow,
     row_count<&Tables::flow, &FlowTable::slice_out>},
    {"kernel", "What device streams ran.", kKernel, row_count<&Tables::kernel, &KernelTable::ts>, true, false,
     16, 1},
    {"device_time", "What each device did with its time; lengths of unions, never sums.", kDeviceTime,
     [](D& d) { return d.device_time().size(); }, false, true},
    {"device_gap", "When a device ran nothing, and what the host did meanwhile; by device, then start.",
     kDeviceGap, [](D& d) { return d.device_gaps().size(); }, true, true, 3, 1},
    {"idle_call",
     "What the host was in while a device ran nothing: the calls of the thread that launched the next "
     "kernel.",
     kIdleCall, [](D& d) { return d.idle_calls().size(); }, false, true, 0, -1},
    {"counter", "Numbers over time.", kCounter, row_count<&Tables::counter, &CounterTable::ts>, true, false,
     2, 1},
    {"counter_track", "What the counters count.", kCounterTrack,
     row_count<&Tables::counter_track, &CounterTrackTable::name>},
    {"track", "Lanes of the timeline.", kTrack, row_count<&Tables::track, &TrackTable::name>},
    {"process", "Processes.", kProcess, row_count<&Tables::process, &ProcessTable::pid>},
    {"thread", "Threads.", kThread, row_count<&Tables::thread, &ThreadTable::tid>},
    {"device", "Accelerators and CPUs.", kDevice, row_count<&Tables::device, &DeviceTable::name>},
    {"stream", "Queues of devices.", kStream, row_count<&Tables::stream, &StreamTable::name>},
};

} // namespace

std::span<const TableDef> detail::sql_timeline_tables() {
  return kTables;
}

} // namespace prof
