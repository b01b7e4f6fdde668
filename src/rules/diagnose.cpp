#include "base/format_units.hpp"
#include "metrics/metrics.hpp"
#include "rules/accounting.hpp"
#include "rules/diagnosis.hpp"
#include "rules/evaluate.hpp"
#include "rules/request_set.hpp"
#include "store/losses.hpp"
#include "store/request_time.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <tuple>

namespace prof {
namespace {

// A part of the service time that a queue's cause must have before queueing is called its symptom.
constexpr double kServiceCauseShare = 0.10;
constexpr double kSymptomWeight = -1.5;
constexpr std::int64_t kFewRequests = 100;

Result<RequestSet> load_units(Sql& sql, KeptViews& kept, UnitKind kind, std::string_view where) {
  return load_request_set(
      sql, expand_sql(fmt::format("select id, ts, dur from {{unit}}{}", where), kind, &kept), kind);
}

// What the trace calls a unit of work; without any the threads of the service.
Result<RequestSet> load_requests(const Store& store, Sql& sql, KeptViews& kept) {
  PROF_TRY(RequestSet requests, load_units(sql, kept, UnitKind::unit, ""));
  PROF_TRY(const SqlResult kind, sql.query("select kind from unit limit 1", 1));
  if (!kind.rows.empty())
    if (const auto* unit = std::get_if<std::string>(&kind.rows[0][0])) {
      requests.unit = *unit;
      requests.word = unit_word(store, *unit);
    }
  PROF_CHECK(read_job_steps(sql, requests));
  if (requests.size() > 0 || !kind.rows.empty()) return requests;
  return load_units(sql, kept, UnitKind::thread, "");
}

// Requests that have operators; runs where no operator is linked to a request; threads where there is
// neither.
Result<RequestSet> load_with_ops(Sql& sql, KeptViews& kept, const RequestSet& requests) {
  const UnitKind otherwise = requests.kind == UnitKind::thread ? UnitKind::thread : UnitKind::run;
  for (const UnitKind kind : {UnitKind::unit, UnitKind::run}) {
    PROF_TRY(RequestSet set, load_units(sql, kept, kind, " where id in {with_ops}"));
    if (kind == UnitKind::unit) set.word = requests.word;
    if (set.size() > 0 || kind == otherwise) return set;
  }
  return load_units(sql, kept, otherwise, " where id in {with_ops}");
}

// The unit of a trace in which nothing marks work.
Result<std::optional<ThreadUnit>> thread_unit(Sql& sql, KeptViews& kept, const RequestSet& requests) {
  if (requests.kind != UnitKind::thread || requests.size() == 0) return std::optional<ThreadUnit>();
  const auto number = [&](std::string_view query) {
    return one_number(sql, expand_sql(query, UnitKind::thread, &kept));
  };
  ThreadUnit out;
  out.n = std::ssize(requests.id);
  for (const std::int64_t dur : requests.dur)
    out.total_ns += static_cast<double>(dur);
  PROF_TRY(const auto all, number("select count(*) from {busy}"));
  PROF_TRY(const auto states, number("select count(*) from thread_state where thread_id in {worker}"));
  PROF_TRY(const auto samples,
           number("select count(*) from sample where event = 'cpu-clock' and thread_id in "
                  "{worker}"));
  out.n_all = static_cast<std::int64_t>(all.value_or(0));
  out.is_cpu_time_only = states.value_or(0) == 0 && samples.value_or(0) > 0;
  PROF_TRY(
      const SqlResult name,
      sql.query(expand_sql("select name from process where id in {own_process} and name <> '' order by id",
                           UnitKind::thread, &kept),
                1));
  if (!name.rows.empty())
    if (const auto* word = std::get_if<std::string>(&name.rows[0][0])) out.process = *word;
  return std::optional<ThreadUnit>(std::move(out));
}

std::optional<double> latency_figure(const RequestStats& stats, std::string_view metric) {
  if (stats.n == 0) return std::nullopt;
  const std::array<std::pair<std::string_view, double>, 7> known{{{"p50_latency", stats.p50_ns},
                                                                  {"p90_latency", stats.p90_ns},
                                                                  {"p95_latency", stats.p95_ns},
                                                                  {"p99_latency", stats.p99_ns},
                                                                  {"mean_latency", stats.mean_ns},
                                                                  {"max_latency", stats.max_ns},
                                                                  {"throughput", stats.per_second}}};
  for (const auto& [name, value] : known)
    if (name == metric) return value;
  return std::nullopt;
}

// The highest value of a counter of this name; nullopt when there is none.
std::optional<double> counter_figure(Sql& sql, std::string_view name) {
  if (name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.") !=
      std::string_view::npos)
    return std::nullopt;
  const auto value = one_number(
      sql,
      fmt::format(
          "select max(value) from counter where track_id in (select id from counter_track where name = '{}')",
          name));
  return value ? *value : std::nullopt;
}

// The observed figure of a limit: of the requests, else of the metric catalogue, else of a counter of that
// name.
Result<LimitResult> check_limit(const Limit& limit, const RequestStats& stats, const Store& store, Sql& sql,
                                Lang lang) {
  LimitResult out{limit, latency_figure(stats, limit.metric), std::nullopt, {}};
  if (!out.observed) {
    PROF_TRY(const auto catalogue, load_metric_catalogue());
    auto metric = find_metric(catalogue, limit.metric);
    if (!metric) {
      out.observed = counter_figure(sql, limit.metric);
      if (!out.observed) return std::move(metric).error();
      out.is_exceeded = is_exceeded(limit, *out.observed);
      return out;
    }
    const MetricValue value = compute_metric(*metric, store, sql);
    out.observed = value.value;
    if (!value.value)
      out.missing = {limit.metric, std::string(text(lang, value.reason)), std::string(text(lang, value.mend)),
                     value.detail};
  }
  if (out.observed) out.is_exceeded = is_exceeded(limit, *out.observed);
  return out;
}

// The lower end of the share that decides whether a cause is material for this problem.
double material_share(const Evaluation& e, const Problem& problem, bool has_queue) {
  double mean = e.mean_low, slow = e.slow_low;
  const Share& share = e.cause.share;
  if (has_queue && share.of_service && share.mean > 0) { // less service time shortens the queue as well
    mean *= *share.of_service / share.mean;
    slow = std::max(slow, mean);
  }
  switch (problem.band) {
  case Band::slow:
    return slow;
  case Band::all:
    return mean;
  case Band::larger:
    return std::max(mean, slow);
  }
  return mean;
}

double share_for(const Share& share, const Problem& problem) {
  switch (problem.band) {
  case Band::slow:
    return share.slow;
  case Band::all:
    return share.mean;
  case Band::larger:
    return std::max(share.mean, share.slow);
  }
  return share.mean;
}

// Queueing behind a long service time: the causes of the service time rank first, and queueing says so.
void demote_symptom(Evaluation& queue, std::vector<Evaluation*>& found, Lang lang) {
  double best = 0, part = 0;
  std::string titles;
  for (const Evaluation* e : found) {
    const bool is_service =
        e->rule->is_in_service && e->cause.share.of_service.value_or(0) >= kServiceCauseShare;
    if (e == &queue || !is_service) continue;
    best = std::max(best, e->cause.confidence);
    part = std::max(part, *e->cause.share.of_service);
    queue.cause.symptom_of.push_back(e->cause.id);
    titles += (titles.empty() ? "" : "; ") + e->cause.title;
  }
  if (queue.cause.symptom_of.empty()) return;
  const auto say_it = [&](std::string_view id) {
    return fill_in(text(lang, id), {{"causes", titles}, {"value", format_share(part)}});
  };
  EvidenceResult seen{"service_cause_found",
                      say_it("diagnose.evidence.service_cause_found"),
                      "percent",
                      {},
                      part * 100,
                      Threshold{true, kServiceCauseShare * 100, "docs/diagnosis.md"},
                      kSymptomWeight,
                      false,
                      {}};
  queue.log_odds += kSymptomWeight;
  queue.cause.against.push_back(std::move(seen));
  queue.cause.confidence =
      std::min(confidence_of(queue.log_odds, queue.cap), std::round(best * 100 - 1) / 100);
  queue.cause.summary += " " + say_it("diagnose.queue_is_symptom");
}

// By the time that mending the cause may be expected to save: a few points of confidence mean nothing beside
// several times the share. What only follows from others comes after them.
void rank(std::vector<Cause>& causes, const Problem& problem) {
  std::ranges::sort(causes, {}, [&](const Cause& c) {
    return std::tuple(!c.symptom_of.empty(), -share_for(c.share, problem) * c.confidence, c.id);
  });
}

void sort_into(Diagnosis& out, std::vector<Evaluation>& all, const Problem& problem, Lang lang) {
  bool has_queue = false;
  for (const Evaluation& e : all)
    has_queue = has_queue || (e.rule->is_symptom && e.answer == Answer::found);
  std::vector<Evaluation*> found;
  for (Evaluation& e : all) {
    switch (e.answer) {
    case Answer::found:
      if (material_share(e, problem, has_queue) >= kMaterialShare)
        found.push_back(&e);
      else
        out.clear.push_back(
            {e.cause.id, e.cause.title,
             e.looked_at + fill_in(text(lang, "diagnose.not_material"),
                                   {{"share", format_share(share_for(e.cause.share, problem))},
                                    {"low", format_share(material_share(e, problem, has_queue))}}),
             share_for(e.cause.share, problem)});
      break;
    case Answer::clear:
      out.clear.push_back({e.cause.id, e.cause.title, e.looked_at, share_for(e.cause.share, problem)});
      break;
    case Answer::not_applicable:
      out.not_applicable.push_back({e.cause.id, e.cause.title, e.why});
      break;
    case Answer::cannot_tell:
      out.cannot_tell.push_back({e.cause.id, e.cause.title, e.missing});
      break;
    }
  }
  for (Evaluation* e : found)
    if (e->rule->is_symptom) demote_symptom(*e, found, lang);
  for (Evaluation* e : found) {
    if (e->cause.confidence >= kFoundConfidence) {
      out.causes.push_back(std::move(e->cause));
      continue;
    }
    std::string ids; // a symptom that is no more than that
    for (const std::string& id : e->cause.symptom_of)
      ids += (ids.empty() ? "" : ", ") + id;
    out.clear.push_back({e->cause.id, e->cause.title,
                         e->looked_at + fill_in(text(lang, "diagnose.symptom_only"), {{"causes", ids}}),
                         share_for(e->cause.share, problem)});
  }
  std::ranges::sort(out.clear, {}, &ClearRule::id);
  rank(out.causes, problem);
}

// Of all records that there were: those of the trace and those that the ledger says were lost.
double lost_share(const Store& store, const Losses& losses) {
  const Tables& t = store.tables();
  const auto kept = static_cast<double>(t.slice.ts.size() + t.kernel.ts.size() + t.counter.ts.size() +
                                        t.sample.ts.size() + t.sched.ts.size());
  const auto lost = static_cast<double>(losses.records);
  return lost > 0 ? lost / (lost + kept) : 0;
}

// Why absence proves nothing in this trace, if so.
std::optional<MissingSignal> holes_of(const Store& store, const Losses& losses, Lang lang) {
  if (!losses.of_unknown_size.empty())
    return MissingSignal{
        "lost_records",
        fill_in(text(lang, "diagnose.incomplete"), {{"what", incomplete_text(store, losses, lang)}}),
        std::string(text(lang, "diagnose.incomplete.mend")),
        {}};
  const double lost = lost_share(store, losses);
  if (lost <= kMaxLostShare) return std::nullopt;
  return MissingSignal{"lost_records",
                       fill_in(text(lang, "diagnose.lossy"), {{"share", format_share(lost)}}),
                       std::string(text(lang, "diagnose.lossy.mend")),
                       {}};
}

// Absence of evidence in a trace with holes is no evidence of absence.
void distrust(Evaluation& e, const MissingSignal& holes) {
  if (e.answer == Answer::found) {
    e.cap = std::min(e.cap, kLossyCap);
    e.cause.confidence = confidence_of(e.log_odds, e.cap);
  }
  if (e.answer != Answer::clear) return;
  e.answer = Answer::cannot_tell;
  e.missing = {holes};
}

void add_notes(Diagnosis& out, const Store& store, const Losses& losses, const RuleWorld& world) {
  const RequestStats& r = out.requests;
  const auto note = [&](std::string_view id, std::map<std::string, std::string, std::less<>> values) {
    values["units"] = unit_name(r.word, r.n, world.lang);
    values["unit_time"] = text(world.lang, "diagnose.unit_time." + r.word);
    out.notes.push_back(fill_in(text(world.lang, id), values));
  };
  if (out.threads)
    note(out.threads->is_cpu_time_only ? "diagnose.note.threads_cpu" : "diagnose.note.threads",
         {{"n", fmt::format("{}", out.threads->n)}, {"all", fmt::format("{}", out.threads->n_all)}});
  else if (r.unit != "request" && r.n > 0)
    note("diagnose.note.runs", {{"n", fmt::format("{}", r.n)}});
  if (r.unit == "request" && world.with_ops.kind == UnitKind::run && world.with_ops.size() > 0)
    note("diagnose.note.ops_by_run", {});
  if (world.with_ops.kind == UnitKind::unit && world.with_ops.size() > 0 &&
      world.with_ops.size() < world.requests.size())
    note("diagnose.note.some_ops", {{"n", fmt::format("{}", world.with_ops.size())},
                                    {"all", fmt::format("{}", world.requests.size())}});
  if (r.n > 0 && r.n < kFewRequests)
    note("diagnose.note.few", {{"n", fmt::format("{}", r.n)}, {"slow", fmt::format("{}", r.n_slow)}});
  if (out.accounting && out.accounting->unexplained > 0.05)
    note("diagnose.note.unexplained", {{"share", format_share(out.accounting->unexplained)}});
  const auto share_of = [&](std::string_view time_class) {
    double share = 0;
    if (out.accounting)
      for (const auto& [name, part] : out.accounting->all)
        if (name == time_class) share += part;
    return share;
  };
  // Durations are all that is known without the scheduler: what looks like computing may have waited for a
  // CPU.
  if (store.tables().thread_state.ts.empty() && share_of("cpu_op") + share_of("host_code") > 0.05)
    note("diagnose.note.no_sched", {{"share", format_share(share_of("cpu_op") + share_of("host_code"))}});
  if (const double host = share_of("host_code"); host > 0.25)
    note("diagnose.note.host_code", {{"share", format_share(host)}});
  if (losses.records > 0) note("diagnose.note.lost", {{"n", fmt::format("{}", losses.records)}});
  if (!losses.of_unknown_size.empty())
    note("diagnose.incomplete", {{"what", incomplete_text(store, losses, world.lang)}});
  const auto& gaps = store.tables().gap.dur;
  const auto hole = std::accumulate(gaps.begin(), gaps.end(), std::int64_t{0});
  if (hole > 0)
    note("diagnose.note.gaps", {{"n", fmt::format("{}", gaps.size())},
                                {"seconds", fmt::format("{:.3f}", static_cast<double>(hole) / 1e9)}});
  note("diagnose.note.one_trace", {});
  note("diagnose.note.uncalibrated", {});
}

std::string target_of(const Store& store) {
  const std::string_view service = store.metadata("service");
  return std::string(service.empty() ? store.metadata("target") : service);
}

} // namespace

std::string_view unit_name(std::string_view word, std::int64_t n, Lang lang) {
  return text(lang, fmt::format("diagnose.{}.{}", n == 1 ? "unit" : "units", word));
}

Result<Diagnosis> diagnose(const Store& store, const std::vector<Rule>& rules,
                           const DiagnoseOptions& options) {
  PROF_TRY(const Problem problem, find_problem(options.problem));
  PROF_TRY(Sql sql, Sql::open(store));
  SignalBook signals(store, sql, options.lang);
  KeptViews kept(sql);
  PROF_TRY(RequestSet requests, load_requests(store, sql, kept));
  PROF_TRY(RequestSet with_ops, load_with_ops(sql, kept, requests));
  PROF_TRY(RequestSet devices, load_request_set(sql, "select device_id, 0, window_ns from device_time"));
  devices.unit = devices.word = "device";
  RuleWorld world{
      sql, kept, signals, options.lang, problem, std::move(requests), std::move(devices), std::move(with_ops),
      {}};
  PROF_TRY(
      world.queue_wait,
      load_times(sql, world.requests, "select request_id, ns from request_time where class = 'queue_wait'"));

  Diagnosis out;
  out.trace_path = options.trace_path;
  out.trace_sha256 = options.trace_sha256;
  out.target = target_of(store);
  out.start_ns = store.start().ns;
  out.duration_ns = (store.end() - store.start()).ns;
  out.problem = problem.id;
  PROF_TRY(out.threads, thread_unit(sql, kept, world.requests));
  if (out.threads)
    out.requests.unit = out.requests.word = world.requests.unit; // threads have no latency
  else
    out.requests = stats_of(world.requests);
  PROF_TRY(const auto cut_off, one_number(sql, "select count(*) from unit where not is_complete"));
  out.requests.n_cut_off = static_cast<std::int64_t>(cut_off.value_or(0));
  world.has_only_cut_units = world.requests.size() == 0 && out.requests.n_cut_off > 0;
  PROF_TRY(out.accounting, account(sql, kept, world.requests));
  PROF_TRY(out.device_accounting, account_devices(sql, world.devices));
  if (options.limit) {
    PROF_TRY(LimitResult limit, check_limit(*options.limit, out.requests, store, sql, options.lang));
    out.threshold = std::move(limit);
  }
  out.problem_missing = signals.missing(problem.needs);
  std::vector<Evaluation> all;
  const Losses losses = losses_of(store);
  const std::optional<MissingSignal> holes = holes_of(store, losses, options.lang);
  for (const Rule& rule : rules) {
    all.push_back(evaluate(rule, world));
    Evaluation& e = all.back();
    if (holes) distrust(e, *holes);
    if (out.problem_missing.empty() || e.answer == Answer::not_applicable) continue;
    if (e.answer != Answer::cannot_tell) e.missing.clear();
    e.answer = Answer::cannot_tell;
    e.missing.insert(e.missing.begin(), out.problem_missing.begin(), out.problem_missing.end());
  }
  sort_into(out, all, problem, options.lang);
  PROF_TRY(out.unexplained_idle, idle_left(sql, out, out.requests.n > 0 || out.requests.n_cut_off > 0));
  add_notes(out, store, losses, world);
  return out;
}

} // namespace prof
