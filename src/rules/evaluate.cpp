#include "rules/evaluate.hpp"

#include "base/format_units.hpp"
#include "rules/unit_views.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>

namespace prof {
namespace {

constexpr int kMaxExpandDepth = 10;
constexpr std::size_t kMaxSqlBytes = 1 << 18;
constexpr std::int64_t kMaxExamples = 3;
// Weights of the engine's own evidence, the same for every rule: time that grows with the latency speaks for
// a cause of the tail (research: minimum evidence per class). Uncalibrated, as all weights.
constexpr double kTailGapLimit = 0.30;
constexpr double kTailGapFor = 1.0, kTailGapAgainst = -0.4;
constexpr double kCorrelationLimit = 0.5;
constexpr double kCorrelationFor = 0.5;
constexpr std::size_t kMinForCorrelation = 100;

// Runs the queries of one rule and turns them into evidence.
class RuleRun {
public:
  RuleRun(const Rule& rule, RuleWorld& world) : rule_(rule), world_(world) {
    out_.rule = &rule;
    out_.cause.id = rule.id;
    out_.cause.cause_class = rule.cause_class;
    out_.cause.title = rule.title.in(world.lang);
    out_.cause.actions = rule.actions;
    for (const RulesOut& r : rule.rules_out)
      out_.cause.rules_out.emplace_back(r.cause, r.how.in(world.lang));
  }

  Evaluation answer() {
    if (!speaks_about_the_problem()) return finish(Answer::not_applicable);
    out_.missing = world_.signals.missing(rule_.needs);
    if (rule_.is_about_device && !out_.missing.empty() && world_.signals.has_no_device()) {
      out_.why = text(world_.lang, "diagnose.no_device");
      return finish(Answer::not_applicable);
    }
    if (!out_.missing.empty()) return finish(Answer::cannot_tell);
    if (!applies()) return finish(out_.missing.empty() ? Answer::not_applicable : Answer::cannot_tell);
    out_.log_odds = rule_.prior;
    if (rule_.ratio_sql.empty() && set().size() == 0) {
      nothing_to_measure();
      return finish(Answer::cannot_tell);
    }
    measure_share();
    for (const FactDef& fact : rule_.facts)
      add_fact(fact);
    for (const EvidenceDef& e : rule_.evidence)
      look_at(e);
    if (rule_.ratio_sql.empty() && !rule_.is_about_device && !is_of_threads()) look_at_tail();
    write_texts();
    out_.cause.confidence = confidence_of(out_.log_odds, out_.cap);
    const bool is_found = is_key_passed_ && out_.cause.confidence >= kFoundConfidence;
    for (const AbstainDef& a : rule_.abstain)
      if (must_abstain(a, is_found))
        out_.missing.push_back(
            {a.signal, fill_in(a.why.in(world_.lang), values_), a.mend.in(world_.lang), {}});
    if (!out_.missing.empty()) return finish(Answer::cannot_tell);
    if (is_found) return finish(Answer::found);
    if (is_key_passed_) say_what_speaks_against_it();
    return finish(Answer::clear);
  }

private:
  [[nodiscard]] const RequestSet& set() const {
    if (rule_.is_about_device) return world_.devices;
    return rule_.is_about_ops ? world_.with_ops : world_.requests;
  }
  [[nodiscard]] bool is_of_threads() const { return set().kind == UnitKind::thread; }
  // What the views of this rule stand for.
  [[nodiscard]] UnitKind kind() const {
    if (world_.requests.kind == UnitKind::thread) return UnitKind::thread;
    return rule_.is_about_ops ? set().kind : UnitKind::unit;
  }
  [[nodiscard]] std::string shown(std::string_view sql) const { return expand_sql(rule_, sql, kind()); }
  [[nodiscard]] std::string run(std::string_view sql) const {
    return expand_sql(rule_, sql, kind(), &world_.kept);
  }

