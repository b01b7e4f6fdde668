// device_scene.hpp: a host thread that launches kernels on devices, written by hand; times in microseconds.
#pragma once
#include "trace_builder.hpp"

namespace prof {

class DeviceScene {
public:
  TraceBuilder t;
  TraceBuilder::Worker host = t.thread(7, 70, "host");
  Id<Stream> stream = t.stream(0, 1);

  static std::int64_t ns(std::int64_t us) { return us * 1000; }

  // A launch call [from, to) on `who`; the kernel that it launched is named by the number returned.
  std::uint64_t launch(std::int64_t from, std::int64_t to, const TraceBuilder::Worker& who) {
    TraceBuilder::SliceOptions options;
    options.flows_out = {++flow_};
    options.layer = Layer::runtime;
    t.slice("LaunchKernel", "runtime", who.track, ns(from), ns(to), options);
    return flow_;
  }
  std::uint64_t launch(std::int64_t from, std::int64_t to) { return launch(from, to, host); }
  DeviceScene& kernel(std::int64_t from, std::int64_t to, std::uint64_t launched = 0,
                      KernelKind kind = KernelKind::compute, std::string_view name = "MatMul") {
    t.kernel(stream, name, kind, ns(from), ns(to), launched);
    return *this;
  }
  // A kernel of the device whose number is `device`.
  DeviceScene& kernel_on(std::int64_t device, std::int64_t from, std::int64_t to, KernelKind kind) {
    t.kernel(t.stream(device, 1), "k", kind, ns(from), ns(to), 0);
    return *this;
  }
  // A kernel of which the profiler says on which core it ran.
  DeviceScene& kernel_of_core(std::int64_t from, std::int64_t to, std::string_view core,
                              std::string_view type) {
    const Arg arg{t.text("core"), t.text(core)};
    t.sink().kernel({.stream = stream,
                     .ts = Ts{ns(from)},
                     .dur = Dur{ns(to - from)},
                     .name = t.text(type),
                     .op_type = t.text(type),
                     .kind = KernelKind::compute,
                     .correlation = 0,
                     .flow_in = 0,
                     .bytes = 0,
                     .args = {&arg, 1}});
    return *this;
  }
  // A call of the runtime, or anything else that the host thread was in.
  DeviceScene& call(std::string_view name, std::int64_t from, std::int64_t to, Layer layer = Layer::runtime) {
    TraceBuilder::SliceOptions options;
    options.layer = layer;
    t.slice(name, "runtime", host.track, ns(from), ns(to), options);
    return *this;
  }

private:
  std::uint64_t flow_ = 0;
};

} // namespace prof
