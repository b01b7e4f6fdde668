#include "profiler/flight.hpp"

#include "base/clock.hpp"
#include "base/format_units.hpp"
#include "capture/procfs.hpp"
#include "profiler/stop_signals.hpp"
#include "profiler/trace_report.hpp"
#include "trace/conventions.hpp"

#include <algorithm>
#include <array>
#include <malloc.h>
#include <utility>

namespace prof {
namespace {

using namespace literals;

constexpr Dur kMemoryPause = 5000_ms;
// Names and call stacks are kept for as long as a recording lasts. When they take more than this beside the
// ring, it begins anew.
constexpr std::int64_t kMostTables = std::int64_t{512} << 20;

std::int64_t own_rss() {
  const auto status = read_virtual_file("/proc/self/status");
  return status ? value_of_key(*status, "VmRSS").value_or(0) * 1024 : 0;
}

class Flight {
public:
  Flight(Context& context, TracePlan& plan)
      : context_(context), plan_(plan), flight_(*plan.flight), began_(now_monotonic()),
        duration_(plan.options.duration) {}

  Exit run() {
    for (bool is_first = true;; is_first = false) {
      auto report = record(is_first);
      if (!report) return fail(context_, report.error()); // the program could not be started
      report_ = *std::move(report);
      if (fired_ >= flight_.most_captures || is_over()) break;
    }
    progress_.reset();
    end_program(context_, plan_);
    return exit_of(plan_, conclude());
  }

private:
  [[nodiscard]] bool is_over() const {
    if (stop_signals().count > 0) return true;
    // A capture is complete or did not fit, or memory was full.
    return report_.end != CaptureEnd::asked && report_.end != CaptureEnd::write_error;
  }

  // One recording, up to one capture.
  Result<CaptureReport> record(bool is_first) {
    ::malloc_trim(0); // of the recording before
    rss_before_ = own_rss();
    const int most = flight_.most_captures;
    flight_.options.output =
        capture_path(plan_.output, free_capture(plan_.output, captures_ + 1, most), most);
    flight_.trigger.begin_anew();
    FlightRecorder recorder(flight_.options, flight_.trigger, now_monotonic());
    connect(recorder, is_first);
    auto report = run_capture(plan_.options, {.sink = recorder.sink(),
                                              .flush = [&] { return recorder.flush(now_monotonic()); },
                                              .stats = [&] { return recorder.stats(); }});
    progress_.reset();
    if (!report) return report;
    if (report->write_error && !error_) error_ = report->write_error;
    if (!error_)
      if (Status done = recorder.finish(started_ + report->recorded); !done) error_ = std::move(done).error();
    keep_at_crash("");
    if (recorder.capture()) {
      ++fired_;
      flight_.options.not_before = recorder.capture()->fired + flight_.cooldown;
    }
    if (error_)
      tell_cut(recorder.has_appeared());
    else if (recorder.capture())
      keep(*recorder.capture());
    return report;
  }

  // The file grew from the moment it fired: what fitted can be read. The next capture may fit.
  void tell_cut(bool has_appeared) {
    std::error_code ignored;
    if (has_appeared && flight_.options.output != "-" &&
        std::filesystem::is_regular_file(flight_.options.output, ignored)) { // a pipe keeps nothing
      const auto bytes =
          static_cast<std::int64_t>(std::filesystem::file_size(flight_.options.output, ignored));
      if (!error_->zh.empty())
        error_->zh += say(Lang::zh, "flight.cut", fmt::arg("size", format_bytes({bytes})));
      error_->what += say(Lang::en, "flight.cut", fmt::arg("size", format_bytes({bytes})));
      context_.outputs.emplace_back(flight_.options.output);
      ++captures_;
      bytes_ += bytes;
    }
    failed_ = fail(context_, *error_);
    error_.reset();
  }

  void keep(const FlightCapture& capture) {
    ++captures_;
    const std::string path = flight_.options.output.string();
    if (path != "-") context_.outputs.emplace_back(path);
    bytes_ += capture.bytes;
    events_ += capture.events;
    tell(context_,
         terminal_safe(say(context_.lang, "flight.written", fmt::arg("path", path),
                           fmt::arg("before", format_dur(capture.before)),
                           fmt::arg("after", format_dur(capture.after)), fmt::arg("events", capture.events),
                           fmt::arg("size", format_bytes({capture.bytes}))),
                       false));
    if (capture.before >= flight_.options.before) return;
    const std::string why = say(context_.lang, capture.is_cut ? "flight.why_full" : "flight.why_young",
                                fmt::arg("ring", format_bytes({flight_.options.ring_bytes})));
    tell(context_, say(context_.lang, "flight.shorter", fmt::arg("held", format_dur(capture.before)),
                       fmt::arg("before", format_dur(flight_.options.before)), fmt::arg("why", why)));
  }

