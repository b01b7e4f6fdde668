#include "profiler/trace_plan.hpp"

#include "base/clock.hpp"
#include "capture/sdk_ring.hpp"
#include "capture/session.hpp"
#include "capture/time_range.hpp"
#include "common/version.hpp"
#include "profiler/profiler_config.hpp"
#include "profiler/stop_signals.hpp"
#include "profiler/trace_options.hpp"
#include "profiler/trace_output.hpp"

#include <fstream>
#include <sys/utsname.h>

namespace prof {
namespace {

// Hours may pass until the output is needed: what is wrong with it is said now.
Status take_output(const Context& context, bool is_needed_later, TracePlan& plan) {
  const int most = plan.flight ? plan.flight->most_captures : 1;
  const auto first = capture_path(plan.output, free_capture(plan.output, 1, most), most);
  PROF_CHECK(check_trace_output(context, first));
  if (first == "-") return {};
  if (plan.flight) PROF_CHECK(check_grows(context, first));
  if (plan.flight || is_needed_later) PROF_CHECK(check_writable(first));
  auto claim = OutputClaim::take(plan.output);
  if (!claim) return output_busy(context, plan.output);
  plan.claim = *std::move(claim);
  return {};
}

Status check_runnable(const Context& context, const std::string& program) {
  const Status found = check_program(program);
  if (found || found.error().code == Errc::io) return found;
  const bool is_there = found.error().code == Errc::permission;
  return Error{found.error().code,
               say(context.lang, is_there ? "trace.program_refused" : "trace.no_program",
                   fmt::arg("program", program)),
               {}};
}

Status check_one_target(const Context& context, const TraceFlags& flags) {
  const int named =
      (flags.target.empty() ? 0 : 1) + (context.trailing.empty() ? 0 : 1) + (flags.is_whole_machine ? 1 : 0);
  if (named > 1) return Error{Errc::bad_argument, std::string(text(context.lang, "trace.both_targets")), {}};
  if (flags.passes_exit_status && context.trailing.empty())
    return Error{Errc::bad_argument, std::string(text(context.lang, "trace.status_of_what")), {}};
  return check_clock_of(context, "self");
}

std::string named_target(const TraceFlags& flags, const ProfilerConfig& config) {
  return flags.target.empty() && !flags.is_whole_machine ? config.target : flags.target;
}

// What can be said of the target before hours are spent on waiting.
Status look_ahead(const Context& context, const TraceFlags& flags, const ProfilerConfig& config) {
  if (!context.trailing.empty()) return check_runnable(context, context.trailing.front());
  const std::string spec = named_target(flags, config);
  if (spec.empty()) return {};
  const auto services = find_target(spec, {.sdk_services = list_sdk_services(), .self = ::getpid()});
  if (services.empty())
    tell(context, terminal_safe(say(context.lang, "trace.target_later", fmt::arg("target", spec)), false));
  for (const TargetService& service : services)
    PROF_CHECK(check_may_watch(context, service.pids));
  return {};
}

// Waits for the window if it must, and gives the time that is left of it.
Result<std::int64_t> wait_for_range(const Context& context, const TraceFlags& flags,
                                    const ProfilerConfig& config) {
  const std::string& name = flags.time_range;
  const auto named = config.time_ranges.find(name);
  std::string text = named != config.time_ranges.end() ? named->second : std::string(predefined_range(name));
  if (text.empty()) text = name;
  const auto range = parse_time_range(text);
  if (!range)
    return Error{Errc::bad_argument, say(context.lang, "trace.bad_range", fmt::arg("text", name)), {}};
  for (bool is_first = true;; is_first = false) {
    const auto found = place_in_window(*range, clock_ns(CLOCK_REALTIME) / 1'000'000'000);
    if (!found)
      return Error{Errc::bad_argument, say(context.lang, "trace.range_never", fmt::arg("text", name)), {}};
    const WindowPlace place = *found;
    if (is_first && place.wait_s > 0) PROF_CHECK(look_ahead(context, flags, config));
    const std::string label = name == text ? text : name + " (" + text + ")";
    const std::int64_t shown_s = place.wait_s > 0 ? place.wait_s : place.left_s;
    tell(context, say(context.lang, place.wait_s > 0 ? "trace.waiting_range" : "trace.range_over",
                      fmt::arg("time", format_dur({shown_s * 1'000'000'000})), fmt::arg("range", label)));
    if (place.wait_s == 0) return place.left_s * 1'000'000'000;
    // In pieces: the real-time clock may be set meanwhile.
    if (!sleep_for(std::min<std::int64_t>(place.wait_s, 600) * 1'000'000'000))
      return Error{Errc::interrupted, say(context.lang, "trace.stopped", fmt::arg("time", "0 s")), {}};
  }
}

Result<TargetService> await_target(const Context& context, const std::string& spec, std::int64_t wait_ns) {
  const std::int64_t deadline = clock_ns(CLOCK_MONOTONIC) + wait_ns;
  bool is_told = false;
  for (;;) {
    auto service = resolve_target(context, spec);
    if (service || service.error().code != Errc::not_found || clock_ns(CLOCK_MONOTONIC) >= deadline)
      return service;
    if (!is_told)
      tell(context, say(context.lang, "trace.waiting", fmt::arg("target", spec),
                        fmt::arg("time", format_dur({wait_ns}))));
    is_told = true;
    if (!sleep_for(200'000'000))
      return Error{Errc::interrupted, say(context.lang, "trace.stopped", fmt::arg("time", "0 s")), {}};
  }
}

// What makes an annotated program record itself from its first instruction on: its rings fill before they are
// found.
std::vector<std::string> record_settings(const CaptureRequest& request) {
  const bool is_wanted = std::ranges::any_of(all_collectors(), [&](const CollectorInfo* info) {
    return info->name == "annotations" && is_in_scope(*info, request, info->probe(request));
  });
  if (!is_wanted) return {};
  return {"PROF_RECORD=1", fmt::format("PROF_SAMPLING={}", sampling_threshold(request.sampling_rate))};
}

// Nobody said what to record, nor for how long: what there is, and how to choose.
Error nothing_named(const Context& context) {
  constexpr std::size_t kMostLines = 30;
  const auto services = list_sdk_services();
  tell(context, text(context.lang, services.empty() ? "trace.no_services" : "trace.services"));
  for (std::size_t i = 0; i < std::min(services.size(), kMostLines); ++i)
    tell(context, terminal_safe(fmt::format("  pid:{:<8} {}", services[i].pid, services[i].name), false));
  if (services.size() > kMostLines)
    tell(context, say(context.lang, "trace.more_services", fmt::arg("n", services.size() - kMostLines)));
  return Error{Errc::bad_argument, std::string(text(context.lang, "trace.no_target")), {}};
}

// The rings of a service have one reader: who has them keeps them.
void tell_recorded_already(const Context& context, const CaptureRequest& request) {
  for (const SdkService& service : list_sdk_services()) {
    const bool is_meant =
        request.is_whole_machine || std::ranges::find(request.pids, service.pid) != request.pids.end();
    if (!is_meant || service.recorded_by == 0) continue;
    tell(context, terminal_safe(say(context.lang, "trace.recorded_already", fmt::arg("service", service.name),
                                    fmt::arg("pid", service.pid),
                                    fmt::arg("recorder", describe_recorder("/proc", service.recorded_by))),
                                false));
  }
}

Status choose_target(const Context& context, const TraceFlags& flags, const ProfilerConfig& config,
                     TracePlan& plan) {
  CaptureRequest& request = plan.options.request;
  if (!context.trailing.empty()) {
    PROF_CHECK(check_runnable(context, context.trailing.front()));
    const std::string shim = find_beside_program("libprof_ort.so");
    if (shim.empty()) tell(context, text(context.lang, "trace.no_shim"));
    PROF_TRY(LaunchedProgram program,
             LaunchedProgram::prepare(context.trailing, shim, record_settings(request)));
    plan.program = std::make_unique<LaunchedProgram>(std::move(program));
    plan.target_name = std::filesystem::path(context.trailing.front()).filename().string();
    request.pids = {plan.program->pid()};
    return {};
  }
  const std::string spec = named_target(flags, config);
  if (spec.empty()) {
    // A recording that ends by itself is taken at its word; one without any bound must be asked for.
    if (!flags.is_whole_machine && !flags.has_duration && flags.time_range.empty())
      return nothing_named(context);
    request.is_whole_machine = true;
    plan.target_name = text(context.lang, "trace.whole_machine");
    tell_recorded_already(context, request);
    return {};
  }
  std::int64_t wait_ns = 0;
  if (!flags.wait.empty()) {
    PROF_TRY(wait_ns, parse_duration(flags.wait, context.lang));
  }
  tell_elsewhere(context, spec);
  PROF_TRY(TargetService service, await_target(context, spec, wait_ns));
  PROF_CHECK(check_may_watch(context, service.pids));
  request.pids = service.pids;
  plan.target_spec = spec;
  plan.target_name = service.name;
  plan.kind = service.kind;
  tell_recorded_already(context, request);
  return {};
}

std::string cpu_model() {
  std::ifstream cpuinfo("/proc/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line);)
    if (line.starts_with("model name")) return line.substr(std::min(line.find(':') + 2, line.size()));
  return {};
}

void describe(const Context& context, const TraceFlags& flags, TracePlan& plan) {
  utsname system{};
  ::uname(&system);
  std::string command;
  for (const std::string& word : context.command_line)
    command += (command.empty() ? "" : " ") + word;
  auto& metadata = plan.options.metadata;
  metadata = {{"target", flags.target.empty() ? plan.target_name : flags.target},
              {"scope", flags.scope},
              {"sampling_rate", fmt::format("{}", plan.options.request.sampling_rate)},
              {"host", system.nodename},
              {"kernel", system.release},
              {"cpu_model", cpu_model()},
              {"cpu_count", std::to_string(::sysconf(_SC_NPROCESSORS_ONLN))},
              {"cpu_hz", std::to_string(flags.cpu_hz)},
              {"profiler_version", std::string(kVersion)},
              {"command", command}};
  if (plan.kind == TargetKind::sdk) metadata.emplace_back("service", plan.target_name);
}

} // namespace

Result<TracePlan> make_trace_plan(const Context& context, const TraceFlags& flags) {
  TracePlan plan;
  PROF_TRY(plan.flight, parse_flight(context, flags));
  plan.output = flags.output;
  plan.passes_exit_status = flags.passes_exit_status;
  plan.keeps_earlier = !flags.has_output && (!plan.flight || plan.flight->most_captures == 1);
  PROF_CHECK(check_one_target(context, flags));
  PROF_CHECK(take_output(context, !flags.time_range.empty() || !flags.wait.empty(), plan));
  CaptureRequest& request = plan.options.request;
  PROF_CHECK(parse_scope(context, flags.scope, request.layers));
  PROF_TRY(request.sampling_rate, parse_rate(context, flags.sampling_rate));
  PROF_TRY(plan.metrics, parse_metrics(context, flags.metrics));
  for (const WantedMetric& metric : plan.metrics) {
    request.metrics.push_back(metric.id);
    request.metrics.insert(request.metrics.end(), metric.needs.begin(), metric.needs.end());
  }
  if (plan.flight)
    for (const Condition& condition : plan.flight->trigger.conditions())
      for (const std::string_view name : {condition.metric->id, condition.metric->needs})
        request.metrics.emplace_back(name);
  request.cpu_hz = flags.cpu_hz;
  if (flags.has_duration) {
    PROF_TRY(plan.options.duration.ns, parse_duration(flags.duration, context.lang));
    if (plan.options.duration.ns <= 0)
      return Error{
          Errc::bad_argument, say(context.lang, "trace.bad_duration", fmt::arg("text", flags.duration)), {}};
  }
  PROF_TRY(const ProfilerConfig config, read_profiler_config(context));
  if (!flags.time_range.empty()) {
    PROF_TRY(const std::int64_t left_ns, wait_for_range(context, flags, config));
    plan.options.duration.ns =
        plan.options.duration.ns > 0 ? std::min(plan.options.duration.ns, left_ns) : left_ns;
  }
  PROF_CHECK(choose_target(context, flags, config, plan));
  describe(context, flags, plan);
  return plan;
}

std::vector<std::int64_t> find_again(const TracePlan& plan, bool is_gone) {
  std::vector<std::int64_t> pids;
  if (plan.target_spec.empty() || plan.kind == TargetKind::pid) return pids;
  if (plan.kind == TargetKind::sdk) {
    for (const SdkService& service : list_sdk_services())
      if (service.name == plan.target_spec) pids.push_back(service.pid);
  } else if (is_gone) {
    for (const TargetService& service : find_target(plan.target_spec, {.self = ::getpid()}))
      if (service.kind == plan.kind) pids.insert(pids.end(), service.pids.begin(), service.pids.end());
  }
  return pids;
}

void look_for_restarts(const Context& context, TracePlan& plan, std::function<void()> clear_line) {
  if (plan.target_spec.empty() || plan.kind == TargetKind::pid) return;
  plan.options.rediscover = [&plan](bool is_gone) { return find_again(plan, is_gone); };
  plan.options.on_joined = [&context, clear = std::move(clear_line)](std::int64_t joined, std::int64_t pid) {
    clear();
    tell(context, say(context.lang, "trace.joined", fmt::arg("joined", joined), fmt::arg("pid", pid)));
  };
}

} // namespace prof
