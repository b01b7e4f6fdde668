// profiler doctor: what this machine can record, what is missing and how to get it.
#include "capture/perf_ring.hpp"
#include "capture/signal_states.hpp"
#include "common/flags.hpp"
#include "profiler/trace_options.hpp"
#include "profiler/verbs.hpp"

#include <algorithm>
#include <fmt/ranges.h>
#include <memory>
#include <nlohmann/json.hpp>

namespace prof {
namespace {

struct DoctorFlags {
  std::string format = "text", target;
};

void print_collector(const Context& context, const CollectorInfo& info,
                     const std::vector<SignalState>& states) {
  print(context, "{} ({})\n", text(context.lang, info.description), info.name);
  for (const SignalState& state : states)
    if (state.is_available)
      print(context, "  {} {}{}\n", text(context.lang, "doctor.yes"), state.name,
            state.detail.empty() ? "" : " (" + terminal_safe(state.detail, false) + ")");
  for (const SignalState& state : by_reason(states)) {
    print(context, "  {} {}: {}\n", text(context.lang, "doctor.no"), state.name,
          text(context.lang, state.reason));
    if (!state.detail.empty())
      print(context, "       {}\n",
            say(context.lang, "doctor.detail", fmt::arg("detail", terminal_safe(state.detail, false))));
  }
}

// One machine without sensors lacks many signals for one reason: what would help is said once.
void print_mends(const Context& context, const std::vector<SignalState>& states) {
  for (const SignalMend& mend : mends_of(states))
    print(context, "{}\n       {}\n",
          say(context.lang, "trace.mend", fmt::arg("mend", text(context.lang, mend.mend))),
          say(context.lang, "doctor.gives", fmt::arg("signals", fmt::join(mend.signals, ", "))));
}

void print_text(const Context& context, const CaptureRequest& request) {
  std::vector<SignalState> all;
  for (const CollectorInfo* info : all_collectors()) {
    const auto states = probe_collector(*info, request);
    print_collector(context, *info, states);
    all.insert(all.end(), states.begin(), states.end());
  }
  const auto merged = merge_signals(all);
  print(context, "\n{}\n",
        say(context.lang, "doctor.total",
            fmt::arg("yes", std::ranges::count_if(merged, &SignalState::is_available)),
            fmt::arg("all", merged.size())));
  print_mends(context, all);
}

void print_json(const Context& context, const CaptureRequest& request) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const CollectorInfo* info : all_collectors())
    for (const SignalState& state : probe_collector(*info, request)) {
      nlohmann::ordered_json row{
          {"collector", info->name}, {"signal", state.name}, {"is_available", state.is_available}};
      if (!state.is_available) {
        row["reason"] = state.reason;
        row["mend"] = state.mend;
        row["reason_text"] = text(context.lang, state.reason);
        row["mend_text"] = text(context.lang, state.mend);
      }
      row["detail"] = state.detail;
      rows.push_back(std::move(row));
    }
  print(context, "{}\n", rows.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

Exit run_doctor(const Context& context, const DoctorFlags& flags) {
  raise_file_limit(); // as a recording does
  CaptureRequest request;
  request.is_whole_machine = flags.target.empty();
  if (!flags.target.empty()) {
    tell_elsewhere(context, flags.target);
    auto service = resolve_target(context, flags.target);
    if (!service) return fail(context, service.error());
    request.pids = service->pids;
  }
  if (flags.format == "json")
    print_json(context, request);
  else
    print_text(context, request);
  return Exit::ok;
}

std::function<Exit()> declare(CLI::App& app, Context& context) {
  const auto flags = std::make_shared<DoctorFlags>(); // with the function returned below
  app.add_option("--format", flags->format, std::string(text(context.lang, "doctor.opt.format")))
      ->check(choice(context, {"text", "json"}));
  app.add_option("--target", flags->target, std::string(text(context.lang, "doctor.opt.target")));
  return [&context, flags] { return run_doctor(context, *flags); };
}

} // namespace

extern const Verb doctor_verb;
const Verb doctor_verb{
    .name = "doctor", .summary = "doctor.summary", .example = "profiler doctor", .declare = declare};

} // namespace prof
