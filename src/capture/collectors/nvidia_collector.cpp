// NVIDIA devices through NVML, loaded at run time: utilisation, memory, power, temperature, clock rate, a few
// times a second. Kernels and copies (CUPTI) are not recorded by this version.
#include "capture/collector.hpp"
#include "capture/counters.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

namespace prof {
namespace {

using namespace literals;

constexpr Dur kPause = 100_ms;

// The few calls of NVML's stable C interface that are used here (nvml.h is not needed to build).
struct NvmlUtilisation {
  unsigned gpu, memory;
};
struct NvmlMemory {
  unsigned long long total, free, used;
};
class Nvml {
public:
  Nvml() {
    handle_ = ::dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (handle_ == nullptr) {
      problem_ = "libnvidia-ml.so.1 is not installed";
      return;
    }
    load(init_, "nvmlInit_v2");
    load(shutdown_, "nvmlShutdown");
    load(count_, "nvmlDeviceGetCount_v2");
    load(by_index_, "nvmlDeviceGetHandleByIndex_v2");
    load(name_, "nvmlDeviceGetName");
    load(utilisation_, "nvmlDeviceGetUtilizationRates");
    load(memory_, "nvmlDeviceGetMemoryInfo");
    load(power_, "nvmlDeviceGetPowerUsage");
    load(temperature_, "nvmlDeviceGetTemperature");
    load(clock_, "nvmlDeviceGetClockInfo");
    if (init_ == nullptr || count_ == nullptr || by_index_ == nullptr) {
      problem_ = "libnvidia-ml.so.1 lacks the calls needed";
      return;
    }
    if (const int code = init_(); code != 0) {
      problem_ = fmt::format("nvmlInit_v2 answers {}: no driver", code);
      return;
    }
    is_started_ = true;
    unsigned count = 0;
    if (count_(&count) != 0 || count == 0) problem_ = "no NVIDIA device";
    for (unsigned i = 0; i < count; ++i)
      if (void* device = nullptr; by_index_(i, &device) == 0) devices_.push_back(device);
  }
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;
  ~Nvml() {
    if (is_started_ && shutdown_ != nullptr) shutdown_();
    if (handle_ != nullptr) ::dlclose(handle_);
  }

  [[nodiscard]] const std::vector<void*>& devices() const { return devices_; }
  [[nodiscard]] const std::string& problem() const { return problem_; }
  [[nodiscard]] std::string name(void* device) const {
    char text[96] = {};
    if (name_ == nullptr || name_(device, text, sizeof text - 1) != 0) return "NVIDIA device";
    return text;
  }
  [[nodiscard]] std::optional<NvmlUtilisation> utilisation(void* device) const {
    return ask<NvmlUtilisation>(utilisation_, device);
  }
  [[nodiscard]] std::optional<NvmlMemory> memory(void* device) const {
    return ask<NvmlMemory>(memory_, device);
  }
  [[nodiscard]] std::optional<unsigned> milliwatts(void* device) const {
    return ask<unsigned>(power_, device);
  }
  [[nodiscard]] std::optional<unsigned> celsius(void* device) const {
    unsigned value = 0;
    return temperature_ != nullptr && temperature_(device, 0, &value) == 0 ? std::optional(value)
                                                                           : std::nullopt;
  }
  [[nodiscard]] std::optional<unsigned> sm_mhz(void* device) const {
    constexpr int kSm = 1;
    unsigned value = 0;
    return clock_ != nullptr && clock_(device, kSm, &value) == 0 ? std::optional(value) : std::nullopt;
  }

private:
  template <class F>
  void load(F*& function, const char* symbol) {
    function = reinterpret_cast<F*>(::dlsym(handle_, symbol));
  }
  template <class T>
  static std::optional<T> ask(int (*function)(void*, T*), void* device) {
    T value{};
    return function != nullptr && function(device, &value) == 0 ? std::optional(value) : std::nullopt;
  }

  void* handle_ = nullptr;
  int (*init_)() = nullptr;
  int (*shutdown_)() = nullptr;
  int (*count_)(unsigned*) = nullptr;
  int (*by_index_)(unsigned, void**) = nullptr;
  int (*name_)(void*, char*, unsigned) = nullptr;
  int (*utilisation_)(void*, NvmlUtilisation*) = nullptr;
  int (*memory_)(void*, NvmlMemory*) = nullptr;
  int (*power_)(void*, unsigned*) = nullptr;
  int (*temperature_)(void*, int, unsigned*) = nullptr;
  int (*clock_)(void*, int, unsigned*) = nullptr;
  bool is_started_ = false;
  std::vector<void*> devices_;
  std::string problem_;
};

std::vector<SignalState> probe(const CaptureRequest&) {
  const Nvml nvml;
  std::vector<SignalState> states;
  for (const char* name : {"device_util", "device_memory", "power", "temperature"}) {
    SignalState state{.name = name, .is_available = !nvml.devices().empty()};
    if (!state.is_available) {
      state.reason = "signal.reason.no_nvidia_device";
      state.mend = "signal.mend.nvidia_device";
      state.detail = nvml.problem();
    }
    states.push_back(std::move(state));
  }
  states.push_back({.name = "kernels",
                    .is_available = false,
                    .reason = nvml.devices().empty() ? "signal.reason.no_nvidia_device"
                                                     : "signal.reason.no_kernel_records",
                    .mend = "signal.mend.kernel_records", // with a device and without one
                    .detail = nvml.problem()});
  return states;
}

class Nvidia final : public Collector {
public:
  Status start(TraceSink& sink) override {
    for (std::size_t i = 0; i < nvml_.devices().size(); ++i)
      ids_.push_back(sink.device({.name = sink.intern(nvml_.name(nvml_.devices()[i])),
                                  .kind = DeviceKind::gpu,
                                  .index = static_cast<std::int64_t>(i)}));
    poll(sink);
    return {};
  }
  void poll(TraceSink& sink) override {
    const Ts now = now_monotonic();
    if (!pace_.is_due(now)) return;
    for (std::size_t i = 0; i < ids_.size(); ++i) {
      void* device = nvml_.devices()[i];
      const CounterOwner owner{.device = ids_[i]};
      if (const auto use = nvml_.utilisation(device)) {
        counters_.set(sink, "device_util", "percent", owner, now, use->gpu);
        counters_.set(sink, "device_memory_util", "percent", owner, now, use->memory);
      }
      if (const auto memory = nvml_.memory(device))
        counters_.set(sink, "device_memory", "bytes", owner, now, static_cast<double>(memory->used));
      if (const auto power = nvml_.milliwatts(device))
        counters_.set(sink, "power", "watt", owner, now, *power / 1000.0);
      if (const auto heat = nvml_.celsius(device))
        counters_.set(sink, "temperature", "celsius", owner, now, *heat);
      if (const auto clock = nvml_.sm_mhz(device))
        counters_.set(sink, "frequency", "MHz", owner, now, *clock);
    }
  }
  void stop(TraceSink& sink) override { counters_.finish(sink); }
  void on_processes(std::span<const std::int64_t>, TraceSink&) override {}

private:
  Nvml nvml_;
  std::vector<Id<Device>> ids_;
  CounterSet counters_;
  Pace pace_{kPause};
};

std::unique_ptr<Collector> create(const CaptureRequest&) {
  return std::make_unique<Nvidia>();
}

} // namespace

extern const CollectorInfo nvidia_collector;
const CollectorInfo nvidia_collector{.name = "nvidia",
                                     .description = "capture.collector.nvidia",
                                     .layer = Layer::device,
                                     .probe = probe,
                                     .create = create};

} // namespace prof
