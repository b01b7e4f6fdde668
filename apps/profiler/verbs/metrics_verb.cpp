#include "base/format_units.hpp"
#include "common/load_trace.hpp"
#include "metrics/metric_docs.hpp"
#include "metrics/metrics.hpp"
#include "profiler/verbs.hpp"
#include "report/table_view.hpp"

#include <fmt/format.h>
#include <memory>

namespace prof {
namespace {

struct Options {
  std::string trace, metrics, format = "text";
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

void print_catalogue(const std::vector<MetricDef>& metrics, Lang lang) {
  for (const MetricDef& m : metrics)
    fmt::print("{}  [{}, {}]\n    {}\n    = {}\n", m.id, m.unit,
               text(lang, fmt::format("metrics.better.{}", word(m.better))), definition(m, lang), m.formula);
}

// Machine-read: the value in the catalogue's unit. For a terminal: scaled, with its unit and, where there is
// none, why.
SqlResult value_table(const std::vector<MetricDef>& metrics, const std::vector<MetricValue>& values,
                      Lang lang) {
  SqlResult table{.columns = {"metric", "value", "unit", "n", "available", "reason", "mend", "detail"},
                  .rows = {}};
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    const MetricValue& v = values[i];
    const SqlValue value = v.value ? SqlValue(*v.value) : SqlValue(std::monostate{});
    table.rows.push_back({metrics[i].id, value, metrics[i].unit, v.n, std::int64_t{v.value ? 1 : 0},
                          reason_text(lang, v.reason, v.detail), reason_text(lang, v.mend, v.detail),
                          v.detail});
  }
  return table;
}

void print_values(const std::vector<MetricDef>& metrics, const std::vector<MetricValue>& values, Lang lang) {
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    const MetricValue& v = values[i];
    const std::string detail = v.detail.empty() ? "" : fmt::format("  [{}]", terminal_safe(v.detail, false));
    if (v.value) {
      fmt::print("{:<24} {:>14}  n = {}{}\n", metrics[i].id, format_value(*v.value, metrics[i].unit), v.n,
                 detail);
      continue;
    }
    fmt::print("{:<24} {}{}\n", metrics[i].id,
               say(lang, "metrics.unavailable",
                   fmt::arg("reason", terminal_safe(reason_text(lang, v.reason, v.detail), false))),
               detail);
    fmt::print("{:<24}   {}\n", "", terminal_safe(reason_text(lang, v.mend, v.detail), false));
  }
}

Exit run(const Options& options, Context& context) {
  const auto format = table_format(options.format);
  if (!format) return fail(context, format.error());
  const auto metrics = chosen(options);
  if (!metrics) return fail(context, metrics.error());
  if (options.is_reference) {
    fmt::print("{}", metric_reference_markdown(*metrics));
    return Exit::ok;
  }
  if (options.trace.empty()) {
    if (*format == TableFormat::text)
      print_catalogue(*metrics, context.lang);
    else
      fmt::print("{}", render_table(catalogue_table(*metrics, context.lang), *format));
    return Exit::ok;
  }
  const auto store = load_trace(options.trace);
  if (!store) return fail(context, store.error());
  auto sql = Sql::open(*store);
  if (!sql) return fail(context, sql.error());
  std::vector<MetricValue> values;
  bool is_complete = true;
  for (const MetricDef& metric : *metrics) {
    values.push_back(compute_metric(metric, *store, *sql));
    is_complete = is_complete && values.back().value.has_value();
  }
  if (*format == TableFormat::text)
    print_values(*metrics, values, context.lang);
  else
    fmt::print("{}", render_table(value_table(*metrics, values, context.lang), *format));
  return context.is_strict && !is_complete ? Exit::partial : Exit::ok;
}

std::function<Exit()> declare(CLI::App& app, Context& context) {
  auto options = std::make_shared<Options>();
  app.add_option("--trace", options->trace, say(context.lang, "opt.trace"));
  app.add_option("--metrics", options->metrics, say(context.lang, "metrics.opt.metrics"));
  app.add_option("--format", options->format,
                 say(context.lang, "opt.format", fmt::arg("known", "text, csv, json, markdown")));
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
