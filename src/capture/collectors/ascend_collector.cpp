// Ascend devices: this version finds out whether there is one and says how its data comes in (msprof output
// can be imported); it records nothing from it yet.
#include "capture/collector.hpp"

#include <dlfcn.h>

namespace prof {
namespace {

std::vector<SignalState> probe(const CaptureRequest& request) {
  std::error_code ignored;
  const bool is_device = std::filesystem::exists("/dev/davinci0", ignored);
  void* library = ::dlopen("libascendcl.so", RTLD_LAZY | RTLD_LOCAL);
  const bool is_library = library != nullptr;
  if (library != nullptr) ::dlclose(library);
  (void)request;
  std::vector<SignalState> states;
  for (const char* name : {"device_util", "kernels"}) {
    SignalState state{.name = name, .is_available = false};
    if (is_device) {
      state.reason = "signal.reason.ascend_not_recorded";
      state.mend = "signal.mend.ascend_import";
      state.detail = is_library ? "/dev/davinci0 and libascendcl.so found"
                                : "/dev/davinci0 found, libascendcl.so is not";
    } else {
      state.reason = "signal.reason.no_ascend_device";
      state.mend = "signal.mend.ascend_device";
      state.detail = is_library ? "libascendcl.so found, /dev/davinci0 is missing"
                                : "no /dev/davinci0, no libascendcl.so";
    }
    states.push_back(std::move(state));
  }
  return states;
}

class Ascend final : public Collector {
public:
  Status start(TraceSink&) override { return {}; }
  void poll(TraceSink&) override {}
  void stop(TraceSink&) override {}
  void on_processes(std::span<const std::int64_t>, TraceSink&) override {}
};

std::unique_ptr<Collector> create(const CaptureRequest&) {
  return std::make_unique<Ascend>();
}

} // namespace

extern const CollectorInfo ascend_collector;
const CollectorInfo ascend_collector{.name = "ascend",
                                     .description = "capture.collector.ascend",
                                     .layer = Layer::device,
                                     .probe = probe,
                                     .create = create};

} // namespace prof