  void connect(FlightRecorder& recorder, bool is_first) {
    CaptureOptions& options = plan_.options;
    if (!is_first) {
      if (auto pids = find_again(plan_, true); !pids.empty()) options.request.pids = std::move(pids);
      if (duration_.ns > 0) options.duration = std::max(duration_ - (now_monotonic() - began_), Dur{1});
    }
    options.waits_for_target = true;
    look_for_restarts(context_, plan_, [this] { progress_ = std::make_unique<Progress>(context_, ""); });
    options.wants_names = [&recorder] { return recorder.capture().has_value(); };
    options.judge_metrics = [this](const std::vector<SignalState>& signals) {
      signals_ = signals;
      return judge_metrics(plan_.metrics, signals);
    };
    options.on_started = [this, is_first]() -> Status {
      started_ = now_monotonic();
      if (!is_first) return {};
      if (plan_.program) PROF_CHECK(plan_.program->go());
      tell_waiting();
      return {};
    };
    options.should_stop = [this, &recorder] { return is_enough(recorder); };
    options.skip_naming = [this] { return is_stop_asked(); };
    options.on_progress = [this](const CaptureProgress& now) {
      if (now.phase != CapturePhase::naming) return;
      if (!std::exchange(is_naming_, true))
        progress_ = std::make_unique<Progress>(context_, text(context_.lang, "trace.naming"));
      progress_->update(now.done, now.all, "");
    };
    is_naming_ = false;
    is_told_ = false;
    progress_ = std::make_unique<Progress>(context_, "");
  }

  bool is_stop_asked() { return std::exchange(stops_seen_, stop_signals().count) != stop_signals().count; }

  // Ten times a second while recording.
  bool is_enough(FlightRecorder& recorder) {
    const Ts now = now_monotonic();
    if (Status looked = recorder.look(now); !looked) {
      error_ = std::move(looked).error();
      return true;
    }
    if (recorder.capture() && !std::exchange(is_told_, true)) {
      progress_ = std::make_unique<Progress>(context_, "");
      keep_at_crash(flight_.options.output.string());
      tell(context_, say(context_.lang, "flight.fired", fmt::arg("time", format_dur(now - began_)),
                         fmt::arg("values", recorder.capture()->values),
                         fmt::arg("after", format_dur(flight_.options.after))));
    }
    if (!recorder.capture()) show(recorder, now);
    return recorder.is_complete(now) || is_stop_asked() || is_memory_full(recorder, now);
  }

  bool is_memory_full(const FlightRecorder& recorder, Ts now) {
    if (recorder.capture() || now - weighed_ < kMemoryPause) return false;
    weighed_ = now;
    if (own_rss() - rss_before_ - recorder.held_bytes() < kMostTables) return false;
    tell(context_, text(context_.lang, "note.flight_restarted"));
    return true;
  }

  // --- what is said
  [[nodiscard]] std::string value_text(const Condition& condition, const std::optional<double>& value) const {
    return value ? format_live(*condition.metric, *value)
                 : std::string(text(context_.lang, "flight.no_data"));
  }

  void show(const FlightRecorder& recorder, Ts now) {
    const auto conditions = flight_.trigger.conditions();
    progress_->show([&] {
      std::string values;
      for (std::size_t i = 0; i < conditions.size(); ++i) {
        const ConditionState& state = flight_.trigger.states()[i];
        const bool is_lower = conditions[i].limit.op.front() == '<';
        values += (i == 0 ? "" : ", ") + say(context_.lang,
                                             is_lower ? "flight.status_lowest" : "flight.status_value",
                                             fmt::arg("condition", conditions[i].text),
                                             fmt::arg("value", value_text(conditions[i], state.value)),
                                             fmt::arg("extreme", value_text(conditions[i], state.extreme)));
      }
      if (recorder.is_cooling(now)) values += "  |  " + std::string(text(context_.lang, "flight.cooling"));
      return say(context_.lang, "flight.status", fmt::arg("values", values),
                 fmt::arg("held", format_dur(recorder.held(now))),
                 fmt::arg("size", format_bytes({recorder.held_bytes()})));
    });
  }

