// profiler trace: records a service, a program or the machine into a trace file.
#include "base/clock.hpp"
#include "capture/launch.hpp"
#include "capture/sdk_ring.hpp"
#include "capture/session.hpp"
#include "capture/time_range.hpp"
#include "common/flags.hpp"
#include "common/version.hpp"
#include "profiler/profiler_config.hpp"
#include "profiler/trace_options.hpp"
#include "profiler/verbs.hpp"
#include "tracefile/writer.hpp"

#include <array>
#include <cmath>
#include <csignal>
#include <fstream>
#include <memory>
#include <sys/utsname.h>
#include <sys/wait.h>

namespace prof {
namespace {

struct TraceFlags {
  std::string target, scope = "full_stack", metrics, sampling_rate = "100%", duration, output = "trace.pb",
                      wait, time_range;
  std::string trigger, before, after, max_captures, cooldown;
  int cpu_hz = 199;
  bool has_duration = false;
};

// --- being told to stop
// ---------------------------------------------------------------------------------------------
volatile std::sig_atomic_t g_stops = 0;     // how often
volatile std::sig_atomic_t g_last_stop = 0; // which signal
volatile std::sig_atomic_t g_is_from_terminal = 0;

void on_stop(int number, siginfo_t* info, void*) {
  g_stops = g_stops + 1;
  g_last_stop = number;
  g_is_from_terminal = info != nullptr && info->si_code == SI_KERNEL;
}

void on_nothing(int) {}

bool is_ignored(int number) {
  struct sigaction action{};
  return ::sigaction(number, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

void catch_stop_signals() {
  struct sigaction action{};
  action.sa_sigaction = on_stop;
  action.sa_flags = SA_SIGINFO; // no SA_RESTART: sleeps end at once
  for (const int number : {SIGINT, SIGTERM, SIGHUP})
    if (number != SIGHUP || !is_ignored(number)) ::sigaction(number, &action, nullptr); // nohup means it
  // A closed pipe and a file at its size limit are errors of write(), not the end of us. A handler and not
  // SIG_IGN: a program that we launch would inherit that.
  struct sigaction nothing{};
  nothing.sa_handler = on_nothing;
  nothing.sa_flags = SA_RESTART;
  for (const int number : {SIGPIPE, SIGXFSZ})
    if (!is_ignored(number)) ::sigaction(number, &nothing, nullptr);
}

// Sleeps until `seconds` are over; false when a signal ended it.
bool sleep_for(std::int64_t ns) {
  timespec left{.tv_sec = static_cast<time_t>(ns / 1'000'000'000),
                .tv_nsec = static_cast<long>(ns % 1'000'000'000)};
  while (g_stops == 0 && ::clock_nanosleep(CLOCK_MONOTONIC, 0, &left, &left) == EINTR) {
  }
  return g_stops == 0;
}

// --- what was asked for
// ---------------------------------------------------------------------------------------------
struct Plan {
  CaptureOptions options;
  std::vector<WantedMetric> metrics;
  std::string target_name; // for people
  std::string target_spec; // as the user named it
  TargetKind kind = TargetKind::process;
  std::filesystem::path output;
  std::unique_ptr<LaunchedProgram> program;
};

Status check_output(const Context& context, const std::filesystem::path& path) {
  const auto suffix = path.extension().string();
  if (path == "-" || suffix == ".pb" || suffix == ".pftrace" || suffix == ".perfetto-trace") return {};
  return Error{
      Errc::bad_argument, say(context.lang, "trace.bad_suffix", fmt::arg("path", path.string())), {}};
}

// Waits for the window if it must, and gives the time that is left of it.
Result<std::int64_t> wait_for_range(const Context& context, const std::string& name,
                                    const ProfilerConfig& config) {
  const auto named = config.time_ranges.find(name);
  std::string text = named != config.time_ranges.end() ? named->second : std::string(predefined_range(name));
  if (text.empty()) text = name;
  const auto range = parse_time_range(text);
  if (!range)
    return Error{Errc::bad_argument, say(context.lang, "trace.bad_range", fmt::arg("text", name)), {}};
  for (;;) {
    PROF_TRY(const std::int64_t second, second_of_day(range->zone, clock_ns(CLOCK_REALTIME) / 1'000'000'000));
    const WindowPlace place = place_in_window(*range, second);
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

Status choose_target(const Context& context, const TraceFlags& flags, const ProfilerConfig& config,
                     Plan& plan) {
  CaptureRequest& request = plan.options.request;
  if (!context.trailing.empty()) {
    if (!flags.target.empty())
      return Error{Errc::bad_argument, std::string(text(context.lang, "trace.both_targets")), {}};
    PROF_CHECK(check_program(context.trailing.front()));
    const std::string shim = find_beside_program("libprof_ort.so");
    if (shim.empty()) tell(context, text(context.lang, "trace.no_shim"));
    PROF_TRY(LaunchedProgram program,
             LaunchedProgram::prepare(context.trailing, shim, record_settings(request)));
    plan.program = std::make_unique<LaunchedProgram>(std::move(program));
    plan.target_name = std::filesystem::path(context.trailing.front()).filename().string();
    request.pids = {plan.program->pid()};
    return {};
  }
  const std::string spec = flags.target.empty() ? config.target : flags.target;
  if (spec.empty()) {
    request.is_whole_machine = true;
    plan.target_name = text(context.lang, "trace.whole_machine");
    return {};
  }
  std::int64_t wait_ns = 0;
  if (!flags.wait.empty()) {
    PROF_TRY(wait_ns, parse_duration(flags.wait));
  }
  PROF_TRY(TargetService service, await_target(context, spec, wait_ns));
  PROF_CHECK(check_may_watch(context, service.pids));
  request.pids = service.pids;
  plan.target_spec = spec;
  plan.target_name = service.name;
  plan.kind = service.kind;
  return {};
}

std::string cpu_model() {
  std::ifstream cpuinfo("/proc/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line);)
    if (line.starts_with("model name")) return line.substr(std::min(line.find(':') + 2, line.size()));
  return {};
}

void describe(const Context& context, const TraceFlags& flags, Plan& plan) {
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

Result<Plan> make_plan(const Context& context, const TraceFlags& flags) {
  Plan plan;
  if (!flags.trigger.empty() || !flags.before.empty() || !flags.after.empty() ||
      !flags.max_captures.empty() || !flags.cooldown.empty())
    return Error{Errc::bad_argument, std::string(text(context.lang, "trace.trigger_missing")), {}};
  plan.output = flags.output;
  PROF_CHECK(check_output(context, plan.output));
  CaptureRequest& request = plan.options.request;
  PROF_CHECK(parse_scope(context, flags.scope, request.layers));
  PROF_TRY(request.sampling_rate, parse_rate(context, flags.sampling_rate));
  PROF_TRY(plan.metrics, parse_metrics(context, flags.metrics));
  for (const WantedMetric& metric : plan.metrics) {
    request.metrics.push_back(metric.id);
    request.metrics.insert(request.metrics.end(), metric.needs.begin(), metric.needs.end());
  }
  request.cpu_hz = flags.cpu_hz;
  if (flags.has_duration) {
    PROF_TRY(plan.options.duration.ns, parse_duration(flags.duration));
    if (plan.options.duration.ns <= 0)
      return Error{
          Errc::bad_argument, say(context.lang, "trace.bad_duration", fmt::arg("text", flags.duration)), {}};
  }
  PROF_TRY(const ProfilerConfig config, read_profiler_config(context));
  if (!flags.time_range.empty()) {
    PROF_TRY(const std::int64_t left_ns, wait_for_range(context, flags.time_range, config));
    plan.options.duration.ns =
        plan.options.duration.ns > 0 ? std::min(plan.options.duration.ns, left_ns) : left_ns;
  }
  PROF_CHECK(choose_target(context, flags, config, plan));
  describe(context, flags, plan);
  return plan;
}

// --- the recording
// ----------------------------------------------------------------------------------------------------
void tell_started(const Context& context, const Plan& plan) {
  const CaptureRequest& request = plan.options.request;
  tell(context,
       terminal_safe(say(context.lang, request.is_whole_machine ? "trace.started_machine" : "trace.started",
                         fmt::arg("target", plan.target_name), fmt::arg("processes", request.pids.size()),
                         fmt::arg("path", plan.output.string())),
                     false));
}

// The processes that bear the target's name now. SDK names are a look at one small folder; all others are a
// walk through /proc, which is made only while the target is gone.
std::vector<std::int64_t> find_again(const Plan& plan, bool is_gone) {
  std::vector<std::int64_t> pids;
  if (plan.kind == TargetKind::sdk) {
    for (const SdkService& service : list_sdk_services())
      if (service.name == plan.target_spec) pids.push_back(service.pid);
  } else if (is_gone) {
    for (const TargetService& service : find_target(plan.target_spec, {.self = ::getpid()}))
      if (service.kind == plan.kind) pids.insert(pids.end(), service.pids.begin(), service.pids.end());
  }
  return pids;
}

void connect(const Context& context, Plan& plan, std::unique_ptr<Progress>& progress) {
  const auto wanted = plan.metrics;
  plan.options.judge_metrics = [wanted](const std::vector<SignalState>& signals) {
    return judge_metrics(wanted, signals);
  };
  plan.options.on_started = [&context, &plan]() -> Status {
    if (plan.program) PROF_CHECK(plan.program->go());
    tell_started(context, plan);
    return {};
  };
  if (!plan.program && !plan.options.request.is_whole_machine && plan.kind != TargetKind::pid)
    plan.options.rediscover = [&plan](bool is_gone) { return find_again(plan, is_gone); };
  plan.options.should_stop = [seen = std::sig_atomic_t{0}]() mutable {
    return std::exchange(seen, g_stops) != g_stops;
  };
  plan.options.on_progress = [&context, &progress, &plan,
                              phase = CapturePhase::recording](const CaptureProgress& now) mutable {
    if (!progress || now.phase != phase)
      progress = std::make_unique<Progress>(
          context,
          now.phase == CapturePhase::naming
              ? std::string(text(context.lang, "trace.naming"))
              : terminal_safe(say(context.lang, "trace.recording", fmt::arg("target", plan.target_name)),
                              false));
    phase = now.phase;
    progress->update(now.done, now.all, now.phase == CapturePhase::naming ? "" : "s");
  };
}

// The program we started is ours to end: it gets the signal that ended us, or SIGTERM, and ten seconds.
void end_program(const Context& context, Plan& plan) {
  if (!plan.program) return;
  if (!plan.program->poll_exit()) {
    const int number = g_stops > 0 ? static_cast<int>(g_last_stop) : SIGTERM;
    if (g_stops == 0 || g_is_from_terminal == 0)
      plan.program->send(number); // a terminal's Ctrl-C has reached it already
    for (int i = 0; i < 200 && !plan.program->poll_exit(); ++i) {
      timespec pause{.tv_sec = 0, .tv_nsec = 50'000'000};
      ::clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, nullptr);
    }
  }
  if (const auto status = plan.program->poll_exit())
    tell(context, say(context.lang, "trace.program_ended", fmt::arg("program", plan.target_name),
                      fmt::arg("how", describe_exit(*status))));
}

// Metrics that were asked for and cannot be had, and signals that only a right, a limit or another profiler
// keeps from us. Where nothing at all was recorded: everything that is missing.
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

// One line a reason, with all the names that it holds for.
void tell_unavailable(const Context& context, const std::vector<SignalState>& missing) {
  std::vector<SignalState> reasons;
  for (const SignalState& state : missing) {
    const auto same = std::ranges::find_if(reasons, [&](const SignalState& known) {
      return known.reason == state.reason && known.detail == state.detail;
    });
    if (same == reasons.end())
      reasons.push_back(state);
    else
      same->name += ", " + state.name;
  }
  for (const SignalState& state : reasons) {
    tell(context, terminal_safe(say(context.lang, "trace.unavailable", fmt::arg("metric", state.name),
                                    fmt::arg("reason", text(context.lang, state.reason)),
                                    fmt::arg("detail", state.detail)),
                                false));
    tell(context, say(context.lang, "trace.mend", fmt::arg("mend", text(context.lang, state.mend))));
  }
}

void tell_end(const Context& context, const Plan& plan, const CaptureReport& report) {
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

Exit conclude(Context& context, const Plan& plan, const CaptureReport& report, const WriterStats& stats) {
  const std::string path = plan.output.string();
  const Lang lang = context.lang;
  if (report.end == CaptureEnd::write_error && report.write_error) {
    const Error& error = *report.write_error;
    tell(context, terminal_safe(say(lang, "trace.write_failed", fmt::arg("path", path),
                                    fmt::arg("what", error.what), fmt::arg("time", format_dur(report.kept)),
                                    fmt::arg("size", format_bytes({stats.bytes}))),
                                false));
    return Exit::input;
  }
  tell_end(context, plan, report);
  const bool is_empty = stats.events == 0;
  const std::vector<SignalState> missing = missing_of(report, is_empty);
  if (is_empty) tell(context, text(lang, "trace.nothing_recorded"));
  tell_unavailable(context, missing);
  const double seconds = std::max(static_cast<double>(report.recorded.ns) / 1e9, 1e-9);
  const double per_event =
      stats.events > 0 ? static_cast<double>(stats.bytes) / static_cast<double>(stats.events) : 0;
  tell(context,
       terminal_safe(say(lang, "trace.done", fmt::arg("path", path),
                         fmt::arg("time", format_dur(report.recorded)), fmt::arg("target", plan.target_name),
                         fmt::arg("events", stats.events), fmt::arg("size", format_bytes({stats.bytes})),
                         fmt::arg("per_event", format_number(per_event))),
                     false));
  tell(context,
       say(lang, "trace.cost",
           fmt::arg("cpu", format_number(100 * static_cast<double>(report.own_cpu_ns) / 1e9 / seconds)),
           fmt::arg("memory", format_bytes({report.own_peak_rss_bytes})),
           fmt::arg("rate", format_bytes({std::llround(static_cast<double>(stats.bytes) / seconds)}))));
  if (report.lost > 0)
    tell(context, say(lang, "trace.lost", fmt::arg("n", report.lost), fmt::arg("path", path)));
  else if (!is_empty)
    tell(context, text(lang, "trace.nothing_lost"));
  context.facts["events"] = std::to_string(stats.events);
  context.facts["bytes"] = std::to_string(stats.bytes);
  context.facts["duration_ns"] = std::to_string(report.recorded.ns);
  context.facts["lost"] = std::to_string(report.lost);
  return (is_empty || !missing.empty()) && context.is_strict ? Exit::partial : Exit::ok;
}

Exit run_trace(Context& context, const TraceFlags& flags) {
  catch_stop_signals();
  auto made = make_plan(context, flags);
  if (!made) return fail(context, made.error());
  Plan& plan = *made;
  const std::filesystem::path file = plan.output == "-" ? "/dev/stdout" : plan.output;
  auto created = TraceFileWriter::create(file);
  if (!created) return fail(context, created.error());
  TraceFileWriter& writer = **created;
  std::unique_ptr<Progress> progress;
  connect(context, plan, progress);
  auto report = run_capture(
      plan.options,
      {.sink = writer, .flush = [&] { return writer.flush(); }, .stats = [&] { return writer.stats(); }});
  progress.reset();
  if (!report) { // the program could not be started: there is nothing to keep
    std::error_code ignored;
    if (plan.output != "-") std::filesystem::remove(file, ignored);
    return fail(context, report.error());
  }
  if (const Status finished = writer.finish(); !finished && !report->write_error) {
    report->write_error = finished.error();
    report->end = CaptureEnd::write_error;
  }
  end_program(context, plan);
  if (plan.output != "-") context.outputs.push_back(plan.output);
  return conclude(context, plan, *report, writer.stats());
}

std::function<Exit()> declare(CLI::App& app, Context& context) {
  const auto flags = std::make_shared<TraceFlags>(); // with the function returned below
  const auto help = [&](std::string_view id) { return std::string(text(context.lang, id)); };
  app.add_option("--target", flags->target, help("trace.opt.target"));
  app.add_option("--scope", flags->scope, help("trace.opt.scope"));
  app.add_option("--metrics", flags->metrics, help("trace.opt.metrics"));
  app.add_option("--sampling_rate", flags->sampling_rate, help("trace.opt.sampling_rate"));
  const CLI::Option* duration = app.add_option("--duration", flags->duration, help("trace.opt.duration"));
  app.add_option("--output", flags->output, help("trace.opt.output"));
  app.add_option("--cpu_hz", flags->cpu_hz, help("trace.opt.cpu_hz"))->check(in_range(context, 1, 10'000));
  app.add_option("--wait", flags->wait, help("trace.opt.wait"));
  app.add_option("--time_range", flags->time_range, help("trace.opt.time_range"));
  app.add_option("--trigger", flags->trigger, help("trace.opt.trigger"));
  app.add_option("--before", flags->before, help("trace.opt.trigger"));
  app.add_option("--after", flags->after, help("trace.opt.trigger"));
  app.add_option("--max_captures", flags->max_captures, help("trace.opt.trigger"));
  app.add_option("--cooldown", flags->cooldown, help("trace.opt.trigger"));
  return [&context, flags, duration] {
    flags->has_duration = duration->count() > 0; // given and empty is not left out
    return run_trace(context, *flags);
  };
}

} // namespace

extern const Verb trace_verb;
const Verb trace_verb{
    .name = "trace",
    .summary = "trace.summary",
    .example =
        "profiler trace --target poetry_poster_service --scope full_stack --duration 30s --output trace.pb",
    .declare = declare,
    .takes_command = true};

} // namespace prof
