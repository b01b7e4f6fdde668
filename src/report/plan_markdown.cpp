#include "report/plan_view.hpp"

#include "base/format_units.hpp"
#include "base/safe_text.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace prof {
namespace {

// "-14.0 %, from -19.0 % to -6.0 %"
std::string range_text(const Change& change, Lang lang) {
  const auto percent = [](double share) { return fmt::format("{:+.1f} %", 100 * share); };
  return say(lang, "plan.md.range", fmt::arg("typical", percent(change.typical)),
             fmt::arg("low", percent(change.low)), fmt::arg("high", percent(change.high)));
}

// What a change is worth where less is better (or more, for throughput).
std::string_view worth_text(const Change& change, bool is_more_better, Lang lang) {
  constexpr double kShown = 0.0005; // what is printed as 0.0 %
  const double best = is_more_better ? change.high : -change.low;
  const double worst = is_more_better ? change.low : -change.high;
  const char* id = best < kShown && worst > -kShown ? "plan.md.worth.none"
                   : worst > -kShown                ? "plan.md.worth.better"
                   : best < kShown                  ? "plan.md.worth.worse"
                                                    : "plan.md.worth.either";
  return text(lang, id);
}

std::string ms(double ns) {
  return format_dur({static_cast<std::int64_t>(ns)});
}

void add_block(std::string& out, std::string_view info, const std::vector<std::string>& lines) {
  if (lines.empty()) return;
  std::string content;
  for (const std::string& line : lines)
    content += valid_utf8(line) + "\n";
  std::string fence = "```";
  while (content.find(fence) != std::string::npos)
    fence += '`';
  // Escape sequences of hostile names would reach the reader's terminal through `cat`.
  std::string safe;
  for (const char c : content) {
    if (static_cast<unsigned char>(c) < 32 && c != '\n')
      safe += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    else
      safe += c;
  }
  out += fence + std::string(info) + "\n" + safe + fence + "\n\n";
}

// "Expected gain", and whether it rests on ranges that nobody has measured.
std::string gain_title(const std::vector<Effect>& effects, Lang lang) {
  const bool is_assumed = std::ranges::any_of(effects, &Effect::is_assumed);
  return std::string(text(lang, is_assumed ? "plan.md.gain_assumed" : "plan.md.gain"));
}

void add_gain_table(std::string& out, const Gain& gain, Lang lang) {
  out += fmt::format("| {} | {} | {} |\n|---|---|---|\n", text(lang, "plan.md.metric"),
                     text(lang, "plan.md.change"), text(lang, "plan.md.worth"));
  const auto row = [&](std::string_view id, const Change& change, bool is_more_better = false) {
    out += fmt::format("| {} | {} | {} |\n", text(lang, id), range_text(change, lang),
                       worth_text(change, is_more_better, lang));
  };
  row("plan.md.p99", gain.p99);
  row("plan.md.p50", gain.p50);
  row("plan.md.mean", gain.mean);
  row("plan.md.capacity", gain.capacity, true);
  row("plan.md.work", gain.work);
  if (gain.refused_share > 0)
    out += fmt::format("| {} | {} | {} |\n", text(lang, "plan.md.refused"), format_share(gain.refused_share),
                       text(lang, "plan.md.worth.worse"));
  out += "\n";
}

std::string percent(double share) {
  return fmt::format("{:.1f} %", 100 * std::fabs(share));
}

// "13 pairs of 60 s", or that no sensible number is enough.
std::string needed_text(std::int64_t needed, const ProofSize& proof, Lang lang) {
  constexpr std::int64_t kMost = 1000;
  const bool is_sensible = needed > 0 && needed <= kMost;
  return say(lang, is_sensible ? "plan.md.needed" : "plan.md.needed_too_many", fmt::arg("n", needed),
             fmt::arg("most", kMost), fmt::arg("length", proof.run_s));
}

// Which change, of which steps: "of step 1, -6.2 %" or "of steps 1 to 3 together".
std::string change_of(const ProofSize& proof, std::size_t number, Lang lang) {
  return say(lang, proof.from_step == number ? "plan.md.change_one" : "plan.md.change_group",
             fmt::arg("from", proof.from_step), fmt::arg("to", number),
             fmt::arg("change", fmt::format("{:+.1f} %", 100 * proof.change.value_or(0))));
}

// How many runs there are and why, what they can show, and how long they take.
std::string proof_text(const ProofSize& proof, std::size_t number, Lang lang) {
  const auto pairs = fmt::arg("n", proof.pairs);
  const auto length = fmt::arg("length", proof.run_s);
  const std::string total_text = say(lang, "plan.md.minutes", fmt::arg("n", (proof.total_s + 59) / 60));
  const auto total = fmt::arg("total", total_text);
  if (!proof.within_run) return say(lang, "plan.md.runs_unknown", pairs, length, total);
  // As far as a fall goes, where a fall is predicted: as much as +7.8 % in logarithms is -7.2 %.
  const bool is_fall = proof.change && *proof.change < 0;
  const std::string shown =
      percent(is_fall ? *proof.detectable / (1 + *proof.detectable) : *proof.detectable);
  const auto detectable = fmt::arg("detectable", shown);
  std::string out;
  if (!proof.change)
    out = say(lang, "plan.md.runs_default", pairs, length, total, detectable);
  else if (!proof.is_enough)
    out = say(lang, "plan.md.runs_too_few", pairs, length, total, detectable,
              fmt::arg("change", change_of(proof, number, lang)),
              fmt::arg("needed", needed_text(proof.needed, proof, lang)));
  else
    out = say(lang, "plan.md.runs", pairs, length, total, detectable,
              fmt::arg("change", change_of(proof, number, lang)));
  if (proof.change && proof.is_enough && proof.needed_at_weak != proof.pairs)
    out += " " + say(lang, "plan.md.runs_weak", fmt::arg("weak", fmt::format("{:+.1f} %", 100 * *proof.weak)),
                     fmt::arg("needed", needed_text(proof.needed_at_weak, proof, lang)));
  return out + "\n\n" + say(lang, "plan.md.runs_why", length, fmt::arg("within", percent(*proof.within_run)));
}

// How the runs come about.
std::string proof_head(std::string_view id, const Plan& plan, const PlanStep& step, Lang lang) {
  return say(lang, id, fmt::arg("n", step.proof.pairs), fmt::arg("length", step.proof.run_s),
             fmt::arg("format", markdown_text(plan.imported_from, 100)));
}

void add_proof(std::string& out, const Plan& plan, std::size_t number, Lang lang) {
  const PlanStep& step = plan.steps[number - 1];
  out += fmt::format("**{}**\n\n", text(lang, "plan.md.proof"));
  if (step.is_search || plan.proof_metrics.empty()) {
    out +=
        std::string(text(lang, step.is_search ? "plan.md.proof_search" : "plan.md.proof_no_metric")) + "\n\n";
    return;
  }
  if (step.proof.with_step > 0) {
    out += say(lang, "plan.md.proof_together", fmt::arg("change", change_of(step.proof, number, lang)),
               fmt::arg("needed", needed_text(step.proof.needed, step.proof, lang)),
               fmt::arg("step", step.proof.with_step)) +
           "\n\n";
    return;
  }
  const bool is_imported = !plan.imported_from.empty();
  out += proof_head(is_imported ? "plan.md.import" : "plan.md.prove", plan, step, lang) + "\n\n";
  std::vector<std::string> commands;
  for (const std::string* command : {&step.before_command, &step.record_command, &step.validate_command})
    if (!command->empty()) commands.push_back(*command);
  add_block(out, "sh", commands);
  out += proof_text(step.proof, number, lang) + "\n\n";
  out += std::string(text(lang, "plan.md.outcomes")) + "\n\n";
}

// Nothing predicts it; where the time of the causes is known, no more than that can go.
std::string no_gain_text(const PlanStep& step, Lang lang) {
  std::string out(text(lang, "plan.md.no_gain"));
  if (step.ceiling)
    out += " " + say(lang, "plan.md.ceiling", fmt::arg("share", format_share(step.ceiling->share)),
                     fmt::arg("unit_time", text(lang, "diagnose.unit_time." + step.ceiling->unit)));
  return out;
}

void add_step(std::string& out, const Plan& plan, std::size_t number, Lang lang) {
  const PlanStep& step = plan.steps[number - 1];
  out += fmt::format("## {}. {} ({})\n\n", number, markdown_text(step.title), markdown_code(step.action));
  std::string causes;
  for (std::size_t i = 0; i < step.causes.size(); ++i)
    causes += fmt::format("{}{} ({})", i == 0 ? "" : "; ", markdown_text(step.cause_titles[i]),
                          markdown_code(step.causes[i]));
  out += say(lang, "plan.md.mends", fmt::arg("causes", causes),
             fmt::arg("confidence", fmt::format("{:.0f}", 100 * step.confidence))) +
         "\n\n";
  out += markdown_text(step.why) + "\n\n";
  for (const std::string& line : step.instructions)
    out += "- " + markdown_text(line) + "\n";
  out += "\n";
  add_block(out, "sh", step.commands);
  if (!step.open_places.empty()) {
    std::string names;
    for (const std::string& place : step.open_places)
      names += (names.empty() ? "" : ", ") + place;
    out += say(lang, "plan.md.open", fmt::arg("places", names)) + "\n\n";
  }
  if (!step.files.empty()) {
    std::string names;
    for (const std::string& file : step.files)
      names += (names.empty() ? "" : ", ") + markdown_code(file);
    out += say(lang, "plan.md.files", fmt::arg("files", names)) + "\n\n";
  }
  const bool has_gain = step.gain || step.share_gain;
  out += fmt::format("**{}**\n\n", gain_title(has_gain ? step.effects : std::vector<Effect>{}, lang));
  if (step.gain)
    add_gain_table(out, *step.gain, lang);
  else if (step.share_gain)
    out += say(lang, "plan.md.share_gain", fmt::arg("change", range_text(step.share_gain->change, lang)),
               fmt::arg("unit_time", text(lang, "diagnose.unit_time." + step.share_gain->unit))) +
           "\n\n";
  else
    out += no_gain_text(step, lang) + "\n\n";
  for (const std::string& assumption : step.assumptions)
    out += "- " + say(lang, "plan.md.assumption", fmt::arg("text", markdown_text(assumption))) + "\n";
  out +=
      fmt::format("- {}\n- {}\n- {}\n\n",
                  say(lang, "plan.md.risk", fmt::arg("risk", fmt::format("{:.2f}", step.risk)),
                      fmt::arg("class", step.action_class), fmt::arg("text", markdown_text(step.risk_text))),
                  say(lang, "plan.md.effort", fmt::arg("hours", fmt::format("{:g}", step.effort_hours))),
                  say(lang, "plan.md.rollback", fmt::arg("text", markdown_text(step.rollback))));
  add_block(out, "sh", step.rollback_commands);
  add_proof(out, plan, number, lang);
}

// "Threads wait for a CPU (`cpu_contention`), 12 % of the request time"
std::string open_causes_text(const std::vector<OpenCause>& causes, Lang lang) {
  std::string all;
  for (const OpenCause& cause : causes) {
    const std::string code = markdown_code(cause.id);
    const std::string name =
        cause.title.empty() ? code : fmt::format("{} ({})", markdown_text(cause.title), code);
    const std::string unit_id = "diagnose.unit_time." + cause.unit;
    const std::string_view unit_time = text(lang, unit_id);
    all += all.empty() ? "" : "; ";
    all += unit_time == unit_id
               ? fmt::format("{}, {}", name, format_share(cause.share_mean))
               : say(lang, "plan.md.cause_share", fmt::arg("cause", name),
                     fmt::arg("share", format_share(cause.share_mean)), fmt::arg("unit_time", unit_time));
  }
  return say(lang, "plan.md.no_step_about", fmt::arg("causes", all));
}

void add_left_out(std::string& out, const std::vector<LeftOut>& rows, Lang lang) {
  if (rows.empty()) return;
  out += fmt::format("## {}\n\n", text(lang, "plan.md.left_out"));
  for (const LeftOut& row : rows) {
    std::string_view why = row.why;
    for (const std::string_view stop : {".", "。"}) // of texts of actions, which may be sentences
      if (row.gain && why.ends_with(stop)) why.remove_suffix(stop.size());
    std::string told = markdown_text(why);
    if (row.gain)
      told = say(lang, "plan.md.left_gain", fmt::arg("why", told),
                 fmt::arg("p99", range_text(row.gain->p99, lang)),
                 fmt::arg("mean", range_text(row.gain->mean, lang)));
    out += fmt::format("- **{}** ({}): {}\n", markdown_text(row.title), markdown_code(row.action), told);
  }
  out += "\n";
}

} // namespace