  void tell_waiting() const {
    tell(context_, terminal_safe(say(context_.lang, "flight.waiting", fmt::arg("target", plan_.target_name),
                                     fmt::arg("trigger", flight_.trigger.text()),
                                     fmt::arg("before", format_dur(flight_.options.before)),
                                     fmt::arg("ring", format_bytes({flight_.options.ring_bytes}))),
                                 false));
    std::vector<std::string_view> told;
    for (const Condition& condition : flight_.trigger.conditions()) {
      const auto state = std::ranges::find(signals_, condition.metric->needs, &SignalState::name);
      if (state == signals_.end() || state->is_available) continue;
      if (std::ranges::find(told, condition.metric->id) != told.end()) continue;
      // Runs of a model stand in for requests.
      const auto runs = std::ranges::find(signals_, words::kSignalOps, &SignalState::name);
      if (condition.metric->needs == words::kSignalRequests && runs != signals_.end() && runs->is_available)
        continue;
      told.push_back(condition.metric->id);
      tell(context_,
           say(context_.lang, "flight.cannot_fire", fmt::arg("metric", condition.metric->id),
               fmt::arg("reason", text(context_.lang, state->reason)), fmt::arg("detail", state->detail)));
      tell(context_, say(context_.lang, "trace.mend", fmt::arg("mend", text(context_.lang, state->mend))));
    }
  }

  void tell_none_fired() const {
    tell(context_,
         say(context_.lang, "flight.none_fired", fmt::arg("time", format_dur(now_monotonic() - began_))));
    for (std::size_t i = 0; i < flight_.trigger.conditions().size(); ++i) {
      const Condition& condition = flight_.trigger.conditions()[i];
      const auto& extreme = flight_.trigger.states()[i].extreme;
      const std::string_view id = !extreme                            ? "flight.never"
                                  : condition.limit.op.front() == '<' ? "flight.lowest"
                                                                      : "flight.highest";
      tell(context_, say(context_.lang, id, fmt::arg("condition", condition.text),
                         fmt::arg("value", value_text(condition, extreme))));
    }
  }

  Exit conclude() {
    if (failed_ && flight_.most_captures == 1) return *failed_;
    if (report_.end != CaptureEnd::asked || stop_signals().count > 0) tell_end(context_, plan_, report_);
    if (fired_ == 0) tell_none_fired();
    if (flight_.most_captures > 1)
      tell(context_, say(context_.lang, "flight.captures", fmt::arg("n", captures_),
                         fmt::arg("most", flight_.most_captures)));
    const bool is_empty = captures_ > 0 && events_ == 0;
    if (is_empty && !failed_) tell(context_, text(context_.lang, "trace.nothing_recorded"));
    const std::vector<SignalState> missing = missing_of(report_, is_empty);
    tell_unavailable(context_, missing);
    tell_cost(context_, report_);
    if (captures_ > 0 && !failed_) tell_losses(context_, plan_, report_, is_empty);
    context_.facts["captures"] = std::to_string(captures_);
    context_.facts["events"] = std::to_string(events_);
    context_.facts["bytes"] = std::to_string(bytes_);
    if (failed_) return *failed_;
    if (captures_ == 0 && stop_signals().count > 0) return Exit::interrupted;
    if (captures_ == 0 && context_.is_strict) return Exit::no;
    return (is_empty || !missing.empty()) && context_.is_strict ? Exit::partial : Exit::ok;
  }

  Context& context_;
  TracePlan& plan_;
  FlightPlan& flight_;
  Ts began_, started_, weighed_;
  Dur duration_; // of all recordings together
  std::unique_ptr<Progress> progress_;
  std::vector<SignalState> signals_; // at the start
  CaptureReport report_;             // of the last recording
  std::optional<Error> error_;       // of the file that is written
  std::optional<Exit> failed_;       // of one that could not be written whole
  std::int64_t rss_before_ = 0, bytes_ = 0, events_ = 0;
  int fired_ = 0, captures_ = 0, stops_seen_ = 0;
  bool is_told_ = false, is_naming_ = false;
};

} // namespace

Exit run_flight(Context& context, TracePlan& plan) {
  return Flight(context, plan).run();
}

} // namespace prof
