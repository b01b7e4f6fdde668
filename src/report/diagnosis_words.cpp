#include "report/diagnosis_words.hpp"

#include "base/format_units.hpp"
#include "base/safe_text.hpp"
#include "report/diagnosis_view.hpp"
#include "rules/problem.hpp"

#include <algorithm>
#include <cmath>

namespace prof::detail {
namespace {

std::string dur(double ns) {
  return format_dur(Dur{std::llround(ns)});
}

std::string threshold_line(const LimitResult& t, Lang lang) {
  if (!t.is_exceeded)
    return say(lang, "report.diagnosis.no_observed", fmt::arg("limit", one_line(t.limit.text)),
               fmt::arg("reason", t.missing.reason));
  return say(lang, *t.is_exceeded ? "report.diagnosis.exceeded" : "report.diagnosis.not_exceeded",
             fmt::arg("metric", t.limit.metric),
             fmt::arg("observed", format_value(*t.observed, t.limit.unit)),
             fmt::arg("limit", one_line(t.limit.text)));
}

std::string requests_line(const RequestStats& r, Lang lang) {
  if (r.n == 0 && r.n_cut_off > 0) return cut_off_line(r.n_cut_off, 0, r.word, lang);
  if (r.n == 0) return std::string(text(lang, "report.diagnosis.no_requests"));
  constexpr std::size_t kMostNames = 3;
  std::string names;
  for (std::size_t i = 0; i < std::min(r.names.size(), kMostNames); ++i)
    names += (names.empty() ? "" : ", ") + one_line(r.names[i], 60);
  if (r.names.size() > kMostNames) names += ", ...";
  std::string units = std::string(unit_name(r.word, r.n, lang));
  if (!names.empty()) units += say(lang, "report.diagnosis.names", fmt::arg("names", names));
  if (r.n_ranks > 1) units += say(lang, "report.diagnosis.on_ranks", fmt::arg("ranks", r.n_ranks));
  return say(lang, "report.diagnosis.requests", fmt::arg("n", r.n), fmt::arg("units", units),
             fmt::arg("mean", dur(r.mean_ns)), fmt::arg("p50", dur(r.p50_ns)), fmt::arg("p90", dur(r.p90_ns)),
             fmt::arg("p99", dur(r.p99_ns)), fmt::arg("max", dur(r.max_ns)),
             fmt::arg("rate", format_number(r.per_second)));
}

std::string threads_line(const ThreadUnit& unit, const Diagnosis& d, Lang lang) {
  return say(lang, "report.diagnosis.threads", fmt::arg("n", unit.n), fmt::arg("all", unit.n_all),
             fmt::arg("process", unit.process.empty() ? target_name(d, lang) : one_line(unit.process, 120)),
             fmt::arg("total", dur(unit.total_ns)));
}

} // namespace

std::vector<std::string> headlines(const Diagnosis& d, Lang lang) {
  std::vector<std::string> lines;
  if (d.threshold) lines.push_back(threshold_line(*d.threshold, lang));
  for (const MissingSignal& m : d.problem_missing)
    lines.push_back(say(lang, "report.diagnosis.problem_missing", fmt::arg("signal", m.signal),
                        fmt::arg("reason", m.reason), fmt::arg("mend", m.mend)));
  lines.push_back(d.threads ? threads_line(*d.threads, d, lang) : requests_line(d.requests, lang));
  const bool is_none_finished = !d.threads && d.requests.n == 0 && d.requests.n_cut_off > 0;
  if (d.requests.n_cut_off > 0 && !is_none_finished)
    lines.push_back(cut_off_line(d.requests.n_cut_off, d.requests.n, d.requests.word, lang));
  return lines;
}

std::vector<std::string> mend_lines(const Cause& cause, Lang lang,
                                    const std::function<std::string(std::string_view)>& shown) {
  std::vector<std::string> lines;
  const auto add = [&](const char* id, const std::vector<std::string>& names) {
    std::vector<std::string> words;
    for (const std::string& name : names)
      words.push_back(shown(name));
    if (!words.empty()) lines.push_back(say(lang, id, fmt::arg("actions", joined(words))));
  };
  add("report.diagnosis.actions", cause.actions);
  add("report.diagnosis.advice", cause.advice);
  if (lines.empty()) lines.emplace_back(text(lang, "report.diagnosis.no_actions"));
  return lines;
}

std::string confidence_line(const Cause& cause, Lang lang) {
  const Share& share = cause.share;
  const std::string confidence = fmt::format("{:.2f}", cause.confidence);
  if (share.unit == "value")
    return say(lang, "report.diagnosis.confidence_value", fmt::arg("confidence", confidence),
               fmt::arg("mean", format_share(share.mean)));
  if (share.unit == "device")
    return say(lang, "report.diagnosis.confidence_device", fmt::arg("confidence", confidence),
               fmt::arg("mean", format_share(share.mean)));
  if (share.unit == "thread")
    return say(lang, "report.diagnosis.confidence_threads", fmt::arg("confidence", confidence),
               fmt::arg("mean", format_share(share.mean)));
  const std::string interval = has_interval(share) ? say(lang, "report.diagnosis.interval",
                                                         fmt::arg("low", format_share(share.mean_low)),
                                                         fmt::arg("high", format_share(share.mean_high)))
                                                   : "";
  std::string line = say(lang, "report.diagnosis.confidence", fmt::arg("confidence", confidence),
                         fmt::arg("units", text(lang, "diagnose.units." + share.word)),
                         fmt::arg("mean", format_share(share.mean)), fmt::arg("interval", interval),
                         fmt::arg("slow", format_share(share.slow)));
  if (share.of_service && *share.of_service > share.mean * 1.05)
    line += (lang == Lang::zh ? "；" : "; ") +
            say(lang, "report.diagnosis.of_service", fmt::arg("value", format_share(*share.of_service)));
  return line;
}

std::string accounting_title(const Diagnosis& d, Lang lang) {
  return say(lang, "report.diagnosis.accounting",
             fmt::arg("unit_time", text(lang, "diagnose.unit_time." + d.requests.word)));
}

std::string running_line(const Accounting& a, Lang lang) {
  std::string items;
  for (const auto& [name, share] : a.running) {
    const std::string what =
        name.empty() ? std::string(text(lang, "report.diagnosis.running_other")) : one_line(name, 80);
    items += (items.empty() ? "" : lang == Lang::zh ? "，" : ", ") + what + " " + format_share(share);
  }
  return items.empty() ? "" : say(lang, "report.diagnosis.running", fmt::arg("items", items));
}

std::vector<std::string> call_lines(const Accounting& a, Lang lang) {
  std::vector<std::string> lines;
  for (auto at = a.calls.begin(); at != a.calls.end();) {
    const std::string& time_class = at->time_class;
    std::vector<std::string> items;
    for (; at != a.calls.end() && at->time_class == time_class; ++at)
      items.push_back((at->name.empty() ? std::string(text(lang, "report.diagnosis.running_other"))
                                        : one_line(at->name, 80)) +
                      " " + format_share(at->share));
    lines.push_back(say(lang, "report.diagnosis.calls", fmt::arg("class", time_class),
                        fmt::arg("items", joined(items, lang == Lang::zh ? "，" : ", "))));
  }
  return lines;
}

std::string device_accounting_title(const DeviceAccounting& a, Lang lang) {
  return say(lang,
             a.n_devices == 1 ? "report.diagnosis.device_accounting" : "report.diagnosis.devices_accounting",
             fmt::arg("n", a.n_devices), fmt::arg("window", dur(a.window_ns)));
}

std::string idle_line(const UnexplainedIdle& idle, Lang lang) {
  const std::string_view between = lang == Lang::zh ? "；" : "; ";
  std::vector<std::string> why, mend;
  for (const MissingSignal& m : idle.why) {
    why.push_back(m.reason);
    if (std::ranges::find(mend, m.mend) == mend.end()) mend.push_back(m.mend);
  }
  const std::string space = lang == Lang::zh ? "" : " ";
  std::string line = say(lang, "report.diagnosis.idle", fmt::arg("share", format_share(idle.share)),
                         fmt::arg("why", joined(why, between)));
  if (!idle.host.empty()) {
    std::vector<std::string> host;
    for (const auto& [name, share] : idle.host)
      host.push_back(one_line(name, 80) + " " + format_share(share));
    line += space + say(lang, "report.diagnosis.idle_host",
                        fmt::arg("items", joined(host, lang == Lang::zh ? "，" : ", ")));
  }
  if (!idle.has_requests) line += space + std::string(text(lang, "report.diagnosis.idle_no_requests"));
  return line + space + say(lang, "report.diagnosis.idle_mend", fmt::arg("mend", joined(mend, between)));
}

std::string evidence_line(const EvidenceResult& e, Lang lang) {
  if (!e.threshold) return e.text;
  const std::string limit =
      say(lang, "report.diagnosis.limit", fmt::arg("op", e.threshold->is_above ? ">" : "<"),
          fmt::arg("value", format_value(e.threshold->limit, e.unit)));
  return lang == Lang::zh ? e.text + "（" + limit + "）" : e.text + " (" + limit + ")";
}

std::string weight_text(double weight) {
  return weight == 0 ? "0" : fmt::format("{:+g}", weight);
}

std::string_view causes_title(const Diagnosis& d, Lang lang) {
  const auto problem = find_problem(d.problem);
  const Band band = problem ? problem->band : Band::all;
  return text(lang, band == Band::slow     ? "report.diagnosis.causes_slow"
                    : band == Band::larger ? "report.diagnosis.causes_larger"
                                           : "report.diagnosis.causes");
}

std::string no_cause_line(const Diagnosis& d, Lang lang) {
  std::string line(text(lang, "report.diagnosis.no_cause"));
  std::string names;
  for (const CannotTellRule& c : d.cannot_tell)
    names += (names.empty() ? "" : ", ") + c.id;
  line += lang == Lang::zh ? "" : " ";
  if (names.empty()) return line + std::string(text(lang, "report.diagnosis.no_cause_complete"));
  return line + say(lang, "report.diagnosis.no_cause_data", fmt::arg("rules", names));
}

std::string missing_line(const MissingSignal& m, Lang lang) {
  return say(lang, "report.diagnosis.missing", fmt::arg("signal", m.signal), fmt::arg("reason", m.reason),
             fmt::arg("mend", m.mend));
}

std::vector<Wanted> wanted(const Diagnosis& d, Lang lang) {
  std::vector<Wanted> all;
  for (const CannotTellRule& rule : d.cannot_tell)
    for (const MissingSignal& missing : rule.missing) {
      const std::string line = missing_line(missing, lang);
      auto at = std::ranges::find(all, line, &Wanted::line);
      if (at == all.end()) at = all.insert(all.end(), {.line = line, .rules = {}});
      if (std::ranges::find(at->rules, rule.title) == at->rules.end()) at->rules.push_back(rule.title);
    }
  return all;
}

std::string example_line(const ExampleSlice& e, std::int64_t start_ns, Lang lang) {
  const auto at = [&](std::int64_t ts) { return dur(static_cast<double>(ts - start_ns)); };
  const std::string slice = say(lang, "report.diagnosis.example", fmt::arg("id", e.slice_id),
                                fmt::arg("name", one_line(e.name, 60)), fmt::arg("at", at(e.ts_ns)),
                                fmt::arg("dur", dur(static_cast<double>(e.dur_ns))));
  if (!e.launched) return slice;
  return say(lang,
             e.launched->n == 1 ? "report.diagnosis.example_kernel" : "report.diagnosis.example_kernels",
             fmt::arg("kernel", one_line(e.launched->name, 60)), fmt::arg("at", at(e.launched->ts_ns)),
             fmt::arg("dur", dur(static_cast<double>(e.launched->dur_ns))), fmt::arg("slice", slice),
             fmt::arg("n", e.launched->n));
}

std::string joined(const std::vector<std::string>& names, std::string_view between) {
  std::string out;
  for (const std::string& name : names)
    out.append(out.empty() ? "" : between).append(name);
  return out;
}

std::string target_name(const Diagnosis& d, Lang lang) {
  return d.target.empty() ? std::string(text(lang, "report.diagnosis.unknown_target"))
                          : one_line(d.target, 120);
}

} // namespace prof::detail

namespace prof {

std::string cut_off_line(std::int64_t n_cut_off, std::int64_t n, std::string_view word, Lang lang) {
  const char* id = n == 0 ? "report.diagnosis.none_finished" : "report.diagnosis.cut_off";
  return say(lang, id, fmt::arg("n", n_cut_off), fmt::arg("all", n + n_cut_off),
             fmt::arg("units", unit_name(word, n + n_cut_off, lang)));
}

} // namespace prof