  Evaluation finish(Answer answer) {
    out_.answer = answer;
    return std::move(out_);
  }

  // The key figure is beyond its limit, and the rule is clear all the same.
  void say_what_speaks_against_it() {
    std::string against;
    for (const EvidenceResult& e : out_.cause.against)
      against += (against.empty() ? "" : "; ") + e.text;
    if (against.empty()) return;
    out_.looked_at += fill_in(text(world_.lang, "diagnose.outweighed"), {{"against", against}});
  }

  void query_failed(const Error& error) {
    out_.missing.push_back(
        {"sql", fill_in(text(world_.lang, "diagnose.query_failed"), {{"what", said_in(error, world_.lang)}}),
         fill_in(text(world_.lang, "diagnose.query_failed.mend"), {{"file", rule_.path}}), error.what});
  }

  // No request (or run) to take shares of: the signal that is missing, else what its rows lack.
  void nothing_to_measure() {
    const char* const signal = rule_.is_about_device ? "kernels" : rule_.is_about_ops ? "ops" : "units";
    out_.missing = world_.signals.missing(std::vector<AnyOf>{{signal}});
    if (!out_.missing.empty()) return;
    if (world_.has_only_cut_units && !rule_.is_about_device) {
      out_.missing.push_back({signal,
                              std::string(text(world_.lang, "metric.reason.none_finished")),
                              std::string(text(world_.lang, "metric.mend.none_finished")),
                              {}});
      return;
    }
    const std::string_view why = rule_.is_about_ops ? "diagnose.no_op_unit" : "diagnose.no_unit";
    out_.missing.push_back({signal,
                            std::string(text(world_.lang, why)),
                            std::string(text(world_.lang, "diagnose.signal.mend.requests")),
                            {}});
  }

  bool speaks_about_the_problem() {
    if (world_.problem.id == "auto" ||
        std::ranges::find(rule_.problems, world_.problem.id) != rule_.problems.end())
      return true;
    out_.why = text(world_.lang, "diagnose.other_problem");
    return false;
  }

  bool applies() {
    if (rule_.applies_sql.empty()) return true;
    const auto number = one_number(world_.sql, run(rule_.applies_sql));
    if (!number)
      query_failed(number.error());
    else if (number->value_or(0) != 0)
      return true;
    out_.why = rule_.applies_why.in(world_.lang);
    return false;
  }

  void measure_share() {
    Share& share = out_.cause.share;
    if (!rule_.ratio_sql.empty()) {
      const auto ratio = one_number(world_.sql, run(rule_.ratio_sql));
      if (!ratio) return query_failed(ratio.error());
      share.unit = share.word = "value";
      share.mean = share.slow = share.mean_low = share.mean_high = ratio->value_or(0);
      share.sql = shown(rule_.ratio_sql);
      out_.mean_low = out_.slow_low = share.mean;
      return;
    }
    auto times = load_times(world_.sql, set(), run(rule_.share_sql));
    if (!times) return query_failed(times.error());
    times_ = *std::move(times);
    const RatioEstimate all = ratio_over_all(set(), times_), slow = ratio_over(set(), times_, set().slow);
    share.unit = set().unit;
    share.word = set().word;
    share.sql = shown(rule_.share_sql);
    share.mean = all.value;
    share.slow = slow.value;
    share.mean_low = out_.mean_low = all.low;
    share.mean_high = all.high;
    out_.slow_low = slow.low;
    if (is_of_threads()) { // all there are, and none is a slow one: no sample of more to come
      share.slow = share.mean_low = share.mean_high = out_.mean_low = out_.slow_low = share.mean;
      return;
    }
    if (rule_.is_in_service && set().unit == "request" && !rule_.is_about_device)
      share.of_service = share_of_service();
  }

