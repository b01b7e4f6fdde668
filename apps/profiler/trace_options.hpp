// trace_options.hpp: what the flags of 'profiler trace' and 'profiler doctor' mean.
#pragma once
#include "base/format_units.hpp"
#include "capture/collector.hpp"
#include "capture/procfs.hpp"
#include "capture/target.hpp"
#include "common/cli.hpp"
#include "metrics/metrics.hpp"

#include <algorithm>
#include <charconv>
#include <fcntl.h>
#include <unistd.h>

namespace prof {

// Fills `layers` from "full_stack", "hardware_only" or a list. Error: bad_argument with the nearest word.
[[nodiscard]] inline Status parse_scope(const Context& context, std::string_view scope,
                                        std::vector<Layer>& layers) {
  static constexpr std::pair<std::string_view, Layer> kLayers[] = {{"application", Layer::application},
                                                                   {"framework", Layer::framework},
                                                                   {"runtime", Layer::runtime},
                                                                   {"device", Layer::device},
                                                                   {"os", Layer::os},
                                                                   {"hardware", Layer::hardware}};
  std::vector<std::string> known{"full_stack", "hardware_only"};
  for (const auto& [name, layer] : kLayers)
    known.emplace_back(name);
  const auto words = split_list(scope);
  for (const std::string& word : words) {
    bool is_known = false;
    for (const auto& [name, layer] : kLayers)
      if (word == name || word == "full_stack" ||
          (word == "hardware_only" && (layer == Layer::device || layer == Layer::hardware))) {
        layers.push_back(layer);
        is_known = true;
      }
    if (is_known) continue;
    const std::string near = nearest(word, known);
    return Error{Errc::bad_argument,
                 near.empty() ? say(context.lang, "trace.bad_scope", fmt::arg("word", word))
                              : say(context.lang, "trace.bad_scope_near", fmt::arg("word", word),
                                    fmt::arg("near", near)),
                 {}};
  }
  if (words.empty())
    return Error{Errc::bad_argument, say(context.lang, "trace.bad_scope", fmt::arg("word", "")), {}};
  return {};
}

// "100%", "5 %", "0.05" -> 0..1.
[[nodiscard]] inline Result<double> parse_rate(const Context& context, std::string_view text) {
  double value = 0;
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), value);
  std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  while (unit.starts_with(' '))
    unit.remove_prefix(1);
  if (unit == "%") value /= 100;
  if (ec == std::errc{} && (unit.empty() || unit == "%") && value > 0 && value <= 1) return value;
  return Error{Errc::bad_argument, say(context.lang, "trace.bad_rate", fmt::arg("text", text)), {}};
}

struct WantedMetric {
  std::string id;
  std::vector<std::string> needs; // signals
};
// The metrics of --metrics with the signals behind them. Error: bad_argument with the nearest id.
[[nodiscard]] inline Result<std::vector<WantedMetric>> parse_metrics(const Context& context,
                                                                     std::string_view list) {
  std::vector<WantedMetric> wanted;
  const auto ids = split_list(list);
  if (ids.empty()) return wanted;
  PROF_TRY(const auto catalogue, load_metric_catalogue());
  std::vector<std::string> known;
  for (const MetricDef& metric : catalogue)
    known.push_back(metric.id);
  for (const std::string& id : ids) {
    const auto found = std::ranges::find(catalogue, id, &MetricDef::id);
    if (found != catalogue.end()) {
      wanted.push_back({.id = id, .needs = found->needs});
      continue;
    }
    const std::string near = nearest(id, known);
    return Error{Errc::bad_argument,
                 near.empty() ? say(context.lang, "trace.bad_metric", fmt::arg("word", id))
                              : say(context.lang, "trace.bad_metric_near", fmt::arg("word", id),
                                    fmt::arg("near", near)),
                 {}};
  }
  return wanted;
}

// Whether each wanted metric can be had, given the state of every signal.
[[nodiscard]] inline std::vector<SignalState> judge_metrics(const std::vector<WantedMetric>& wanted,
                                                            const std::vector<SignalState>& signals) {
  std::vector<SignalState> states;
  for (const WantedMetric& metric : wanted) {
    SignalState state{.name = metric.id, .is_available = true};
    std::vector<std::string> needs = metric.needs;
    needs.push_back(metric.id); // a signal of the metric's own name says it best
    for (const std::string& need : needs) {
      const auto signal = std::ranges::find(signals, need, &SignalState::name);
      if (signal == signals.end()) {
        if (need == metric.id) continue;
        state.is_available = false;
        state.reason = "signal.reason.no_source";
        state.mend = "signal.mend.import";
        state.detail = need;
        continue;
      }
      if (signal->is_available) continue;
      state = *signal;
      state.name = metric.id;
    }
    states.push_back(std::move(state));
  }
  return states;
}

// Tells of services of that name that cannot be had from here.
inline void tell_elsewhere(const Context& context, const std::string& spec) {
  const auto others = std::ranges::count(list_sdk_services_elsewhere(), spec, &SdkService::name);
  if (others > 0) tell(context, say(context.lang, "trace.elsewhere", fmt::arg("n", others)));
}

// The one service that `spec` names. Errors: not_found with the nearest names; bad_argument after listing
// several.
[[nodiscard]] inline Result<TargetService> resolve_target(const Context& context, const std::string& spec) {
  const TargetWorld world{.sdk_services = list_sdk_services(), .self = ::getpid()};
  auto services = find_target(spec, world);
  if (services.size() == 1) return std::move(services.front());
  if (services.empty()) {
    const std::string near = nearest_names(spec, known_target_names(world), 3);
    return Error{Errc::not_found,
                 near.empty()
                     ? say(context.lang, "trace.none", fmt::arg("target", spec))
                     : say(context.lang, "trace.none_near", fmt::arg("target", spec), fmt::arg("near", near)),
                 {}};
  }
  for (const TargetService& service : services)
    tell(context, terminal_safe(fmt::format("  pid:{:<8} {}  {}", service.pids.front(), service.name,
                                            service.cmdline.substr(0, 120)),
                                false));
  return Error{Errc::bad_argument,
               say(context.lang, "trace.several", fmt::arg("n", services.size()), fmt::arg("target", spec)),
               {}};
}

// The kernel's records bear the machine's clock, and what a process says of itself that of its time
// namespace: one trace cannot hold both.
[[nodiscard]] inline Status check_clock_of(const Context& context, const std::string& pid) {
  if (monotonic_offset_ns("/proc", pid) == 0) return {};
  return Error{Errc::unsupported, std::string(text(context.lang, "trace.time_namespace")), {}};
}

// Another user's process can be seen, but not recorded.
[[nodiscard]] inline Status check_may_watch(const Context& context, const std::vector<std::int64_t>& pids) {
  for (const std::int64_t pid : pids) {
    const int fd = ::open(fmt::format("/proc/{}/maps", pid).c_str(), O_RDONLY | O_CLOEXEC);
    const bool is_refused = fd < 0 && (errno == EACCES || errno == EPERM);
    if (fd >= 0) ::close(fd);
    if (is_refused)
      return error_said(Errc::permission, refusal_of("/proc", pid, ::geteuid()), {}, fmt::arg("pid", pid));
    PROF_CHECK(check_clock_of(context, std::to_string(pid)));
  }
  return {};
}

} // namespace prof
