// scene.hpp: a service with one worker that serves requests one after another, written by hand; times in
// microseconds.
#pragma once
#include "../store/trace_builder.hpp"
#include "rules/diagnosis.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

namespace prof {

class Scene {
public:
  struct Op {
    std::string type;
    std::int64_t us = 0;
  };
  struct Options {
    std::int64_t queue_us = 0, batch_us = 0; // waits before the work
    std::int64_t other_us = 0;               // work after the operators
    std::int64_t gap_us = 0;                 // between two operators
    std::int64_t idle_us = 10;               // until the next request's work
    bool has_sched = true;                   // the worker runs on CPU 0 during its stage
  };

  TraceBuilder t;
  TraceBuilder::Worker worker = t.thread(7, 70, "worker");
  std::int64_t now_us = 0; // where the next work begins
  std::int64_t next_id = 1;

  static std::int64_t ns(std::int64_t us) { return us * 1000; }

  // Waits, then one stage with these operators. Returns when the work began.
  std::int64_t request(const std::vector<Op>& ops, const Options& o) {
    const std::int64_t id = next_id++;
    const std::int64_t start = now_us;
    std::int64_t at = start;
    for (const Op& op : ops) {
      t.op(op.type, worker, ns(at), ns(at + op.us));
      at += op.us + o.gap_us;
    }
    at += o.other_us;
    const std::int64_t arrived = start - o.queue_us - o.batch_us;
    t.request(id, ns(arrived), ns(at));
    if (o.queue_us > 0) t.wait("queue", "queue_wait", ns(arrived), ns(arrived + o.queue_us), {id});
    if (o.batch_us > 0) t.wait("batch", "batch_wait", ns(arrived + o.queue_us), ns(start), {id});
    t.stage("denoise", worker, ns(start), ns(at), {id});
    if (o.has_sched) on_cpu(start, at);
    now_us = at + o.idle_us;
    return start;
  }
  std::int64_t request(const std::vector<Op>& ops) { return request(ops, Options{}); }
  // The worker runs on CPU 0, alone.
  void on_cpu(std::int64_t from_us, std::int64_t to_us) {
    t.switch_to(ns(from_us), 0, 0, 'R', worker.tid);
    t.switch_to(ns(to_us), 0, worker.tid, 'S', 0);
  }
  void signal(std::string_view name, bool is_available) {
    t.sink().signal({.name = t.text(name),
                     .is_available = is_available,
                     .source = {},
                     .reason = t.text(is_available ? "" : "signal.reason.not_recorded"),
                     .mend = t.text(is_available ? "" : "signal.mend.not_recorded"),
                     .detail = {}});
  }
};

// A diagnosis with the answer of each rule at hand. Any query that failed is a test failure.
struct Answers {
  Diagnosis d;
  [[nodiscard]] std::string of(std::string_view id) const {
    const auto has = [&](const auto& list) {
      return std::ranges::any_of(list, [&](const auto& item) { return item.id == id; });
    };
    if (has(d.causes)) return "found";
    if (has(d.clear)) return "clear";
    if (has(d.not_applicable)) return "not applicable";
    if (has(d.cannot_tell)) return "cannot tell";
    return "absent";
  }
  [[nodiscard]] const Cause& cause(std::string_view id) const {
    return *std::ranges::find(d.causes, id, &Cause::id);
  }
  [[nodiscard]] std::string missing(std::string_view id) const {
    const auto at = std::ranges::find(d.cannot_tell, id, &CannotTellRule::id);
    return at == d.cannot_tell.end() ? "" : at->missing.front().signal;
  }
  // Value of a piece of evidence of a found cause, or nullopt.
  [[nodiscard]] std::optional<double> value(std::string_view id, std::string_view evidence) const {
    for (const Cause& c : d.causes)
      for (const auto* list : {&c.evidence, &c.against})
        for (const EvidenceResult& e : *list)
          if (c.id == id && e.name == evidence) return e.value;
    return std::nullopt;
  }
  [[nodiscard]] bool is_against(std::string_view id, std::string_view evidence) const {
    return std::ranges::any_of(cause(id).against,
                               [&](const EvidenceResult& e) { return e.name == evidence; });
  }
};

inline DiagnoseOptions about(std::string problem) {
  DiagnoseOptions options;
  options.problem = std::move(problem);
  return options;
}

inline Answers ask(Scene& scene, const DiagnoseOptions& options = {}) {
  const Store store = scene.t.seal();
  const auto rules = builtin_rules();
  EXPECT_TRUE(rules.ok()) << (rules ? "" : rules.error().where + ": " + rules.error().what);
  const auto diagnosis = rules ? diagnose(store, *rules, options) : Result<Diagnosis>(Error{});
  EXPECT_TRUE(diagnosis.ok()) << (diagnosis ? "" : diagnosis.error().what);
  Answers answers{diagnosis ? *diagnosis : Diagnosis{}};
  for (const CannotTellRule& c : answers.d.cannot_tell)
    for (const MissingSignal& m : c.missing)
      EXPECT_NE(m.signal, "sql") << c.id << ": " << m.detail;
  return answers;
}

} // namespace prof
