#include "base/format_units.hpp"
#include "common/load_trace.hpp"
#include "common/output.hpp"
#include "metrics/metric_docs.hpp"
#include "metrics/metrics.hpp"
#include "profiler/verbs.hpp"
#include "report/diagnosis_view.hpp"
#include "report/table_view.hpp"
#include "store/losses.hpp"
#include "store/request_time.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <memory>

namespace prof {
namespace {

constexpr std::array<std::string_view, 4> kKinds{"text", "csv", "json", "md"};
struct Options {
  std::string trace, metrics;
  OutputFlags output;
  bool is_reference = false;
};

Result<std::vector<MetricDef>> chosen(const Options& options) {
  PROF_TRY(std::vector<MetricDef> catalogue, load_metric_catalogue());
  if (options.metrics.empty()) return catalogue;
  std::vector<MetricDef> out;
  for (const std::string& id : split_list(options.metrics)) {
    PROF_TRY(MetricDef metric, find_metric(catalogue, id));
    out.push_back(std::move(metric));
  }
  return out;
}

// "{detail}" in a reason is what the system said.
std::string reason_text(Lang lang, const std::string& id, const std::string& detail) {
  std::string out(text(lang, id));
  for (std::size_t at = out.find("{detail}"); at != std::string::npos;
       at = out.find("{detail}", at + detail.size()))
    out.replace(at, 8, detail);
  return out;
}

std::string_view definition(const MetricDef& metric, Lang lang) {
  return lang == Lang::zh ? metric.definition_zh : metric.definition_en;
}

SqlResult catalogue_table(const std::vector<MetricDef>& metrics, Lang lang) {
  SqlResult table{.columns = {"id", "unit", "better", "table", "definition", "formula"}, .rows = {}};
  for (const MetricDef& m : metrics)
    table.rows.push_back(
        {m.id, m.unit, std::string(word(m.better)), m.table, std::string(definition(m, lang)), m.formula});
  return table;
}

std::string catalogue_text(const std::vector<MetricDef>& metrics, Lang lang) {
  std::string out;
  for (const MetricDef& m : metrics)
    out += fmt::format("{}  [{}, {}]\n    {}\n    = {}\n", m.id, m.unit,
                       text(lang, fmt::format("metrics.better.{}", word(m.better))), definition(m, lang),
                       m.formula);
  return out;
}

// Machine-read: the value in the catalogue's unit. For a terminal: scaled, with its unit and, where there is
// none, why.
SqlResult value_table(const std::vector<MetricDef>& metrics, const std::vector<MetricValue>& values,
                      const Losses& losses, Lang lang) {
  SqlResult table{.columns = {"metric", "value", "unit", "n", "available", "reason", "mend", "detail",
                              "lost_events", "incomplete"},
                  .rows = {}};
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    const MetricValue& v = values[i];
    const SqlValue value = v.value ? SqlValue(*v.value) : SqlValue(std::monostate{});
    table.rows.push_back({metrics[i].id, value, metrics[i].unit, v.n, std::int64_t{v.value ? 1 : 0},
                          reason_text(lang, v.reason, v.detail), reason_text(lang, v.mend, v.detail),
                          std::string(text(lang, v.detail)), losses.records,
                          std::int64_t{losses.is_incomplete() ? 1 : 0}});
  }
  return table;
}

// "counted in steps" for the "unit: iteration" of a value; else a text of the catalogue, or what the system
// said, as it is.
std::string detail_text(const MetricValue& value, Lang lang) {
  constexpr std::string_view kUnit = "unit: ";
  if (!value.value || !value.detail.starts_with(kUnit)) return one_line(text(lang, value.detail));
  return say(lang, "metrics.unit",
             fmt::arg("units", text(lang, "diagnose.units." + value.detail.substr(kUnit.size()))));
}

std::string values_text(const std::vector<MetricDef>& metrics, const std::vector<MetricValue>& values,
                        Lang lang) {
  std::string out;
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    const MetricValue& v = values[i];
    const std::string detail = v.detail.empty() ? "" : fmt::format("  [{}]", detail_text(v, lang));
    if (v.value) {
      // A figure from one query has no samples of its own to count.
      const std::string n = v.n > 0 ? fmt::format("  n = {}", v.n) : std::string();
      out += fmt::format("{:<24} {:>14}{}{}\n", metrics[i].id, format_value(*v.value, metrics[i].unit), n,
                         detail);
      continue;
    }
    const std::string reason = one_line(reason_text(lang, v.reason, v.detail));
    out += fmt::format("{:<24} {}{}\n", metrics[i].id,
                       say(lang, "metrics.unavailable", fmt::arg("reason", reason)), detail);
    out += fmt::format("{:<24}   {}\n", "", one_line(reason_text(lang, v.mend, v.detail)));
  }
  return out;
}

// What the figures leave out: units that the recording cut off. Empty = nothing.
std::string left_out(const Store& store, Lang lang) {
  const UnitTable units = find_units(store);
  const std::int64_t n = std::ranges::count(units.is_complete, true), all = std::ssize(units.is_complete);
  return n == all ? "" : cut_off_line(all - n, n, unit_word(store, units.kind), lang);
}

Exit run(const Options& options, Context& context) {
  const auto kind = output_kind(context, options.output, kKinds);
  if (!kind) return fail(context, kind.error());
  const auto format = table_format(*kind);
  if (!format) return fail(context, format.error());
  const auto metrics = chosen(options);
  if (!metrics) return fail(context, metrics.error());
  const auto write = [&](const std::string& report) {
    return deliver_report(context, options.output.path, report);
  };
  if (options.is_reference) return write(metric_reference_markdown(*metrics));
  const bool is_text = *format == TableFormat::text;
  if (options.trace.empty())
    return write(is_text ? catalogue_text(*metrics, context.lang)
                         : render_table(catalogue_table(*metrics, context.lang), *format));
  const auto store = load_trace(options.trace);
  if (!store) return fail(context, store.error());
  context.inputs.emplace_back(options.trace);
  auto sql = Sql::open(*store);
  if (!sql) return fail(context, sql.error());
  std::vector<MetricValue> values;
  bool is_complete = true;
  for (const MetricDef& metric : *metrics) {
    values.push_back(compute_metric(metric, *store, *sql));
    is_complete = is_complete && values.back().value.has_value();
  }
  const std::string note = left_out(*store, context.lang);
  if (!is_text && !note.empty()) tell(context, note); // a table has no place for it
  const SqlResult table = value_table(*metrics, values, losses_of(*store), context.lang);
  const Exit exit =
      write(is_text ? values_text(*metrics, values, context.lang) + (note.empty() ? "" : "\n" + note + "\n")
                    : render_table(table, *format));
  const Exit whole = tell_losses(context, options.trace, *store);
  if (exit != Exit::ok) return exit;
  return context.is_strict && !is_complete ? Exit::partial : whole;
}

std::function<Exit()> declare(CLI::App& app, Context& context) {
  auto options = std::make_shared<Options>();
  app.add_option("--trace", options->trace, say(context.lang, "opt.trace"));
  app.add_option("--metrics", options->metrics, say(context.lang, "metrics.opt.metrics"));
  add_output_options(app, context, options->output, kKinds);
  app.add_flag("--reference", options->is_reference, say(context.lang, "metrics.opt.reference"));
  return [options, &context] { return run(*options, context); };
}

} // namespace

extern const Verb metrics_verb;
const Verb metrics_verb{
    .name = "metrics",
    .summary = "verb.metrics.summary",
    .example = "profiler metrics --trace trace_full.pb --metrics p50_latency,p99_latency,throughput",
    .declare = declare};

} // namespace prof
