// profiler doctor: what this machine can record, what is missing and how to get it.
#include "capture/session.hpp"
#include "common/flags.hpp"
#include "profiler/trace_options.hpp"
#include "profiler/verbs.hpp"

#include <memory>
#include <nlohmann/json.hpp>

namespace prof {
namespace {

struct DoctorFlags {
  std::string format = "text", target;
};

void print_text(const Context& context, const CaptureRequest& request) {
  std::vector<SignalState> all;
  for (const CollectorInfo* info : all_collectors()) {
    print(context, "{} ({})\n", text(context.lang, info->description), info->name);
    for (const SignalState& state : info->probe(request)) {
      const std::string_view mark = text(context.lang, state.is_available ? "doctor.yes" : "doctor.no");
      if (state.is_available) {
        print(context, "  {} {}{}\n", mark, state.name,
              state.detail.empty() ? "" : " (" + terminal_safe(state.detail, false) + ")");
      } else {
        print(context, "  {} {}: {}\n", mark, state.name, text(context.lang, state.reason));
        print(context, "     {}\n",
              say(context.lang, "trace.mend", fmt::arg("mend", text(context.lang, state.mend))));
        if (!state.detail.empty())
          print(context, "       {}\n",
                say(context.lang, "doctor.detail", fmt::arg("detail", terminal_safe(state.detail, false))));
      }
      all.push_back(state);
    }
  }
  const auto merged = merge_signals(std::move(all));
  print(context, "\n{}\n",
        say(context.lang, "doctor.total",
            fmt::arg("yes", std::ranges::count_if(merged, &SignalState::is_available)),
            fmt::arg("all", merged.size())));
}

void print_json(const Context& context, const CaptureRequest& request) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const CollectorInfo* info : all_collectors())
    for (const SignalState& state : info->probe(request)) {
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
  CaptureRequest request;
  request.is_whole_machine = flags.target.empty();
  if (!flags.target.empty()) {
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