std::string plan_markdown(const Plan& plan, Lang lang) {
  const std::string target(plan.target.empty() ? text(lang, "report.diagnosis.unknown_target") : plan.target);
  std::string out =
      fmt::format("# {}\n\n", say(lang, "plan.md.title", fmt::arg("target", markdown_text(target, 200))));
  out += say(lang, "plan.md.head", fmt::arg("trace", markdown_code(plan.trace_path)),
             fmt::arg("problem", markdown_code(plan.problem)),
             fmt::arg("priority", priority_name(plan.priority)),
             fmt::arg("tolerance", risk_tolerance_name(plan.tolerance)));
  if (!plan.trace_sha256.empty())
    out += " " + say(lang, "plan.md.digest", fmt::arg("sha256", markdown_code(plan.trace_sha256)));
  out += "\n\n";
  if (plan.baseline)
    out += say(lang, "plan.md.baseline", fmt::arg("units", replayed_units(plan, lang)),
               fmt::arg("mean", ms(plan.baseline->mean_ns)), fmt::arg("p50", ms(plan.baseline->p50_ns)),
               fmt::arg("p99", ms(plan.baseline->p99_ns)),
               fmt::arg("mean_off", fmt::format("{:.1f}", 100 * plan.replay_error->mean)),
               fmt::arg("p99_off", fmt::format("{:.1f}", 100 * plan.replay_error->p99))) +
           "\n\n";
  for (const std::string& note : plan.notes)
    out += "> " + markdown_text(note) + "\n\n";
  if (plan.steps.empty())
    out += std::string(text(lang, "plan.md.no_steps")) + "\n\n";
  else
    out += std::string(text(lang, "plan.md.one_at_a_time")) + "\n\n";
  if (!plan.open_causes.empty()) out += open_causes_text(plan.open_causes, lang) + "\n\n";
  for (std::size_t i = 0; i < plan.steps.size(); ++i)
    add_step(out, plan, i + 1, lang);
  if (plan.combined && plan.steps.size() > 1) {
    out += fmt::format("## {}\n\n{}\n\n", text(lang, "plan.md.combined"), text(lang, "plan.md.combined_how"));
    std::vector<Effect> effects;
    for (const PlanStep& step : plan.steps)
      if (step.gain) effects.insert(effects.end(), step.effects.begin(), step.effects.end());
    out += fmt::format("**{}**\n\n", gain_title(effects, lang));
    add_gain_table(out, *plan.combined, lang);
  }
  add_left_out(out, plan.left_out, lang);
  return out;
}

