#include "profiler/trace_report.hpp"

#include "base/format_units.hpp"
#include "capture/sdk_services.hpp"
#include "profiler/stop_signals.hpp"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <ctime>

namespace prof {

namespace {

// Whose rings a recording of the whole machine takes.
void tell_services(const Context& context) {
  constexpr std::size_t kMostNames = 8;
  const auto services = list_sdk_services();
  std::string names;
  for (std::size_t i = 0; i < std::min(services.size(), kMostNames); ++i)
    names += fmt::format("{}{} (pid {})", names.empty() ? "" : ", ", services[i].name, services[i].pid);
  if (services.size() > kMostNames) names += " ...";
  if (!names.empty())
    tell(context, terminal_safe(say(context.lang, "trace.started_services", fmt::arg("n", services.size()),
                                    fmt::arg("names", names)),
                                false));
}

} // namespace

void tell_started(const Context& context, const TracePlan& plan) {
  const CaptureRequest& request = plan.options.request;
  tell(context,
       terminal_safe(say(context.lang, request.is_whole_machine ? "trace.started_machine" : "trace.started",
                         fmt::arg("target", plan.target_name), fmt::arg("processes", request.pids.size()),
                         fmt::arg("path", plan.output.string())),
                     false));
  if (request.is_whole_machine) tell_services(context);
}

void end_program(Context& context, TracePlan& plan) {
  if (!plan.program) return;
  if (!plan.program->poll_exit()) {
    const StopSignals stops = stop_signals();
    const int number = stops.count > 0 ? stops.last : SIGTERM;
    if (stops.count == 0 || !stops.is_from_terminal)
      plan.program->send(number); // a terminal's Ctrl-C has reached it already
    constexpr int kAtOnce = 4;    // most programs need no word
    for (int i = 0; i < 200 && stop_signals().count == stops.count && !plan.program->poll_exit(); ++i) {
      if (i == kAtOnce)
        tell(context, say(context.lang, "trace.waiting_program", fmt::arg("pid", plan.program->pid())));
      timespec pause{.tv_sec = 0, .tv_nsec = 50'000'000};
      ::clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, nullptr);
    }
  }
  const auto status = plan.program->poll_exit();
  if (!status) {
    tell(context, say(context.lang, "trace.program_runs", fmt::arg("pid", plan.program->pid())));
    return;
  }
  context.facts["program_ended"] = describe_exit(*status, Lang::en); // of the trace: in one language
  tell(context, say(context.lang, "trace.program_ended", fmt::arg("program", plan.target_name),
                    fmt::arg("how", describe_exit(*status, context.lang))));
}

Exit exit_of(const TracePlan& plan, Exit own) {
  if (!plan.passes_exit_status || own != Exit::ok) return own;
  const auto status = plan.program->poll_exit();
  return status ? Exit{shell_status(*status)} : Exit::partial;
}

std::vector<SignalState> missing_of(const CaptureReport& report, bool is_empty) {
  std::vector<SignalState> missing;
  for (const SignalState& metric : report.metrics)
    if (!metric.is_available) missing.push_back(metric);
  for (const SignalState& signal : report.signals) {
    const bool is_known = std::ranges::find(missing, signal.name, &SignalState::name) != missing.end();
    const bool is_out = signal.is_available || signal.reason == "signal.reason.not_in_scope";
    if (!is_known && !is_out && (is_empty || is_refused(signal))) missing.push_back(signal);
  }
  return missing;
}

void tell_unavailable(const Context& context, const std::vector<SignalState>& missing) {
  for (const SignalState& state : by_reason(missing)) {
    tell(context, terminal_safe(say(context.lang, "trace.unavailable", fmt::arg("metric", state.name),
                                    fmt::arg("reason", text(context.lang, state.reason)),
                                    fmt::arg("detail", state.detail)),
                                false));
    tell(context, say(context.lang, "trace.mend", fmt::arg("mend", text(context.lang, state.mend))));
  }
}

void tell_losses(const Context& context, const TracePlan& plan, const CaptureReport& report, bool is_empty) {
  constexpr std::size_t kMostLines = 10;
  const Lang lang = context.lang;
  for (std::size_t i = 0; i < std::min(report.unread.size(), kMostLines); ++i) {
    const Unread& unread = report.unread[i];
    const bool has_own = lang == Lang::zh && !unread.zh.empty();
    tell(context, terminal_safe(say(lang, "trace.not_read", fmt::arg("what", text(lang, unread.code)),
                                    fmt::arg("where", has_own ? unread.zh : unread.where)),
                                false));
  }
  if (report.unread.size() > kMostLines)
    tell(context, say(lang, "trace.not_read_more", fmt::arg("n", report.unread.size() - kMostLines),
                      fmt::arg("path", plan.output.string())));
  if (report.lost > 0)
    tell(context,
         say(lang, "trace.lost", fmt::arg("n", report.lost), fmt::arg("path", plan.output.string())));
  else if (!is_empty)
    tell(context, text(lang, report.unread.empty() ? "trace.nothing_lost" : "trace.nothing_else_lost"));
}

void tell_end(const Context& context, const TracePlan& plan, const CaptureReport& report) {
  const Lang lang = context.lang;
  if (report.end == CaptureEnd::target_ended && !plan.program)
    tell(context, say(lang, "trace.target_ended",
                      fmt::arg("time", format_dur(report.ended.ns > 0 ? report.ended : report.recorded))));
  if (report.restarts > 0)
    tell(context, say(lang, "trace.restarted", fmt::arg("n", report.restarts),
                      fmt::arg("time", format_dur(report.absent))));
  if (report.end == CaptureEnd::asked)
    tell(context, say(lang, "trace.stopped", fmt::arg("time", format_dur(report.recorded))));
}

void tell_cost(const Context& context, const CaptureReport& report) {
  const double seconds = std::max(static_cast<double>(report.recorded.ns) / 1e9, 1e-9);
  tell(
      context,
      say(context.lang, "trace.cost",
          fmt::arg("cpu", format_number(100 * static_cast<double>(report.own_cpu_ns) / 1e9 / seconds)),
          fmt::arg("memory", format_bytes({report.own_peak_rss_bytes})),
          fmt::arg("rate", format_bytes({std::llround(static_cast<double>(report.stats.bytes) / seconds)}))));
}

} // namespace prof
