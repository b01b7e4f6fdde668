#include "base/format_units.hpp"
#include "report/diagnosis_view.hpp"

#include <cmath>

namespace prof {
namespace {

// Enough digits to compare with, few enough to read.
double rounded(double value, int digits) {
  const double scale = std::pow(10.0, digits);
  const double out = std::round(value * scale) / scale;
  return out == 0 ? 0 : out; // no -0
}

double significant(double value) {
  if (value == 0 || !std::isfinite(value)) return value;
  return rounded(value, std::max(0, 6 - static_cast<int>(std::ceil(std::log10(std::fabs(value))))));
}

Doc examples_doc(const std::vector<ExampleSlice>& examples) {
  Doc list = Doc::list();
  for (const ExampleSlice& e : examples) {
    Doc item = Doc::map();
    item.set("slice_id", e.slice_id).set("ts_ns", e.ts_ns).set("dur_ns", e.dur_ns).set("name", e.name);
    if (e.launched)
      item.set("launched", Doc::map()
                               .set("kernel", e.launched->name)
                               .set("ts_ns", e.launched->ts_ns)
                               .set("dur_ns", e.launched->dur_ns)
                               .set("n", e.launched->n));
    list.add(std::move(item));
  }
  return list;
}

Doc evidence_doc(const std::vector<EvidenceResult>& all) {
  Doc list = Doc::list();
  for (const EvidenceResult& e : all) {
    Doc item;
    item.set("name", e.name)
        .set("text", e.text)
        .set("value", e.value ? Doc(significant(*e.value)) : Doc())
        .set("unit", e.unit);
    if (e.threshold)
      item.set("threshold", Doc::map()
                                .set("op", e.threshold->is_above ? ">" : "<")
                                .set("value", e.threshold->limit)
                                .set("source", e.threshold->source));
    item.set("weight", e.weight).set("is_key", e.is_key);
    if (!e.sql.empty()) item.set("sql", e.sql);
    item.set("examples", examples_doc(e.examples));
    list.add(std::move(item));
  }
  return list;
}

// Shares are read by others and shown with three digits: rounded here to more than that, they read the same.
constexpr int kShareDigits = 6;

Doc share_doc(const Share& share) {
  Doc doc;
  doc.set("mean", rounded(share.mean, kShareDigits)).set("slow", rounded(share.slow, kShareDigits));
  if (has_interval(share))
    doc.set(
        "mean_ci95",
        Doc::list().add(rounded(share.mean_low, kShareDigits)).add(rounded(share.mean_high, kShareDigits)));
  if (share.of_service) doc.set("of_service", rounded(*share.of_service, kShareDigits));
  doc.set("unit", share.unit);
  if (!share.sql.empty()) doc.set("sql", share.sql);
  return doc;
}

Doc names_doc(const std::vector<std::string>& names) {
  Doc list = Doc::list();
  for (const std::string& name : names)
    list.add(name);
  return list;
}

Doc cause_doc(const Cause& cause) {
  Doc doc;
  doc.set("id", cause.id).set("title", cause.title).set("class", cause.cause_class);
  doc.set("confidence", cause.confidence).set("confidence_basis", kConfidenceBasis);
  doc.set("share", share_doc(cause.share)).set("summary", cause.summary);
  doc.set("evidence", evidence_doc(cause.evidence)).set("against", evidence_doc(cause.against));
  if (!cause.could_not_look_at.empty()) doc.set("could_not_look_at", names_doc(cause.could_not_look_at));
  Doc apart = Doc::list();
  for (const auto& [id, how] : cause.rules_out)
    apart.add(Doc::map().set("id", id).set("how", how));
  doc.set("told_apart_from", std::move(apart));
  if (!cause.symptom_of.empty()) doc.set("symptom_of", names_doc(cause.symptom_of));
  doc.set("examples", examples_doc(cause.examples));
  Doc similar = Doc::list();
  for (const SimilarCase& c : cause.similar_cases)
    similar.add(Doc::map().set("id", c.id).set("title", c.title).set("outcome", c.outcome));
  doc.set("similar_cases", std::move(similar)).set("actions", names_doc(cause.actions));
  if (!cause.advice.empty()) doc.set("advice", names_doc(cause.advice));
  return doc;
}

Doc missing_doc(const std::vector<MissingSignal>& all) {
  Doc list = Doc::list();
  for (const MissingSignal& m : all) {
    Doc item;
    item.set("signal", m.signal).set("reason", m.reason).set("mend", m.mend);
    if (!m.detail.empty()) item.set("detail", m.detail);
    list.add(std::move(item));
  }
  return list;
}

std::string number_key(std::string_view unit, const char* stem) {
  return unit == "ns" ? std::string(stem) + "_ns" : std::string(stem);
}

Doc limit_value(double value, std::string_view unit) {
  return unit == "ns" || unit == "bytes" ? Doc(static_cast<std::int64_t>(std::llround(value)))
                                         : Doc(significant(value));
}

Doc threshold_doc(const LimitResult& result) {
  const Limit& limit = result.limit;
  Doc doc;
  doc.set("text", limit.text).set("metric", limit.metric).set("op", limit.op);
  doc.set(number_key(limit.unit, "limit"), limit_value(limit.value, limit.unit));
  doc.set(number_key(limit.unit, "observed"),
          result.observed ? limit_value(*result.observed, limit.unit) : Doc());
  doc.set("exceeded", result.is_exceeded ? Doc(*result.is_exceeded) : Doc());
  if (!result.is_exceeded) doc.set("missing", missing_doc({result.missing}));
  return doc;
}

Doc whole(double ns) {
  return {static_cast<std::int64_t>(std::llround(ns))};
}

Doc shares_doc(const std::vector<std::pair<std::string, double>>& shares) {
  Doc doc = Doc::map();
  for (const auto& [name, share] : shares)
    doc.set(name, rounded(share, kShareDigits));
  return doc;
}

// A list: names of functions are no keys.
Doc shares_list(const std::vector<std::pair<std::string, double>>& shares) {
  Doc list = Doc::list();
  for (const auto& [name, share] : shares)
    list.add(Doc::map().set("name", name).set("share", rounded(share, kShareDigits)));
  return list;
}

Doc accounting_doc(const Accounting& a) {
  Doc doc = Doc::map().set("all", shares_doc(a.all));
  if (!a.slow.empty()) doc.set("slow", shares_doc(a.slow));
  doc.set("unexplained", rounded(a.unexplained, kShareDigits));
  Doc calls = Doc::list();
  for (const Accounting::Call& c : a.calls)
    calls.add(Doc::map()
                  .set("class", c.time_class)
                  .set("name", c.name)
                  .set("share", rounded(c.share, kShareDigits)));
  if (!a.calls.empty()) doc.set("calls", std::move(calls));
  if (a.running.empty()) return doc;
  return doc.set("running", shares_list(a.running));
}

Doc device_accounting_doc(const DeviceAccounting& a) {
  Doc classes = Doc::list();
  for (const DeviceAccounting::Class& c : a.classes)
    classes.add(Doc::map().set("class", c.id).set("share", rounded(c.share, kShareDigits)).set("sql", c.sql));
  return Doc::map()
      .set("n_devices", a.n_devices)
      .set("window_ns", whole(a.window_ns))
      .set("classes", std::move(classes));
}

} // namespace

Doc diagnosis_doc(const Diagnosis& d) {
  Doc doc;
  doc.set("schema", "cann-profiler/diagnosis/1");
  doc.set("trace", Doc::map()
                       .set("path", d.trace_path)
                       .set("sha256", d.trace_sha256)
                       .set("start_ns", d.start_ns)
                       .set("duration_ns", d.duration_ns));
  doc.set("target", d.target).set("problem", d.problem);
  if (d.threshold) doc.set("threshold", threshold_doc(*d.threshold));
  if (!d.problem_missing.empty()) doc.set("problem_missing", missing_doc(d.problem_missing));
  const RequestStats& r = d.requests;
  Doc requests = Doc::map()
                     .set("unit", r.unit)
                     .set("n", r.n)
                     .set("mean_ns", whole(r.mean_ns))
                     .set("p50_ns", whole(r.p50_ns))
                     .set("p90_ns", whole(r.p90_ns))
                     .set("p99_ns", whole(r.p99_ns))
                     .set("max_ns", whole(r.max_ns))
                     .set("n_slow", r.n_slow)
                     .set("per_second", significant(r.per_second))
                     .set("n_cut_off", r.n_cut_off);
  if (r.n_ranks > 1) requests.set("n_ranks", r.n_ranks);
  if (!r.names.empty()) requests.set("names", names_doc(r.names));
  doc.set("requests", std::move(requests));
  if (d.threads)
    doc.set("threads", Doc::map()
                           .set("process", d.threads->process)
                           .set("n", d.threads->n)
                           .set("of", d.threads->n_all)
                           .set("total_ns", whole(d.threads->total_ns))
                           .set("cpu_time_only", d.threads->is_cpu_time_only));
  if (d.accounting) doc.set("accounting", accounting_doc(*d.accounting));
  if (d.device_accounting) doc.set("device_accounting", device_accounting_doc(*d.device_accounting));
  if (d.unexplained_idle)
    doc.set("unexplained_idle", Doc::map()
                                    .set("share", rounded(d.unexplained_idle->share, kShareDigits))
                                    .set("missing", missing_doc(d.unexplained_idle->why))
                                    .set("host", shares_list(d.unexplained_idle->host))
                                    .set("has_requests", d.unexplained_idle->has_requests));
  Doc causes = Doc::list(), clear = Doc::list(), not_applicable = Doc::list(), cannot_tell = Doc::list();
  for (const Cause& c : d.causes)
    causes.add(cause_doc(c));
  for (const ClearRule& c : d.clear)
    clear.add(Doc::map()
                  .set("id", c.id)
                  .set("title", c.title)
                  .set("looked_at", c.looked_at)
                  .set("share", rounded(c.share, kShareDigits)));
  for (const NotApplicableRule& c : d.not_applicable)
    not_applicable.add(Doc::map().set("id", c.id).set("title", c.title).set("why", c.why));
  for (const CannotTellRule& c : d.cannot_tell)
    cannot_tell.add(Doc::map().set("id", c.id).set("title", c.title).set("missing", missing_doc(c.missing)));
  doc.set("causes", std::move(causes))
      .set("clear", std::move(clear))
      .set("not_applicable", std::move(not_applicable));
  return doc.set("cannot_tell", std::move(cannot_tell)).set("notes", names_doc(d.notes));
}

} // namespace prof