// --- tree
// ---------------------------------------------------------------------------------------------------------

namespace {

Doc change_doc(const Change& change) {
  return Doc::map().set("typical", change.typical).set("low", change.low).set("high", change.high);
}

Doc gain_doc(const Gain& gain) {
  Doc doc;
  doc.set("p99_latency", change_doc(gain.p99))
      .set("p50_latency", change_doc(gain.p50))
      .set("mean_latency", change_doc(gain.mean));
  doc.set("capacity", change_doc(gain.capacity)).set("work_per_request", change_doc(gain.work));
  doc.set("refused_share", gain.refused_share).set("interval", 0.8);
  return doc;
}

Doc list_doc(const std::vector<std::string>& items) {
  Doc doc = Doc::list();
  for (const std::string& item : items)
    doc.add(item);
  return doc;
}

Doc effects_doc(const std::vector<Effect>& effects) {
  Doc doc = Doc::list();
  for (const Effect& effect : effects)
    doc.add(Doc::map()
                .set("kind", effect_kind_name(effect.kind))
                .set("names", list_doc(effect.names))
                .set("low", effect.range.low)
                .set("typical", effect.range.typical)
                .set("high", effect.range.high)
                .set("basis", effect.is_assumed ? "assumed" : "measured"));
  return doc;
}

Doc proof_doc(const ProofSize& proof) {
  const auto number = [](const std::optional<double>& value) { return value ? Doc(*value) : Doc(); };
  const auto count = [](std::int64_t n) { return n > 0 ? Doc(n) : Doc(); };
  return Doc::map()
      .set("pairs", proof.pairs)
      .set("run_s", proof.run_s)
      .set("total_s", proof.total_s)
      .set("pairs_needed", count(proof.needed))
      .set("pairs_needed_at_weak_end", count(proof.needed_at_weak))
      .set("within_run_error", number(proof.within_run))
      .set("predicted_change", number(proof.change))
      .set("weak_end", number(proof.weak))
      .set("detectable_change", number(proof.detectable))
      .set("enough", proof.is_enough)
      .set("from_step", static_cast<std::int64_t>(proof.from_step))
      .set("with_step", count(static_cast<std::int64_t>(proof.with_step)));
}

Doc step_doc(const PlanStep& step, bool has_proof) {
  Doc doc;
  doc.set("action", step.action)
      .set("title", step.title)
      .set("causes", list_doc(step.causes))
      .set("confidence", step.confidence);
  doc.set("why", step.why).set("class", step.action_class).set("instructions", list_doc(step.instructions));
  doc.set("commands", list_doc(step.commands))
      .set("placeholders", list_doc(step.open_places))
      .set("files", list_doc(step.files));
  if (step.share_gain)
    doc.set("expected_share_gain", change_doc(step.share_gain->change).set("unit", step.share_gain->unit));
  doc.set("gain_ceiling", step.ceiling
                              ? Doc::map().set("share", step.ceiling->share).set("unit", step.ceiling->unit)
                              : Doc());
  doc.set("expected_gain", step.gain ? gain_doc(*step.gain) : Doc())
      .set("assumptions", list_doc(step.assumptions))
      .set("effects", effects_doc(step.effects));
  doc.set("risk", step.risk).set("risk_text", step.risk_text).set("effort_hours", step.effort_hours);
  doc.set("reversible", step.is_reversible).set("changes_numbers", step.changes_numbers);
  doc.set("rollback", step.rollback).set("rollback_commands", list_doc(step.rollback_commands));
  doc.set("record_before", step.before_command)
      .set("record", step.record_command)
      .set("validate", step.validate_command)
      .set("proof", has_proof ? proof_doc(step.proof) : Doc());
  return doc;
}

} // namespace