  // The cause's time over the time of the same requests without queue wait.
  std::optional<double> share_of_service() const {
    double cause = 0, service = 0;
    for (std::size_t i = 0; i < set().size(); ++i) {
      const auto at = std::ranges::lower_bound(world_.requests.id, set().id[i]);
      const auto row = static_cast<std::size_t>(at - world_.requests.id.begin());
      const double waited = row < world_.queue_wait.size() ? world_.queue_wait[row] : 0;
      cause += times_[i];
      service += static_cast<double>(set().dur[i]) - waited;
    }
    if (service <= 0) return std::nullopt;
    return std::min(1.0, cause / service);
  }

  void add_fact(const FactDef& fact) {
    const auto result = world_.sql.query(run(fact.sql), 1);
    if (!result) return query_failed(result.error());
    if (result->rows.empty() || result->rows[0].empty()) return;
    if (const auto* words = std::get_if<std::string>(&result->rows[0][0]))
      values_[fact.name] = *words;
    else if (const auto number = number_of(result->rows[0][0]))
      values_[fact.name] = format_value(*number, fact.unit);
  }

  void look_at(const EvidenceDef& e) {
    EvidenceResult seen{e.name, {}, e.unit, shown(e.sql), std::nullopt, e.threshold, 0, e.is_key, {}};
    const auto missing = world_.signals.missing(e.needs);
    if (missing.empty()) {
      const auto number = one_number(world_.sql, run(e.sql));
      if (!number) return query_failed(number.error());
      seen.value = *number;
    }
    if (!seen.value) return look_in_vain(e, missing);
    values_[e.name] = format_value(*seen.value, e.unit);
    if (e.threshold) {
      const bool is_passed =
          e.threshold->is_above ? *seen.value > e.threshold->limit : *seen.value < e.threshold->limit;
      seen.weight = is_passed ? e.weight_for : e.weight_against;
      if (e.is_key) {
        is_key_passed_ = is_passed;
        key_value_ = seen.value;
      }
    }
    if (!e.examples.empty()) seen.examples = examples(e.examples);
    out_.log_odds += seen.weight;
    (seen.weight < 0 ? out_.cause.against : out_.cause.evidence).push_back(std::move(seen));
  }

  bool must_abstain(const AbstainDef& a, bool is_found) {
    if (a.when == AbstainWhen::outweighed) return is_key_passed_ && !is_found;
    if (a.when == AbstainWhen::unseen && is_key_passed_) return false;
    const auto number = one_number(world_.sql, run(a.sql));
    if (!number) {
      query_failed(number.error());
      return false;
    }
    const double value = number->value_or(0);
    if (a.when == AbstainWhen::asked) return value != 0;
    const auto key = std::ranges::find(rule_.evidence, true, &EvidenceDef::is_key);
    values_["unseen"] = format_value(value, key->unit);
    return key_value_ && key->threshold->is_above && *key_value_ + value > key->threshold->limit;
  }

  // Evidence without data: the key's absence is "cannot tell"; any other lowers the highest confidence. A
  // figure without a limit decides nothing, so its absence is none: there is no such thing in the trace.
  void look_in_vain(const EvidenceDef& e, const std::vector<MissingSignal>& missing) {
    if (!e.threshold && missing.empty()) return;
    out_.cause.could_not_look_at.push_back(e.name);
    if (!e.is_key) {
      out_.cap = std::min(out_.cap, e.cap_without);
      return;
    }
    if (!missing.empty())
      out_.missing.insert(out_.missing.end(), missing.begin(), missing.end());
    else
      out_.missing.push_back({e.name,
                              std::string(text(world_.lang, "diagnose.no_value")),
                              std::string(text(world_.lang, "diagnose.no_value.mend")),
                              {}});
  }

