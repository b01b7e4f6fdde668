// Network traffic of the target's network namespace: bytes and packets in and out, without the loopback
// device.
#include "capture/collector.hpp"
#include "capture/counters.hpp"
#include "capture/procfs.hpp"
#include "capture/shared.hpp"

#include <cstdio>

namespace prof {
namespace {

using namespace literals;

constexpr Dur kPause = 500_ms;

std::filesystem::path table_of(const CaptureRequest& request, std::int64_t pid) {
  return request.proc_root / (pid > 0 ? std::to_string(pid) : "self") / "net/dev";
}

std::vector<SignalState> probe(const CaptureRequest& request) {
  SignalState state{.name = "network", .is_available = true};
  if (!read_virtual_file(table_of(request, request.pids.empty() ? 0 : request.pids.front())))
    state = {.name = "network",
             .is_available = false,
             .reason = "signal.reason.no_net_dev",
             .mend = "signal.mend.net_dev",
             .detail = "/proc/PID/net/dev cannot be read"};
  return {state};
}

class Network final : public Collector {
public:
  explicit Network(const CaptureRequest& request) : request_(request), shared_(request.shared) {}
  Status start(TraceSink& sink) override {
    poll(sink);
    return {};
  }
  void poll(TraceSink& sink) override {
    const Ts now = now_monotonic();
    if (pace_.is_due(now)) read(sink, now);
  }
  void stop(TraceSink& sink) override {
    read(sink, now_monotonic());
    counters_.finish(sink);
  }
  void on_processes(std::span<const std::int64_t>, TraceSink&) override {}

private:
  void read(TraceSink& sink, Ts now) {
    const std::int64_t pid = shared_->first_alive();
    if (pid == 0 && !shared_->is_whole_machine()) return; // our own network is not theirs
    const std::string table = read_virtual_file(table_of(request_, pid)).value_or("");
    double received = 0, sent = 0;
    bool is_any = false;
    std::string_view rest = table;
    while (!rest.empty()) {
      const auto line_end = std::min(rest.find('\n'), rest.size());
      const std::string line(rest.substr(0, line_end));
      rest.remove_prefix(std::min(line_end + 1, rest.size()));
      const auto colon = line.find(':');
      if (colon == std::string::npos || line.substr(0, colon).ends_with(" lo") || line.starts_with("lo:"))
        continue;
      long long in = 0, out = 0;
      if (std::sscanf(line.c_str() + colon + 1, "%lld %*d %*d %*d %*d %*d %*d %*d %lld", &in, &out) != 2)
        continue;
      received += static_cast<double>(in);
      sent += static_cast<double>(out);
      is_any = true;
    }
    if (!is_any) return;
    counters_.set(sink, "network_received", "bytes", {}, now, received);
    counters_.set(sink, "network_sent", "bytes", {}, now, sent);
  }

  CaptureRequest request_;
  std::shared_ptr<CaptureShared> shared_; // with the session and the other collectors
  CounterSet counters_;
  Pace pace_{kPause};
};

std::unique_ptr<Collector> create(const CaptureRequest& request) {
  return std::make_unique<Network>(request);
}

} // namespace

extern const CollectorInfo network_collector;
const CollectorInfo network_collector{.name = "network",
                                      .description = "capture.collector.network",
                                      .layer = Layer::os,
                                      .probe = probe,
                                      .create = create};

} // namespace prof
