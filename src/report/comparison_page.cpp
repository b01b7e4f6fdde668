#include "base/format_units.hpp"
#include "base/safe_text.hpp"
#include "report/comparison_view.hpp"

#include <cmath>

namespace prof {
namespace {

constexpr double kTooMuchUnmatched = 0.05; // docs/statistics.md, compare
constexpr std::size_t kNameBytes = 80;
constexpr std::size_t kRowsInWords = 3; // of each level, the largest changes

std::string time_text(double ns) {
  return format_value(ns, "ns");
}
std::string signed_time(double ns) {
  return (ns > 0 ? "+" : "") + time_text(ns);
}

std::vector<std::string> cells_of(const ComparedRow& row, Lang lang) {
  const std::string name = row.presence == Presence::by_type ? std::string(text(lang, "compare.other_names"))
                                                             : one_line(row.name, kNameBytes);
  const std::string change = row.total_before_ns > 0 && row.total_after_ns > 0
                                 ? fmt::format("{} ({:+.1f} %)", signed_time(row.delta_ns()),
                                               100 * row.delta_ns() / row.total_before_ns)
                                 : signed_time(row.delta_ns());
  return {name,
          one_line(row.type, kNameBytes),
          fmt::format("{} -> {}", format_number(row.count_before), format_number(row.count_after)),
          time_text(row.total_before_ns),
          time_text(row.total_after_ns),
          change,
          signed_time(row.count_effect_ns),
          signed_time(row.duration_effect_ns),
          std::string(text(lang, fmt::format("compare.presence.{}", presence_name(row.presence))))};
}

// Why one row changed, in words: how much by running more or less often, how much by longer or shorter runs.
// `runs`: what the counts are of.
std::string sentence_of(const ComparedRow& row, const std::string& runs, Lang lang) {
  const std::string name =
      row.presence == Presence::by_type
          ? say(lang, "compare.words.other_names", fmt::arg("type", one_line(row.type, kNameBytes)))
          : one_line(row.name, kNameBytes);
  if (row.count_before == 0 || row.count_after == 0) {
    const bool is_new = row.count_before == 0;
    return say(lang, is_new ? "compare.words.appeared" : "compare.words.vanished", fmt::arg("name", name),
               fmt::arg("delta", signed_time(row.delta_ns())),
               fmt::arg("count", format_number(is_new ? row.count_after : row.count_before)),
               fmt::arg("each", time_text(is_new ? row.mean_after_ns : row.mean_before_ns)));
  }
  const std::string count = row.count_before == row.count_after
                                ? say(lang, "compare.words.same_count", fmt::arg("runs", runs),
                                      fmt::arg("count", format_number(row.count_before)))
                                : say(lang, "compare.words.count", fmt::arg("runs", runs),
                                      fmt::arg("before", format_number(row.count_before)),
                                      fmt::arg("after", format_number(row.count_after)),
                                      fmt::arg("effect", signed_time(row.count_effect_ns)));
  const std::string duration =
      row.duration_effect_ns == 0
          ? say(lang, "compare.words.same_duration", fmt::arg("each", time_text(row.mean_before_ns)))
          : say(lang, "compare.words.duration", fmt::arg("before", time_text(row.mean_before_ns)),
                fmt::arg("after", time_text(row.mean_after_ns)),
                fmt::arg("effect", signed_time(row.duration_effect_ns)));
  return say(lang, "compare.words.row", fmt::arg("name", name),
             fmt::arg("delta", signed_time(row.delta_ns())), fmt::arg("count", count),
             fmt::arg("duration", duration));
}

PageSection section_of(const ComparedLevel& level, const Comparison& c, Lang lang, std::size_t max_rows) {
  const std::string runs(text(lang, "compare.words.runs." + (c.is_per_request ? c.unit_before : "trace")));
  PageSection section{
      .id = level.id, .heading = std::string(text(lang, "compare.level." + level.id)), .paragraphs = {}};
  section.table.header = {std::string(text(lang, "compare.col.name")),
                          std::string(text(lang, "compare.col.type")),
                          std::string(text(lang, "compare.col.count")),
                          std::string(text(lang, "verdict.col.before")),
                          std::string(text(lang, "verdict.col.after")),
                          std::string(text(lang, "compare.col.delta")),
                          std::string(text(lang, "compare.col.count_effect")),
                          std::string(text(lang, "compare.col.duration_effect")),
                          std::string(text(lang, "compare.col.presence"))};
  section.table.is_right = {false, false, true, true, true, true, true, true, false};
  for (std::size_t i = 0; i < level.rows.size() && i < max_rows; ++i)
    section.table.rows.push_back(cells_of(level.rows[i], lang));
  if (level.rows.size() > max_rows)
    section.paragraphs.push_back(
        say(lang, "compare.level.cut", fmt::arg("shown", max_rows), fmt::arg("all", level.rows.size())));
  double count_effect = 0, duration_effect = 0;
  for (const ComparedRow& row : level.rows)
    count_effect += row.count_effect_ns, duration_effect += row.duration_effect_ns;
  for (std::size_t i = 0; i < level.rows.size() && i < std::min(max_rows, kRowsInWords); ++i)
    if (level.rows[i].delta_ns() != 0) section.paragraphs.push_back(sentence_of(level.rows[i], runs, lang));
  section.paragraphs.push_back(say(
      lang, "compare.level.total", fmt::arg("before", time_text(level.total_before_ns)),
      fmt::arg("after", time_text(level.total_after_ns)),
      fmt::arg("delta", signed_time(level.total_after_ns - level.total_before_ns)),
      fmt::arg("by_count", signed_time(count_effect)), fmt::arg("by_duration", signed_time(duration_effect)),
      fmt::arg("unmatched", fmt::format("{:.1f} %", 100 * level.unmatched_share))));
  if (level.unmatched_share > kTooMuchUnmatched)
    section.paragraphs.emplace_back(
        text(lang, c.one_model == CheckState::pass ? "compare.converted" : "compare.unmatched"));
  return section;
}

std::string units_text(std::int64_t n, std::string_view unit, Lang lang) {
  return say(lang, fmt::format("compare.units.{}", unit), fmt::arg("n", n));
}

std::string change_text(double before, double after) {
  const double delta = after - before;
  return before > 0 ? fmt::format("{} ({:+.1f} %)", signed_time(delta), 100 * delta / before)
                    : signed_time(delta);
}

// Per what, and how long one takes: the figure that everything below explains. Few that took far longer than
// the others move the mean alone.
std::string per_unit_text(const Comparison& c, Lang lang) {
  const double before = c.request_mean_before_ns, after = c.request_mean_after_ns;
  return say(lang, fmt::format("compare.per.{}", c.unit_before), fmt::arg("before", time_text(before)),
             fmt::arg("after", time_text(after)), fmt::arg("change", change_text(before, after))) +
         (lang == Lang::zh ? "" : " ") +
         say(lang, "compare.median", fmt::arg("before", time_text(c.request_median_before_ns)),
             fmt::arg("after", time_text(c.request_median_after_ns)),
             fmt::arg("change", change_text(c.request_median_before_ns, c.request_median_after_ns)));
}

// How long the devices were busy; where one side has none, that it has none.
std::string device_text(const Comparison& c, Lang lang) {
  const std::optional<double>&before = c.device_busy_before_ns, &after = c.device_busy_after_ns;
  if (!before || !after)
    return say(lang, before ? "compare.device_before_only" : "compare.device_after_only",
               fmt::arg("busy", time_text(before ? *before : *after)));
  return say(lang, "compare.device", fmt::arg("before", time_text(*before)),
             fmt::arg("after", time_text(*after)), fmt::arg("change", change_text(*before, *after)));
}

} // namespace

PageModel comparison_page(const Comparison& c, Lang lang, std::size_t max_rows) {
  PageModel page{.title = std::string(text(lang, "compare.title")), .lead = {}, .sections = {}};
  page.lead.push_back(say(lang, "compare.lead", fmt::arg("baseline", c.baseline),
                          fmt::arg("target", c.target),
                          fmt::arg("before", units_text(c.requests_before, c.unit_before, lang)),
                          fmt::arg("after", units_text(c.requests_after, c.unit_after, lang))));
  page.lead.push_back(c.is_per_request ? per_unit_text(c, lang)
                                       : std::string(text(lang, "compare.per_trace")));
  if (c.device_busy_before_ns || c.device_busy_after_ns) page.lead.push_back(device_text(c, lang));
  if (c.is_one_recording)
    page.lead.emplace_back(text(lang, "compare.same_recording"));
  else if (!c.levels.empty())
    page.lead.emplace_back(text(lang, "compare.one_run"));
  if (c.unfinished_before > 0 || c.unfinished_after > 0)
    page.lead.push_back(say(lang, "compare.unfinished", fmt::arg("before", c.unfinished_before),
                            fmt::arg("all_before", c.requests_before + c.unfinished_before),
                            fmt::arg("after", c.unfinished_after),
                            fmt::arg("all_after", c.requests_after + c.unfinished_after)));
  if (!c.levels.empty()) page.lead.emplace_back(text(lang, "compare.explain"));
  if (c.levels.empty()) page.lead.emplace_back(text(lang, "compare.nothing"));
  for (const ComparedLevel& level : c.levels)
    page.sections.push_back(section_of(level, c, lang, max_rows));
  return page;
}

Doc comparison_doc(const Comparison& c) {
  Doc levels = Doc::list();
  for (const ComparedLevel& level : c.levels) {
    Doc rows = Doc::list();
    for (const ComparedRow& r : level.rows)
      rows.add(Doc::map()
                   .set("name", r.name)
                   .set("type", r.type)
                   .set("match", presence_name(r.presence))
                   .set("count_before", r.count_before)
                   .set("count_after", r.count_after)
                   .set("mean_before_ns", r.mean_before_ns)
                   .set("mean_after_ns", r.mean_after_ns)
                   .set("total_before_ns", r.total_before_ns)
                   .set("total_after_ns", r.total_after_ns)
                   .set("count_effect_ns", r.count_effect_ns)
                   .set("duration_effect_ns", r.duration_effect_ns));
    levels.add(Doc::map()
                   .set("level", level.id)
                   .set("total_before_ns", level.total_before_ns)
                   .set("total_after_ns", level.total_after_ns)
                   .set("unmatched_share", level.unmatched_share)
                   .set("rows", std::move(rows)));
  }
  return Doc::map()
      .set("schema", "cann-profiler/comparison/1")
      .set("baseline", c.baseline)
      .set("target", c.target)
      .set("requests_before", c.requests_before)
      .set("requests_after", c.requests_after)
      .set("unfinished_before", c.unfinished_before)
      .set("unfinished_after", c.unfinished_after)
      .set("unit_before", c.unit_before)
      .set("unit_after", c.unit_after)
      .set("request_mean_before_ns", c.request_mean_before_ns)
      .set("request_mean_after_ns", c.request_mean_after_ns)
      .set("request_median_before_ns", c.request_median_before_ns)
      .set("request_median_after_ns", c.request_median_after_ns)
      .set("per_request", c.is_per_request)
      .set("same_recording", c.is_one_recording)
      .set("device_busy_before_ns", c.device_busy_before_ns ? Doc(*c.device_busy_before_ns) : Doc())
      .set("device_busy_after_ns", c.device_busy_after_ns ? Doc(*c.device_busy_after_ns) : Doc())
      .set("same_model", check_state_name(c.one_model))
      .set("lost_events_before", c.lost_before)
      .set("lost_events_after", c.lost_after)
      .set("incomplete_before", c.is_before_incomplete)
      .set("incomplete_after", c.is_after_incomplete)
      .set("levels", std::move(levels));
}

} // namespace prof