  // The engine's own evidence, computed from the share's time per request.
  void look_at_tail() {
    const bool is_tail = world_.problem.band == Band::slow;
    const auto add = [&](const char* name, std::optional<double> value, double limit, double weight_for,
                         double weight_against) {
      if (!value) return;
      EvidenceResult seen{
          name, {},    "", shown(rule_.share_sql), value, Threshold{true, limit, "docs/diagnosis.md"},
          0,    false, {}};
      seen.weight = *value > limit ? weight_for : weight_against;
      values_[name] = format_number(std::round(*value * 100) / 100);
      out_.log_odds += seen.weight;
      (seen.weight < 0 ? out_.cause.against : out_.cause.evidence).push_back(std::move(seen));
    };
    add("tail_gap_explained", tail_gap_explained(set(), times_), kTailGapLimit, kTailGapFor,
        is_tail ? kTailGapAgainst : 0);
    if (set().size() >= kMinForCorrelation)
      add("latency_correlation", latency_correlation(set(), times_), kCorrelationLimit, kCorrelationFor, 0);
  }

  std::vector<ExampleSlice> examples(std::string_view query) {
    std::vector<ExampleSlice> out;
    const std::string full = fmt::format("select s.id, s.ts, s.dur, s.name, k.name, k.ts, k.dur, (select "
                                         "count(*) from kernel where launch_id = "
                                         "s.id) from slice s left join kernel k on k.id = (select id from "
                                         "kernel where launch_id = s.id order by dur "
                                         "desc, id limit 1) where s.id in (select * from ({}) limit {})",
                                         run(query), kMaxExamples);
    const auto result = world_.sql.query(full, kMaxExamples);
    if (!result) return out; // an example is a help, not evidence
    const auto number = [](const SqlValue& value) {
      const auto* n = std::get_if<std::int64_t>(&value);
      return n == nullptr ? 0 : *n;
    };
    const auto words = [](const SqlValue& value) {
      const auto* name = std::get_if<std::string>(&value);
      return name == nullptr ? std::string() : *name;
    };
    for (const auto& row : result->rows) {
      ExampleSlice e{number(row[0]), number(row[1]), number(row[2]), words(row[3]), {}};
      if (number(row[7]) > 0)
        e.launched = {
            .name = words(row[4]), .ts_ns = number(row[5]), .dur_ns = number(row[6]), .n = number(row[7])};
      out.push_back(std::move(e));
    }
    std::ranges::sort(out, {}, [](const ExampleSlice& e) {
      return std::pair(-(e.launched ? e.launched->dur_ns : e.dur_ns), e.slice_id);
    });
    return out;
  }

  void write_texts() {
    values_["share_mean"] = format_share(out_.cause.share.mean);
    values_["share_slow"] = format_share(out_.cause.share.slow);
    values_["n"] = fmt::format("{}", set().size());
    values_["unit_name"] = text(world_.lang, "diagnose.unit." + set().word);
    values_["unit_time"] = text(world_.lang, "diagnose.unit_time." + set().word);
    for (const EvidenceDef& e : rule_.evidence)
      values_.try_emplace(e.name, "?");
    for (const FactDef& f : rule_.facts)
      values_.try_emplace(f.name, "?");
    out_.cause.summary = fill_in(rule_.summary.in(world_.lang), values_);
    if (!rule_.examples_sql.empty()) out_.cause.examples = examples(rule_.examples_sql);
    for (auto* list : {&out_.cause.evidence, &out_.cause.against})
      for (EvidenceResult& seen : *list) {
        values_["value"] = values_[seen.name];
        const auto def = std::ranges::find(rule_.evidence, seen.name, &EvidenceDef::name);
        const std::string own(text(world_.lang, "diagnose.evidence." + seen.name));
        seen.text = fill_in(def != rule_.evidence.end() ? def->text.in(world_.lang) : own, values_);
        if (seen.is_key)
          out_.looked_at = seen.text + fill_in(text(world_.lang, "diagnose.limit"),
                                               {{"op", seen.threshold->is_above ? ">" : "<"},
                                                {"value", format_value(seen.threshold->limit, seen.unit)}});
      }
  }

