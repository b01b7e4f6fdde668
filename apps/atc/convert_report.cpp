#include "atc/convert_report.hpp"

#include "base/format_units.hpp"
#include "base/yaml_writer.hpp"
#include "graph/guide.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace prof {
namespace {

// Names of a model inside a Markdown table: no pipes, no line ends, no tags, valid UTF-8.
std::string cell(std::string_view name) {
  std::string safe;
  for (const char c : valid_utf8(name.substr(0, 120))) {
    if (c == '|' || c == '`' || c == '<' || c == '>' || c == '\\')
      safe += '_';
    else
      safe += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return safe;
}

// Operators whose number changed, those that changed most first.
std::vector<std::pair<std::string, std::pair<int, int>>> changed_ops(const Optimised& o) {
  std::vector<std::pair<std::string, std::pair<int, int>>> rows;
  for (const auto& row : o.op_counts)
    if (row.second.first != row.second.second) rows.push_back(row);
  std::ranges::stable_sort(rows, std::ranges::greater{},
                           [](const auto& row) { return std::abs(row.second.first - row.second.second); });
  return rows;
}

double percent(double before, double after) {
  return before > 0 ? (after / before - 1) * 100 : 0;
}

std::string proof_text(const Proof& proof, Lang lang) {
  std::string out = say(lang, "atc.proof_head", fmt::arg("trials", proof.trials),
                        fmt::arg("engine", proof.engine), fmt::arg("tolerance", proof.tolerance)) +
                    "\n";
  for (const OutputProof& o : proof.outputs)
    out += "  " +
           say(lang, o.is_equal ? "atc.proof_equal" : "atc.proof_unequal", fmt::arg("name", cell(o.name)),
               fmt::arg("abs", fmt::format("{:.2g}", o.max_abs)),
               fmt::arg("rel", fmt::format("{:.2g}", o.max_rel)),
               fmt::arg("largest", fmt::format("{:.3g}", o.largest))) +
           "\n";
  return out;
}

std::string measure_text(const std::vector<Measured>& m, Lang lang) {
  static constexpr const char* kRows[] = {"atc.measure_off", "atc.measure_before", "atc.measure_after"};
  std::string out = std::string(text(lang, "atc.measure_head")) + "\n";
  for (std::size_t i = 0; i < m.size(); ++i)
    out += fmt::format("  {:8.2f} ms  ({:.2f} - {:.2f})  {}\n", m[i].median_ms, m[i].p10_ms, m[i].p90_ms,
                       text(lang, kRows[i]));
  out += "  " +
         say(lang, "atc.measure_gain",
             fmt::arg("engine", fmt::format("{:+.1f}", percent(m[0].median_ms, m[1].median_ms))),
             fmt::arg("atc", fmt::format("{:+.1f}", percent(m[1].median_ms, m[2].median_ms)))) +
         "\n";
  return out;
}

} // namespace

std::string conversion_text(const Conversion& c, const std::string& model_path, Lang lang) {
  const Optimised& o = c.optimised;
  std::string out = say(lang, "atc.head", fmt::arg("model", model_path), fmt::arg("before", o.nodes_before),
                        fmt::arg("after", o.nodes_after)) +
                    "\n";
  if (c.border_changes > 0) out += say(lang, "atc.border", fmt::arg("n", c.border_changes)) + "\n";
  for (const PassChange& change : o.changes)
    if (change.count > 0)
      out += fmt::format("  {:<20} {:>6}  {}\n", change.pass->id, change.count,
                         text(lang, change.pass->text_id));
  std::string silent;
  for (const PassChange& change : o.changes)
    if (change.count == 0) silent += (silent.empty() ? "" : ", ") + std::string(change.pass->id);
  if (!silent.empty()) out += say(lang, "atc.nothing", fmt::arg("passes", silent)) + "\n";
  out += std::string(text(lang, "atc.ops")) + "\n";
  for (const auto& [op, count] : changed_ops(o))
    out += fmt::format("  {:<28} {:>5} -> {:<5}\n", cell(op), count.first, count.second);
  if (c.proof) out += proof_text(*c.proof, lang);
  if (!c.measured.empty()) out += measure_text(c.measured, lang);
  return out;
}

std::string guide_markdown(const Conversion& c, const std::string& model_path, const std::string& output_path,
                           Lang lang) {
  constexpr std::size_t kRows = 15;
  const Optimised& o = c.optimised;
  std::string out = "# " + say(lang, "atc.guide.title", fmt::arg("model", cell(model_path))) + "\n\n";
  out += say(lang, "atc.guide.intro", fmt::arg("output", cell(output_path)),
             fmt::arg("before", o.nodes_before), fmt::arg("after", o.nodes_after)) +
         "\n\n";
  out += fmt::format("## {}\n\n| {} | {} | {} |\n|---|---|---|\n", text(lang, "atc.guide.key_ops"),
                     text(lang, "atc.guide.operator"), text(lang, "atc.guide.type"),
                     text(lang, "atc.guide.share"));
  for (const KeyOp& op : key_ops(o.model, kRows))
    out += fmt::format("| {} | {} | {:.1f} % |\n", cell(op.name), cell(op.op_type), op.share * 100);
  out +=
      fmt::format("\n## {}\n\n| {} | {} | {} |\n|---|---|---|\n", text(lang, "atc.guide.fusions"),
                  text(lang, "atc.guide.pass"), text(lang, "atc.guide.count"), text(lang, "atc.guide.what"));
  for (const PassChange& change : o.changes)
    out += fmt::format("| {} | {} | {} |\n", change.pass->id, change.count, text(lang, change.pass->text_id));
  out += fmt::format("\n## {}\n\n", text(lang, "atc.guide.precision"));
  out += c.proof ? "```\n" + proof_text(*c.proof, lang) + "```\n"
                 : std::string(text(lang, "atc.no_proof")) + "\n";
  if (!c.measured.empty()) out += "\n```\n" + measure_text(c.measured, lang) + "```\n";
  out += fmt::format(
      "\n## {}\n\n```bash\nprofiler load-config --model {} --config atc_profiler_config.yaml\n```\n",
      text(lang, "atc.guide.next"), cell(output_path));
  return out;
}

} // namespace prof
