// The machine-read form of a validation: schema cann-profiler/validation/1.
#include "report/validation_view.hpp"

namespace prof {
namespace {

Doc optional_doc(const std::optional<double>& value) {
  return value ? Doc(*value) : Doc();
}
Doc interval_doc(const std::optional<ConfidenceInterval>& interval) {
  if (!interval) return {};
  return Doc::list().add(interval->lo).add(interval->hi);
}
std::string_view unit_name(Unit unit) {
  return unit == Unit::run ? "run" : unit == Unit::batch ? "batch" : "request";
}
std::string_view better_name(Better better) {
  return better == Better::low ? "low" : better == Better::high ? "high" : "neither";
}
Doc metric_doc(const MetricVerdict& m) {
  Doc doc = Doc::map();
  doc.set("id", m.metric.id)
      .set("unit", m.metric.unit)
      .set("better", better_name(m.metric.better))
      .set("verdict", outcome_name(m.outcome));
  if (m.outcome == Outcome::unavailable)
    return doc.set("reason", text(Lang::en, m.reason))
        .set("mend", text(Lang::en, m.mend))
        .set("detail", m.detail);
  doc.set("within_run_only", m.is_within_run).set("small", m.is_small).set("equivalent", m.is_equivalent);
  doc.set("before", optional_doc(m.before))
      .set("after", optional_doc(m.after))
      .set("difference", optional_doc(m.difference));
  if (m.plain_before && m.plain_after)
    doc.set("estimator", "harrell_davis")
        .set("before_type7", optional_doc(m.plain_before))
        .set("after_type7", optional_doc(m.plain_after));
  doc.set("change", optional_doc(m.change))
      .set("change_ci95", interval_doc(m.change_ci))
      .set("within_run_ci95", interval_doc(m.within_ci));
  doc.set("cliffs_delta", m.cliffs_delta).set("hedges_g", m.hedges_g);
  doc.set("p", m.method == Method::none ? Doc() : Doc(m.p))
      .set("p_holm", m.method == Method::none ? Doc() : Doc(m.p_corrected));
  doc.set("method", method_name(m.method))
      .set("method_replaced", m.is_method_replaced)
      .set("unit_of_replication", unit_name(m.unit));
  doc.set("n_before", static_cast<std::int64_t>(m.n_before))
      .set("n_after", static_cast<std::int64_t>(m.n_after));
  doc.set("samples_before", m.samples_before).set("samples_after", m.samples_after);
  doc.set("margin", m.margin)
      .set("expected_change", optional_doc(m.expected))
      .set("detectable", optional_doc(m.detectable));
  doc.set("needed", m.needed ? Doc(*m.needed) : Doc())
      .set("needed_unit", m.needs_samples ? "samples" : "runs");
  Doc before = Doc::list(), after = Doc::list();
  for (const double v : m.run_before)
    before.add(v);
  for (const double v : m.run_after)
    after.add(v);
  return doc.set("runs_before", std::move(before)).set("runs_after", std::move(after));
}

Doc runs_doc(const std::vector<RunSummary>& runs) {
  Doc list = Doc::list();
  for (const RunSummary& run : runs)
    list.add(Doc::map()
                 .set("path", run.path)
                 .set("sha256", run.sha256)
                 .set("window_ns", run.window_ns)
                 .set("requests", run.requests)
                 .set("errors", run.errors)
                 .set("lost", run.lost)
                 .set("warm_up_requests", static_cast<std::int64_t>(run.warm_up)));
  return list;
}

} // namespace

Doc validation_doc(const Validation& v) {
  Doc metrics = Doc::list(), checks = Doc::list();
  for (const MetricVerdict& m : v.metrics)
    metrics.add(metric_doc(m));
  for (const Check& c : v.checks) {
    Doc check = Doc::map().set("id", c.id).set("state", check_state_name(c.state));
    if (c.has_numbers())
      check.set("before", c.before).set("after", c.after).set("unit", c.unit);
    else
      check.set("before", c.before_text).set("after", c.after_text);
    checks.add(std::move(check));
  }
  Doc options = Doc::map();
  options.set("test", test_kind_name(v.options.test))
      .set("alpha", v.options.alpha)
      .set("run_noise", v.options.run_noise);
  options.set("paired", v.options.is_paired)
      .set("seed", static_cast<std::int64_t>(v.options.seed))
      .set("draws", v.options.draws);
  const ValidationAnswer answer = answer_of(v);
  const bool needs_pairs = answer.missing == Missing::pairs;
  const bool needs_length = needs_pairs || answer.missing == Missing::longer_runs;
  Doc doc = Doc::map().set("schema", "cann-profiler/validation/1");
  doc.set("outcome", answer_name(answer.kind))
      .set("more_pairs", needs_pairs ? Doc(answer.more) : Doc())
      .set("run_s", needs_length ? Doc(answer.run_s) : Doc());
  doc.set("regression", v.has_regression())
      .set("comparable", !v.has_failed_check())
      .set("within_run_only", v.is_within_run);
  doc.set("options", std::move(options)).set("before", runs_doc(v.before)).set("after", runs_doc(v.after));
  return doc.set("metrics", std::move(metrics)).set("checks", std::move(checks));
}

} // namespace prof