  const Rule& rule_;
  RuleWorld& world_;
  Evaluation out_;
  std::vector<double> times_;
  std::map<std::string, std::string, std::less<>> values_;
  bool is_key_passed_ = false;
  std::optional<double> key_value_;
};

} // namespace

double confidence_of(double log_odds, double cap) {
  const double p = std::min({1 / (1 + std::exp(-log_odds)), cap, kUncalibratedCap});
  return std::round(p * 100) / 100;
}

std::string KeptViews::table_of(const std::string& query) {
  const auto known = known_.find(query);
  if (known != known_.end()) return known->second;
  std::string name = fmt::format("kept_{}", known_.size());
  if (!sql_.keep(name, query)) name = "(" + query + ")";
  return known_.emplace(query, std::move(name)).first->second;
}

namespace {

// Puts views and params in, innermost first. A view that names itself stops at the depth limit, unexpanded.
// What is shown names its views in a WITH, each once: inside each other they would be hard to read, and
// SQLite's parser holds a hundred symbols that are open.
class SqlExpander {
public:
  SqlExpander(const Rule& rule, UnitKind kind, KeptViews* kept)
      : rule_(rule), kept_(kept), views_(views_of(kind)) {
    for (const auto& [name, view] : rule.views)
      views_[name] = view;
  }
  std::string whole(std::string_view text) {
    std::string main = expand(text, 0);
    if (shown_.empty()) return main;
    constexpr std::string_view kWith = "with ", kRecursive = "recursive ";
    std::string_view rest = main;
    const bool has_with = rest.starts_with(kWith);
    if (has_with) rest.remove_prefix(kWith.size());
    const bool is_recursive = has_with && rest.starts_with(kRecursive);
    if (is_recursive) rest.remove_prefix(kRecursive.size());
    return fmt::format("with {}{}{}{}", is_recursive ? kRecursive : "", shown_, has_with ? ",\n" : "\n",
                       rest);
  }

private:
  // NOLINTNEXTLINE(misc-no-recursion): bounded by kMaxExpandDepth and kMaxSqlBytes
  std::string expand(std::string_view text, int depth) {
    std::map<std::string, std::string, std::less<>> values;
    for (const std::string& place : places_of(text)) {
      if (const auto param = rule_.params.find(place); param != rule_.params.end())
        values[place] = fmt::format("{}", param->second.value);
      const auto view = views_.find(place);
      if (view == views_.end() || depth >= kMaxExpandDepth || size_ > kMaxSqlBytes) continue;
      if (kept_ == nullptr && named_.contains(place)) {
        values[place] = name_of(place);
        continue;
      }
      const std::string inner = expand(view->second, depth + 1);
      size_ += inner.size();
      values[place] = kept_ != nullptr ? kept_->table_of(inner) : show(place, inner);
    }
    return fill_in(text, values);
  }
  static std::string name_of(std::string_view view) { return fmt::format("the_{}", view); }
  std::string show(const std::string& view, std::string_view sql) {
    if (named_.insert(view).second)
      shown_ += fmt::format("{}{} as ({})", shown_.empty() ? "" : ",\n", name_of(view), sql);
    return name_of(view);
  }

  const Rule& rule_;
  KeptViews* kept_;
  Views views_;
  std::set<std::string, std::less<>> named_;
  std::string shown_; // the WITH's parts so far
  std::size_t size_ = 0;
};

} // namespace

std::string expand_sql(const Rule& rule, std::string_view text, UnitKind kind, KeptViews* kept) {
  return SqlExpander(rule, kind, kept).whole(text);
}
std::string expand_sql(std::string_view text, UnitKind kind, KeptViews* kept) {
  static const Rule kNone;
  return SqlExpander(kNone, kind, kept).whole(text);
}

Evaluation evaluate(const Rule& rule, RuleWorld& world) {
  return RuleRun(rule, world).answer();
}

} // namespace prof