Doc plan_doc(const Plan& plan) {
  Doc doc;
  doc.set("schema", "cann-profiler/plan/1")
      .set("trace", plan.trace_path)
      .set("trace_sha256", plan.trace_sha256)
      .set("target", plan.target)
      .set("imported_from", plan.imported_from)
      .set("problem", plan.problem);
  doc.set("priority", priority_name(plan.priority))
      .set("risk_tolerance", risk_tolerance_name(plan.tolerance));
  if (plan.baseline) {
    Doc replay;
    replay.set("unit", plan.unit)
        .set("requests", plan.requests)
        .set("mean_ns", plan.baseline->mean_ns)
        .set("p50_ns", plan.baseline->p50_ns)
        .set("p99_ns", plan.baseline->p99_ns);
    replay.set("mean_error", plan.replay_error->mean).set("p99_error", plan.replay_error->p99);
    doc.set("replay", std::move(replay));
  }
  Doc steps = Doc::list();
  for (const PlanStep& step : plan.steps)
    steps.add(step_doc(step, !step.is_search && !plan.proof_metrics.empty()));
  doc.set("steps", std::move(steps)).set("combined_gain", plan.combined ? gain_doc(*plan.combined) : Doc());
  Doc left = Doc::list();
  for (const LeftOut& row : plan.left_out)
    left.add(Doc::map()
                 .set("action", row.action)
                 .set("title", row.title)
                 .set("why", row.why)
                 .set("expected_gain", row.gain ? gain_doc(*row.gain) : Doc()));
  Doc open = Doc::list();
  for (const OpenCause& cause : plan.open_causes)
    open.add(Doc::map()
                 .set("cause", cause.id)
                 .set("title", cause.title)
                 .set("share_mean", cause.share_mean)
                 .set("share_slow", cause.share_slow)
                 .set("unit", cause.unit));
  doc.set("left_out", std::move(left))
      .set("causes_without_step", std::move(open))
      .set("notes", list_doc(plan.notes));
  return doc;
}

} // namespace prof
