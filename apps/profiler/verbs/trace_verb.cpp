// profiler trace: records a service, a program or the machine into a trace file.
#include "base/format_units.hpp"
#include "capture/session.hpp"
#include "common/flags.hpp"
#include "profiler/flight.hpp"
#include "profiler/stop_signals.hpp"
#include "profiler/trace_output.hpp"
#include "profiler/trace_plan.hpp"
#include "profiler/trace_report.hpp"
#include "profiler/verbs.hpp"
#include "tracefile/writer.hpp"

#include <memory>
#include <utility>

namespace prof {
namespace {

void connect(const Context& context, TracePlan& plan, std::unique_ptr<Progress>& progress) {
  const auto wanted = plan.metrics;
  plan.options.judge_metrics = [wanted](const std::vector<SignalState>& signals) {
    return judge_metrics(wanted, signals);
  };
  plan.options.on_started = [&context, &plan]() -> Status {
    if (plan.program) PROF_CHECK(plan.program->go());
    return {};
  };
  plan.options.on_recording = [&context, &plan] {
    keep_at_crash(plan.output.string());
    tell_started(context, plan);
  };
  look_for_restarts(context, plan, [&progress] { progress.reset(); });
  const auto is_asked = [seen = std::make_shared<int>(0)] { // of both: each signal ends one thing
    const int count = stop_signals().count;
    return std::exchange(*seen, count) != count;
  };
  plan.options.should_stop = plan.options.skip_naming = is_asked;
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

Exit conclude(Context& context, const TracePlan& plan, const CaptureReport& report,
              const WriterStats& stats) {
  const std::string path = plan.output.string();
  const Lang lang = context.lang;
  if (report.end == CaptureEnd::write_error && report.write_error) {
    if (report.write_error->code == Errc::interrupted) { // a pipe keeps nothing
      tell(context, terminal_safe(say(lang, "trace.reader_gone", fmt::arg("path", path),
                                      fmt::arg("time", format_dur(report.recorded))),
                                  false));
      return Exit::interrupted;
    }
    const bool is_kept = report.stats.bytes > 0;
    tell(context,
         terminal_safe(say(lang, is_kept ? "trace.write_failed" : "trace.write_nothing",
                           fmt::arg("path", path), fmt::arg("what", said_in(*report.write_error, lang)),
                           fmt::arg("time", format_dur(report.kept)),
                           fmt::arg("size", format_bytes({report.stats.bytes}))),
                       false));
    return Exit::input;
  }
  tell_end(context, plan, report);
  const bool is_empty = stats.events == 0;
  const std::vector<SignalState> missing = missing_of(report, is_empty);
  if (is_empty) tell(context, text(lang, "trace.nothing_recorded"));
  tell_unavailable(context, missing);
  const double per_event =
      stats.events > 0 ? static_cast<double>(stats.bytes) / static_cast<double>(stats.events) : 0;
  tell(context,
       terminal_safe(say(lang, "trace.done", fmt::arg("path", path),
                         fmt::arg("time", format_dur(report.recorded)), fmt::arg("target", plan.target_name),
                         fmt::arg("events", stats.events), fmt::arg("size", format_bytes({stats.bytes})),
                         fmt::arg("per_event", format_number(per_event))),
                     false));
  tell_cost(context, report);
  tell_losses(context, plan, report, is_empty);
  context.facts["events"] = std::to_string(stats.events);
  context.facts["bytes"] = std::to_string(stats.bytes);
  context.facts["duration_ns"] = std::to_string(report.recorded.ns);
  context.facts["lost"] = std::to_string(report.lost);
  return (is_empty || !missing.empty()) && context.is_strict ? Exit::partial : Exit::ok;
}

Exit run_trace(Context& context, const TraceFlags& flags) {
  catch_stop_signals();
  auto made = make_trace_plan(context, flags);
  if (!made) return fail(context, made.error());
  TracePlan& plan = *made;
  if (plan.keeps_earlier)
    if (const Status kept = keep_earlier(context, plan.output); !kept) return fail(context, kept.error());
  if (plan.flight) return run_flight(context, plan);
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
    writer.abandon();
    return fail(context, report.error());
  }
  end_program(context, plan);
  if (const auto ended = context.facts.find("program_ended"); ended != context.facts.end())
    writer.metadata("program.ended", ended->second);
  if (const Status finished = writer.finish(); !finished && !report->write_error) {
    report->write_error = finished.error();
    report->end = CaptureEnd::write_error;
  }
  if (plan.output != "-" && report->stats.bytes > 0) context.outputs.push_back(plan.output);
  return exit_of(plan, conclude(context, plan, *report, writer.stats()));
}

std::function<Exit()> declare(CLI::App& app, Context& context) {
  const auto flags = std::make_shared<TraceFlags>(); // with the function returned below
  const auto help = [&](std::string_view id) { return std::string(text(context.lang, id)); };
  app.add_option("--target", flags->target, help("trace.opt.target"));
  app.add_option("--scope", flags->scope, help("trace.opt.scope"));
  app.add_option("--metrics", flags->metrics, help("trace.opt.metrics"));
  app.add_option("--sampling_rate", flags->sampling_rate, help("trace.opt.sampling_rate"));
  const CLI::Option* duration = app.add_option("--duration", flags->duration, help("trace.opt.duration"));
  app.add_flag("--whole_machine", flags->is_whole_machine, help("trace.opt.whole_machine"));
  app.add_flag("--pass_exit_status", flags->passes_exit_status, help("trace.opt.pass_exit_status"));
  const CLI::Option* output = app.add_option("--output", flags->output, help("trace.opt.output"));
  app.add_option("--cpu_hz", flags->cpu_hz, help("trace.opt.cpu_hz"))->check(in_range(context, 1, 10'000));
  app.add_option("--wait", flags->wait, help("trace.opt.wait"));
  app.add_option("--time_range", flags->time_range, help("trace.opt.time_range"));
  app.add_option("--trigger", flags->trigger, help("trace.opt.trigger"));
  app.add_option("--before", flags->before, help("trace.opt.before"));
  app.add_option("--after", flags->after, help("trace.opt.after"));
  const CLI::Option* most =
      app.add_option("--max_captures", flags->max_captures, help("trace.opt.max_captures"))
          ->check(in_range(context, 1, 100'000));
  app.add_option("--cooldown", flags->cooldown, help("trace.opt.cooldown"));
  app.add_option("--window", flags->window, help("trace.opt.window"));
  app.add_option("--ring_size", flags->ring_size, help("trace.opt.ring_size"));
  return [&context, flags, duration, most, output] {
    flags->has_output = output->count() > 0;
    flags->has_duration = duration->count() > 0; // given and empty is not left out
    flags->has_max_captures = most->count() > 0;
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
