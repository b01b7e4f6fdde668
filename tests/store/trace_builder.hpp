// trace_builder.hpp: writes a small trace by hand, for tests of everything that reads a store.
//
//   TraceBuilder t;
//   auto worker = t.thread(7, 70, "worker");
//   t.request(1, 0, 1000);                                  // request 1, [0, 1000) ns
//   t.stage("denoise", worker, 100, 900, {1});              // on the worker's track
//   t.wait("queue", "queue_wait", 0, 100, {1});             // on an async track
//   t.op("Conv", worker, 100, 400);
//   t.runs(worker, 0, {{100, 500}, {600, 900}});            // sched_switch events: on CPU 0 there, asleep
//   between Store store = t.seal();
#pragma once
#include "store/store.hpp"
#include "trace/conventions.hpp"

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace prof {

class TraceBuilder {
public:
  struct Worker {
    Id<Thread> thread;
    Id<Track> track;
    std::int64_t tid = 0;
  };
  struct SliceOptions {
    std::vector<std::pair<std::string, std::int64_t>> numbers;
    std::vector<std::pair<std::string, std::string>> texts;
    std::vector<std::uint64_t> flows_out, flows_in;
    Layer layer = Layer::application;
  };

  StoreBuilder& sink() { return builder_; }
  StrId text(std::string_view value) { return builder_.intern(value); }

  Worker thread(std::int64_t pid, std::int64_t tid, std::string_view name) {
    const Id<Process> process = builder_.process({.pid = pid, .name = text("service"), .cmdline = {}});
    const Id<Thread> thread = builder_.thread({.process = process, .tid = tid, .name = text(name)});
    const Id<Track> track = builder_.track({.name = text(name),
                                            .kind = TrackKind::thread,
                                            .thread = thread,
                                            .process = {},
                                            .stream = {},
                                            .parent = {}});
    return {thread, track, tid};
  }
  // A new async track of a process: two calls give two lanes.
  Id<Track> lane(std::int64_t pid, std::string_view name) {
    const Id<Process> process = builder_.process({.pid = pid, .name = text("service"), .cmdline = {}});
    return builder_.track({.name = text(name),
                           .kind = TrackKind::async,
                           .thread = {},
                           .process = process,
                           .stream = {},
                           .parent = {}});
  }
  TraceBuilder& slice(std::string_view name, std::string_view category, Id<Track> track, std::int64_t from,
                      std::int64_t to, const SliceOptions& options) {
    std::vector<Arg> args;
    for (const auto& [key, value] : options.numbers)
      args.push_back({text(key), value});
    for (const auto& [key, value] : options.texts)
      args.push_back({text(key), text(value)});
    builder_.slice({.track = track,
                    .ts = Ts{from},
                    .dur = Dur{to - from},
                    .name = text(name),
                    .category = text(category),
                    .layer = options.layer,
                    .args = args,
                    .flows_out = options.flows_out,
                    .flows_in = options.flows_in});
    return *this;
  }
  TraceBuilder& slice(std::string_view name, std::string_view category, Id<Track> track, std::int64_t from,
                      std::int64_t to) {
    return slice(name, category, track, from, to, SliceOptions{});
  }
  // A request on an async track of process 7.
  TraceBuilder& request(std::int64_t id, std::int64_t from, std::int64_t to, std::string_view status = "ok",
                        std::string_view name = "poster") {
    SliceOptions options;
    options.numbers.emplace_back(std::string(words::kArgRequestId), id);
    options.texts.emplace_back(std::string(words::kArgStatus), std::string(status));
    return slice(name, words::kRequest, lane(7, "requests"), from, to, options);
  }
  TraceBuilder& stage(std::string_view name, const Worker& worker, std::int64_t from, std::int64_t to,
                      std::initializer_list<std::int64_t> requests) {
    return slice(name, words::kStage, worker.track, from, to, ids(requests));
  }
  TraceBuilder& wait(std::string_view name, std::string_view wait_class, std::int64_t from, std::int64_t to,
                     std::initializer_list<std::int64_t> requests) {
    SliceOptions options = ids(requests);
    if (!wait_class.empty())
      options.texts.emplace_back(std::string(words::kArgWaitClass), std::string(wait_class));
    return slice(name, words::kStage, lane(7, name), from, to, options);
  }
  TraceBuilder& op(std::string_view type, const Worker& worker, std::int64_t from, std::int64_t to,
                   std::string_view name = "/node") {
    SliceOptions options;
    options.texts = {{std::string(words::kArgOpType), std::string(type)},
                     {std::string(words::kArgModel), "unet"}};
    options.layer = Layer::framework;
    return slice(name, words::kOp, worker.track, from, to, options);
  }
  TraceBuilder& switch_to(std::int64_t ts, std::int32_t cpu, std::int64_t prev_tid, char prev_state,
                          std::int64_t next_tid) {
    builder_.sched_switch({.ts = Ts{ts},
                           .cpu = cpu,
                           .prev_tid = prev_tid,
                           .prev_state = prev_state,
                           .next_tid = next_tid,
                           .next_prio = 120,
                           .next_comm = {}});
    return *this;
  }
  TraceBuilder& wake(std::int64_t ts, std::int64_t tid, std::int64_t waker_tid = 0) {
    builder_.sched_wakeup({.ts = Ts{ts}, .cpu = 0, .tid = tid, .waker_tid = waker_tid, .target_cpu = 0});
    return *this;
  }
  // The worker alone on a CPU during these intervals; between them it is in `state_between` and the CPU is
  // idle.
  TraceBuilder& runs(const Worker& worker, std::int32_t cpu,
                     std::initializer_list<std::pair<std::int64_t, std::int64_t>> on_cpu,
                     char state_between = 'S') {
    for (const auto& [from, to] : on_cpu) {
      switch_to(from, cpu, 0, 'R', worker.tid);
      switch_to(to, cpu, worker.tid, state_between, 0);
    }
    return *this;
  }
  // A sample whose stack is these functions, outermost first; a name ending in "_[k]" is a kernel frame.
  TraceBuilder& sample(const Worker& worker, std::int64_t ts, std::string_view event,
                       std::initializer_list<std::string_view> functions, std::int64_t weight = 1) {
    std::vector<Id<Frame>> frames;
    for (std::string_view function : functions) {
      const bool is_kernel = function.ends_with("_[k]");
      if (is_kernel) function.remove_suffix(4);
      frames.push_back(builder_.frame({.function = text(function),
                                       .mapping = {},
                                       .rel_pc = 0,
                                       .source_file = {},
                                       .line = 0,
                                       .kind = is_kernel ? FrameKind::kernel : FrameKind::native}));
    }
    builder_.sample({.ts = Ts{ts},
                     .thread = worker.thread,
                     .cpu = 0,
                     .callstack = builder_.callstack({frames}),
                     .event = text(event),
                     .weight = weight});
    return *this;
  }
  Id<Stream> stream(std::int64_t device_index, std::int64_t number, DeviceKind kind = DeviceKind::npu) {
    const Id<Device> device = builder_.device({.name = text("device"), .kind = kind, .index = device_index});
    return builder_.stream({.device = device, .number = number, .name = {}});
  }
  TraceBuilder& kernel(Id<Stream> stream, std::string_view name, KernelKind kind, std::int64_t from,
                       std::int64_t to, std::uint64_t flow_in = 0) {
    builder_.kernel({.stream = stream,
                     .ts = Ts{from},
                     .dur = Dur{to - from},
                     .name = text(name),
                     .op_type = text(name),
                     .kind = kind,
                     .correlation = 0,
                     .flow_in = flow_in,
                     .bytes = 0,
                     .args = {}});
    return *this;
  }
  TraceBuilder& counter(std::string_view name, std::string_view unit,
                        std::initializer_list<std::pair<std::int64_t, double>> values) {
    const Id<CounterTrack> track = builder_.counter_track(
        {.name = text(name), .unit = text(unit), .cpu = -1, .thread = {}, .process = {}, .device = {}});
    for (const auto& [ts, value] : values)
      builder_.counter(track, Ts{ts}, value);
    return *this;
  }
  Store seal() { return builder_.seal(); }

private:
  static SliceOptions ids(std::initializer_list<std::int64_t> requests) {
    SliceOptions options;
    for (const std::int64_t id : requests)
      options.numbers.emplace_back(std::string(words::kArgRequestId), id);
    return options;
  }
  StoreBuilder builder_;
};

} // namespace prof
