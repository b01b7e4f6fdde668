// Tables of what lies on the timeline: owners, tracks, slices, flows, counters, kernels.
#include "store/sql_tables.hpp"

#include <array>
#include <bit>

namespace prof {
namespace {

using D = SqlData;
using R = std::uint32_t;
using I = std::int64_t;
using K = ColumnKind;

I row_id(D&, R row) {
  return row;
}
// -0.0 has the bits of kSqlNull; adding zero makes it 0.0.
I real(double value) {
  return std::bit_cast<I>(value + 0.0);
}
std::string_view device_kind(I number) {
  static constexpr std::array<std::string_view, 4> kWords{"cpu", "gpu", "npu", "other"};
  return kWords.at(static_cast<std::size_t>(number));
}
std::string_view track_kind(I number) {
  static constexpr std::array<std::string_view, 4> kWords{"thread", "async", "stream", "other"};
  return kWords.at(static_cast<std::size_t>(number));
}
std::string_view layer(I number) {
  static constexpr std::array<std::string_view, 6> kWords{"application", "framework", "runtime",
                                                          "device",      "os",        "hardware"};
  return kWords.at(static_cast<std::size_t>(number));
}
std::string_view kernel_kind(I number) {
  static constexpr std::array<std::string_view, 3> kWords{"compute", "communication", "memory"};
  return kWords.at(static_cast<std::size_t>(number));
}

constexpr ColumnDef kProcess[] = {
    {"id", K::integer, "row number", row_id},
    {"pid", K::integer, "process id of the operating system",
     [](D& d, R r) -> I { return d.t().process.pid[r]; }},
    {"name", K::text, "name", [](D& d, R r) -> I { return d.t().process.name[r].row; }},
    {"cmdline", K::text, "command line", [](D& d, R r) -> I { return d.t().process.cmdline[r].row; }},
};
constexpr ColumnDef kThread[] = {
    {"id", K::integer, "row number", row_id},
    {"tid", K::integer, "thread id of the operating system",
     [](D& d, R r) -> I { return d.t().thread.tid[r]; }},
    {"process_id", K::id, "process.id; NULL where only the scheduler saw the thread",
     [](D& d, R r) -> I { return d.t().thread.process[r]; }},
    {"name", K::text, "name", [](D& d, R r) -> I { return d.t().thread.name[r].row; }},
};
constexpr ColumnDef kDevice[] = {
    {"id", K::integer, "row number", row_id},
    {"name", K::text, "name", [](D& d, R r) -> I { return d.t().device.name[r].row; }},
    {"kind", K::word, "cpu, gpu, npu or other",
     [](D& d, R r) -> I { return static_cast<I>(d.t().device.kind[r]); }, device_kind},
    {"idx", K::integer, "number among the devices of its kind",
     [](D& d, R r) -> I { return d.t().device.index[r]; }},
};
constexpr ColumnDef kStream[] = {
    {"id", K::integer, "row number", row_id},
    {"device_id", K::id, "device.id", [](D& d, R r) -> I { return d.t().stream.device[r]; }},
    {"number", K::integer, "number on its device", [](D& d, R r) -> I { return d.t().stream.number[r]; }},
    {"name", K::text, "name", [](D& d, R r) -> I { return d.t().stream.name[r].row; }},
};
constexpr ColumnDef kTrack[] = {
    {"id", K::integer, "row number", row_id},
    {"name", K::text, "name", [](D& d, R r) -> I { return d.t().track.name[r].row; }},
    {"kind", K::word, "thread, async, stream or other",
     [](D& d, R r) -> I { return static_cast<I>(d.t().track.kind[r]); }, track_kind},
    {"thread_id", K::id, "thread.id of a thread's track",
     [](D& d, R r) -> I { return d.t().track.thread[r]; }},
    {"process_id", K::id, "process.id (of the thread, or of an async track's owner)",
     [](D& d, R r) -> I { return d.t().track.process[r]; }},
    {"stream_id", K::id, "stream.id of a device stream's track",
     [](D& d, R r) -> I { return d.t().track.stream[r]; }},
    {"parent_id", K::id, "track.id of the track that this one belongs under",
     [](D& d, R r) -> I { return d.t().track.parent[r]; }},
};
constexpr ColumnDef kSlice[] = {
    {"id", K::integer, "row number; a parent's is smaller than its children's", row_id},
    {"ts", K::integer, "start, ns on the trace clock", [](D& d, R r) -> I { return d.t().slice.ts[r]; }},
    {"dur", K::integer, "length, ns; 0 = an instant", [](D& d, R r) -> I { return d.t().slice.dur[r]; }},
    {"track_id", K::id, "track.id", [](D& d, R r) -> I { return d.t().slice.track[r]; }},
    {"depth", K::integer, "0 = outermost on its track", [](D& d, R r) -> I { return d.t().slice.depth[r]; }},
    {"parent_id", K::id, "slice.id of the slice around it on its track",
     [](D& d, R r) -> I { return d.t().slice.parent[r]; }},
    {"name", K::text, "name", [](D& d, R r) -> I { return d.t().slice.name[r].row; }},
    {"category", K::text, "request, stage, run, op, lock, span, mark, or a producer's own word",
     [](D& d, R r) -> I { return d.t().slice.category[r].row; }},
    {"layer", K::word, "application, framework, runtime, device, os or hardware",
     [](D& d, R r) -> I { return static_cast<I>(d.t().slice.layer[r]); }, layer},
    {"arg_set_id", K::id, "args.arg_set_id; NULL = no arguments",
     [](D& d, R r) -> I { return d.t().slice.arg_set[r]; }},
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
    {"key", K::text, "name; may stand more than once in a set",
     [](D& d, R r) -> I { return d.t().arg.key[r].row; }},
    {"int_value", K::integer, "value of integers and of booleans (0, 1)",
     [](D& d, R r) -> I {
       if (const auto* i = std::get_if<std::int64_t>(&d.t().arg.value[r])) return *i;
       if (const auto* b = std::get_if<bool>(&d.t().arg.value[r])) return *b ? 1 : 0;
       return kSqlNull;
     }},
    {"double_value", K::real, "value of real numbers",
     [](D& d, R r) -> I {
       const auto* x = std::get_if<double>(&d.t().arg.value[r]);
       return x == nullptr ? kSqlNull : real(*x);
     }},
    {"string_value", K::text, "value of texts",
     [](D& d, R r) -> I {
       const auto* s = std::get_if<StrId>(&d.t().arg.value[r]);
       return s == nullptr ? kSqlNull : s->row;
     }},
};
constexpr ColumnDef kFlow[] = {
    {"id", K::integer, "row number", row_id},
    {"slice_out", K::id, "slice.id of the cause", [](D& d, R r) -> I { return d.t().flow.slice_out[r]; }},
    {"slice_in", K::id, "slice.id of the effect; NULL when it is a kernel",
     [](D& d, R r) -> I { return d.t().flow.slice_in[r]; }},
    {"kernel_in", K::id, "kernel.id of the effect; NULL when it is a slice",
     [](D& d, R r) -> I { return d.t().flow.kernel_in[r]; }},
};
constexpr ColumnDef kCounterTrack[] = {
    {"id", K::integer, "row number", row_id},
    {"name", K::text, "what is counted: rss, cpu_util, queue_depth ...",
     [](D& d, R r) -> I { return d.t().counter_track.name[r].row; }},
    {"unit", K::text, "bytes, percent, count, ns, 1/s, MHz, celsius, watt",
     [](D& d, R r) -> I { return d.t().counter_track.unit[r].row; }},
    {"cpu", K::optional, "number of the CPU that it belongs to",
     [](D& d, R r) -> I { return d.t().counter_track.cpu[r]; }},
    {"thread_id", K::id, "thread.id", [](D& d, R r) -> I { return d.t().counter_track.thread[r]; }},
    {"process_id", K::id, "process.id", [](D& d, R r) -> I { return d.t().counter_track.process[r]; }},
    {"device_id", K::id, "device.id", [](D& d, R r) -> I { return d.t().counter_track.device[r]; }},
};
constexpr ColumnDef kCounter[] = {
    {"id", K::integer, "row number", row_id},
    {"ts", K::integer, "when, ns", [](D& d, R r) -> I { return d.t().counter.ts[r]; }},
    {"track_id", K::id, "counter_track.id", [](D& d, R r) -> I { return d.t().counter.track[r]; }},
    {"value", K::real, "value in the unit of its track",
     [](D& d, R r) -> I { return real(d.t().counter.value[r]); }},
};
I device_of_kernel(D& d, R r) {
  return d.t().stream.device[d.t().kernel.stream[r]];
}
constexpr ColumnDef kKernel[] = {
    {"id", K::integer, "row number", row_id},
    {"ts", K::integer, "start, ns", [](D& d, R r) -> I { return d.t().kernel.ts[r]; }},
    {"dur", K::integer, "length, ns", [](D& d, R r) -> I { return d.t().kernel.dur[r]; }},
    {"name", K::text, "name", [](D& d, R r) -> I { return d.t().kernel.name[r].row; }},
    {"op_type", K::text, "operator type", [](D& d, R r) -> I { return d.t().kernel.op_type[r].row; }},
    {"kind", K::word, "compute, communication or memory",
     [](D& d, R r) -> I { return static_cast<I>(d.t().kernel.kind[r]); }, kernel_kind},
    {"device", K::integer, "number of its device (device.idx)",
     [](D& d, R r) -> I {
       const I device = device_of_kernel(d, r);
       return device == kNoRow ? kSqlNull : d.t().device.index[static_cast<R>(device)];
     }},
    {"stream", K::integer, "number of its stream (stream.number)",
     [](D& d, R r) -> I { return d.t().stream.number[d.t().kernel.stream[r]]; }},
    {"op_id", K::id, "op.id of the operator that launched it",
     [](D& d, R r) -> I { return d.op_around(d.t().kernel.launch[r]); }},
    {"launch_id", K::id, "slice.id of the launch", [](D& d, R r) -> I { return d.t().kernel.launch[r]; }},
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
    {"stream_id", K::id, "stream.id", [](D& d, R r) -> I { return d.t().kernel.stream[r]; }},
    {"arg_set_id", K::id, "args.arg_set_id", [](D& d, R r) -> I { return d.t().kernel.arg_set[r]; }},
};
constexpr ColumnDef kDeviceTime[] = {
    {"device", K::integer, "number of the device (device.idx)",
     [](D& d, R r) -> I { return d.t().device.index[d.device_time()[r].device]; }},
    {"window_ns", K::integer, "first start to last end of its kernels and copies, ns",
     [](D& d, R r) -> I { return d.device_time()[r].window; }},
    {"compute_ns", K::integer, "union of its compute kernels, ns",
     [](D& d, R r) -> I { return d.device_time()[r].compute; }},
    {"communication_ns", K::integer, "union of its communication kernels, ns",
     [](D& d, R r) -> I { return d.device_time()[r].communication; }},
    {"memory_ns", K::integer, "union of its copies, ns",
     [](D& d, R r) -> I { return d.device_time()[r].memory; }},
    {"overlap_ns", K::integer, "compute and communication at once, ns",
     [](D& d, R r) -> I { return d.device_time()[r].overlap; }},
    {"exposed_communication_ns", K::integer, "communication without compute and copies, ns",
     [](D& d, R r) -> I { return d.device_time()[r].exposed_communication; }},
    {"busy_ns", K::integer, "union of everything it ran, ns",
     [](D& d, R r) -> I { return d.device_time()[r].busy; }},
    {"idle_ns", K::integer, "window without busy, ns",
     [](D& d, R r) -> I { return d.device_time()[r].idle; }},
    {"device_id", K::id, "device.id", [](D& d, R r) -> I { return d.device_time()[r].device; }},
};

constexpr TableDef kTables[] = {
    {"slice", "Intervals on tracks, sorted by track, then start.", kSlice,
     [](D& d) { return d.t().slice.ts.size(); }, true, false, 3, 1},
    {"args", "Named values of slices and kernels.", kArgs, [](D& d) { return d.t().arg.key.size(); }, false,
     false, 0, -1},
    {"flow", "What caused what: a slice led to a slice or to a kernel.", kFlow,
     [](D& d) { return d.t().flow.slice_out.size(); }},
    {"kernel", "What device streams ran.", kKernel, [](D& d) { return d.t().kernel.ts.size(); }, true, false,
     16, 1},
    {"device_time", "What each device did with its time; lengths of unions, never sums.", kDeviceTime,
     [](D& d) { return d.device_time().size(); }, false, true},
    {"counter", "Numbers over time.", kCounter, [](D& d) { return d.t().counter.ts.size(); }, true, false, 2,
     1},
    {"counter_track", "What the counters count.", kCounterTrack,
     [](D& d) { return d.t().counter_track.name.size(); }},
    {"track", "Lanes of the timeline.", kTrack, [](D& d) { return d.t().track.name.size(); }},
    {"process", "Processes.", kProcess, [](D& d) { return d.t().process.pid.size(); }},
    {"thread", "Threads.", kThread, [](D& d) { return d.t().thread.tid.size(); }},
    {"device", "Accelerators and CPUs.", kDevice, [](D& d) { return d.t().device.name.size(); }},
    {"stream", "Queues of devices.", kStream, [](D& d) { return d.t().stream.name.size(); }},
};

} // namespace

std::span<const TableDef> detail::sql_timeline_tables() {
  return kTables;
}

} // namespace prof
