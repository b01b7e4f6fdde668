#include "report/plan_view.hpp"

#include "base/format_units.hpp"
#include "base/safe_text.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace prof {
namespace {

// "-12.3 % (80 %: -17.0 % .. -6.1 %)"
std::string change_text(const Change& change) {
  return fmt::format("{:+.1f} % (80 %: {:+.1f} % .. {:+.1f} %)", 100 * change.typical, 100 * change.low,
                     100 * change.high);
}

// "-14.0 % (-19.0 % .. -6.0 %)"
std::string range_text(const Change& change) {
  return fmt::format("{:+.1f} % ({:+.1f} % .. {:+.1f} %)", 100 * change.typical, 100 * change.low,
                     100 * change.high);
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
  out += fmt::format("| {} | {} |\n|---|---|\n", text(lang, "plan.md.metric"), text(lang, "plan.md.change"));
  const auto row = [&](std::string_view id, const Change& change) {
    out += fmt::format("| {} | {} |\n", text(lang, id), change_text(change));
  };
  row("plan.md.p99", gain.p99);
  row("plan.md.p50", gain.p50);
  row("plan.md.mean", gain.mean);
  row("plan.md.capacity", gain.capacity);
  row("plan.md.work", gain.work);
  if (gain.refused_share > 0)
    out += fmt::format("| {} | {} |\n", text(lang, "plan.md.refused"), format_share(gain.refused_share));
  out += "\n";
}

// How many runs there are and why, and what they can show.
std::string proof_text(const ProofSize& proof, Lang lang) {
  const auto percent = [](double share) { return fmt::format("{:.1f} %", 100 * std::fabs(share)); };
  if (!proof.within_run) return say(lang, "plan.md.runs_unknown", fmt::arg("n", proof.runs));
  const std::string shows = say(lang, "plan.md.detectable", fmt::arg("n", proof.runs),
                                fmt::arg("detectable", percent(*proof.detectable)));
  const std::string spread = percent(*proof.within_run);
  if (!proof.change)
    return say(lang, "plan.md.runs_default", fmt::arg("n", proof.runs), fmt::arg("within", spread)) + " " +
           shows;
  return say(lang, proof.needed > proof.runs ? "plan.md.runs_too_few" : "plan.md.runs",
             fmt::arg("n", proof.runs), fmt::arg("needed", proof.needed), fmt::arg("within", spread),
             fmt::arg("change", percent(*proof.change))) +
         " " + shows;
}

// How the runs of one side come about; `when` is "before" or "after".
std::string proof_head(std::string_view when, const Plan& plan, const PlanStep& step, Lang lang) {
  return say(lang, fmt::format("plan.md.{}_{}", plan.imported_from.empty() ? "proof" : "import", when),
             fmt::arg("n", step.proof.runs), fmt::arg("format", markdown_text(plan.imported_from, 100)));
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
  if (!step.before_command.empty()) {
    out += proof_head("before", plan, step, lang) + "\n\n";
    add_block(out, "sh", {step.before_command});
  }
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
    out += say(lang, "plan.md.share_gain", fmt::arg("change", range_text(step.share_gain->change)),
               fmt::arg("unit_time", text(lang, "diagnose.unit_time." + step.share_gain->unit))) +
           "\n\n";
  else
    out += std::string(text(lang, "plan.md.no_gain")) + "\n\n";
  for (const std::string& assumption : step.assumptions)
    out += "- " + say(lang, "plan.md.assumption", fmt::arg("text", markdown_text(assumption))) + "\n";
  out +=
      fmt::format("- {}\n- {}\n- {}\n\n",
                  say(lang, "plan.md.risk", fmt::arg("risk", fmt::format("{:.2f}", step.risk)),
                      fmt::arg("class", step.action_class), fmt::arg("text", markdown_text(step.risk_text))),
                  say(lang, "plan.md.effort", fmt::arg("hours", fmt::format("{:g}", step.effort_hours))),
                  say(lang, "plan.md.rollback", fmt::arg("text", markdown_text(step.rollback))));
  add_block(out, "sh", step.rollback_commands);
  out += fmt::format("**{}**\n\n{}\n\n", text(lang, "plan.md.proof"), proof_head("after", plan, step, lang));
  add_block(out, "sh", {step.record_command, step.validate_command});
  out += proof_text(step.proof, lang) + "\n\n";
  out += std::string(text(lang, "plan.md.stop")) + "\n\n";
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
    out += say(lang, "plan.md.baseline", fmt::arg("n", plan.requests),
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
  if (!plan.left_out.empty()) {
    out += fmt::format("## {}\n\n", text(lang, "plan.md.left_out"));
    for (const LeftOut& row : plan.left_out) {
      out += fmt::format("- **{}** ({}): {}", markdown_text(row.title), markdown_code(row.action),
                         markdown_text(row.why));
      if (row.gain)
        out += " " + say(lang, "plan.md.left_gain", fmt::arg("p99", change_text(row.gain->p99)),
                         fmt::arg("mean", change_text(row.gain->mean)));
      out += "\n";
    }
    out += "\n";
  }
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
  return Doc::map()
      .set("runs_per_side", proof.runs)
      .set("runs_needed", proof.needed > 0 ? Doc(proof.needed) : Doc())
      .set("within_run_error", number(proof.within_run))
      .set("predicted_change", number(proof.change))
      .set("detectable_change", number(proof.detectable));
}

Doc step_doc(const PlanStep& step) {
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
  doc.set("expected_gain", step.gain ? gain_doc(*step.gain) : Doc())
      .set("assumptions", list_doc(step.assumptions))
      .set("effects", effects_doc(step.effects));
  doc.set("risk", step.risk).set("risk_text", step.risk_text).set("effort_hours", step.effort_hours);
  doc.set("reversible", step.is_reversible).set("changes_numbers", step.changes_numbers);
  doc.set("rollback", step.rollback).set("rollback_commands", list_doc(step.rollback_commands));
  doc.set("record_before", step.before_command)
      .set("record", step.record_command)
      .set("validate", step.validate_command)
      .set("proof", proof_doc(step.proof));
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
    replay.set("requests", plan.requests)
        .set("mean_ns", plan.baseline->mean_ns)
        .set("p50_ns", plan.baseline->p50_ns)
        .set("p99_ns", plan.baseline->p99_ns);
    replay.set("mean_error", plan.replay_error->mean).set("p99_error", plan.replay_error->p99);
    doc.set("replay", std::move(replay));
  }
  Doc steps = Doc::list();
  for (const PlanStep& step : plan.steps)
    steps.add(step_doc(step));
  doc.set("steps", std::move(steps)).set("combined_gain", plan.combined ? gain_doc(*plan.combined) : Doc());
  Doc left = Doc::list();
  for (const LeftOut& row : plan.left_out)
    left.add(Doc::map()
                 .set("action", row.action)
                 .set("title", row.title)
                 .set("why", row.why)
                 .set("expected_gain", row.gain ? gain_doc(*row.gain) : Doc()));
  doc.set("left_out", std::move(left)).set("notes", list_doc(plan.notes));
  return doc;
}

} // namespace prof
