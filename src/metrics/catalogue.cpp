// catalogue.cpp: knowledge/metrics/*.yaml -> MetricDef.
#include "base/lang.hpp"
#include "metrics/metrics.hpp"

#include "base/nearest.hpp"
#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <yaml-cpp/yaml.h>

namespace prof {
namespace {

std::string text_of(const YAML::Node& node, const char* key) {
  return node[key] ? node[key].as<std::string>() : std::string{};
}

std::vector<std::string> list_of(const YAML::Node& node, const char* key) {
  std::vector<std::string> items;
  for (const YAML::Node& item : node[key])
    items.push_back(item.as<std::string>());
  return items;
}

std::optional<Aggregate> aggregate_word(std::string_view word) {
  static constexpr std::pair<std::string_view, Aggregate> kWords[] = {
      {"mean", Aggregate::mean},   {"percentile", Aggregate::percentile},
      {"ratio", Aggregate::ratio}, {"rate", Aggregate::rate},
      {"last", Aggregate::last},   {"max", Aggregate::max},
      {"sum", Aggregate::sum}};
  for (const auto& [name, value] : kWords)
    if (name == word) return value;
  return std::nullopt;
}
std::optional<Better> better_word(std::string_view word) {
  if (word == "low") return Better::low;
  if (word == "high") return Better::high;
  if (word == "neither") return Better::neither;
  return std::nullopt;
}

std::string tracks_named(const std::vector<std::string>& names) {
  return fmt::format("(select id from counter_track where name in ('{}'))", fmt::join(names, "', '"));
}

// A counter that holds its value until the next reading: weighted by time per track, then summed or averaged
// over tracks.
void expand_gauge(const YAML::Node& gauge, MetricDef& def) {
  const std::string over = text_of(gauge, "tracks") == "mean" ? "avg" : "sum";
  const auto value_of = [&](const std::vector<std::string>& names) {
    return fmt::format(
        "select {}(v) from (select coalesce(sum(value * wide) / nullif(sum(wide), 0), avg(value)) as v from "
        "(select track_id, value, lead(ts) over (partition by track_id order by ts) - ts as wide from "
        "counter "
        "where track_id in {}) group by track_id)",
        over, tracks_named(names));
  };
  const auto samples_of = [&](const std::vector<std::string>& names) {
    return fmt::format("select ts, {}(value) as value from counter where track_id in {}", over,
                       tracks_named(names));
  };
  const std::vector<std::string> names = list_of(gauge, "names"), otherwise = list_of(gauge, "otherwise");
  def.formula = fmt::format("time-weighted mean of the counter {}, {} over its tracks",
                            fmt::join(names, " or "), over == "avg" ? "averaged" : "summed");
  def.value_sql = value_of(names);
  def.samples_sql = samples_of(names) + " group by ts order by ts";
  // One after the other, each only where none before it was recorded.
  std::string values = fmt::format("({})", def.value_sql), samples = samples_of(names) + " group by ts";
  std::vector<std::string> before = names;
  for (const std::string& name : otherwise) {
    values += fmt::format(", ({})", value_of({name}));
    samples += fmt::format(
        " union all {} and not exists (select 1 from counter_track where name in ('{}')) group by ts",
        samples_of({name}), fmt::join(before, "', '"));
    before.push_back(name);
  }
  if (otherwise.empty()) return;
  def.formula += fmt::format("; without it, of {}", fmt::join(otherwise, ", else "));
  def.value_sql = fmt::format("select coalesce({})", values);
  def.samples_sql = samples + " order by 1";
}

class CatalogueReader {
public:
  Status read(const KnowledgeFile& file) {
    const YAML::Node root = YAML::Load(std::string(file.content));
    for (const YAML::Node& node : root) {
      const std::string where = fmt::format("{}:{}", file.path, node.Mark().line + 1);
      PROF_TRY(MetricDef def, parse(node, where));
      if (std::ranges::find(defs_, def.id, &MetricDef::id) != defs_.end())
        return Error{Errc::malformed, "metric " + def.id + " stands twice", where};
      defs_.push_back(std::move(def));
    }
    return {};
  }
  std::vector<MetricDef> take() { return std::move(defs_); }

private:
  Result<MetricDef> parse(const YAML::Node& node, const std::string& where) const {
    const auto bad = [&](std::string what) { return Error{Errc::malformed, std::move(what), where}; };
    MetricDef def;
    if (const std::string base = text_of(node, "like"); !base.empty()) {
      const auto found = std::ranges::find(defs_, base, &MetricDef::id);
      if (found == defs_.end()) return bad("'like' names no earlier metric: " + base);
      def = *found;
    }
    def.id = text_of(node, "id");
    const auto take = [&](const char* key, std::string& field) {
      if (node[key]) field = node[key].as<std::string>();
    };
    take("unit", def.unit);
    take("formula", def.formula);
    take("table", def.table);
    take("missing", def.missing);
    take("samples_sql", def.samples_sql);
    take("value_sql", def.value_sql);
    take("detail_sql", def.detail_sql);
    if (node["needs"]) def.needs = list_of(node, "needs");
    if (node["percentile"]) def.percentile = node["percentile"].as<double>();
    if (node["definition"]) {
      def.definition_en = text_of(node["definition"], "en");
      def.definition_zh = text_of(node["definition"], "zh");
    }
    if (node["better"]) {
      const auto better = better_word(node["better"].as<std::string>());
      if (!better) return bad("'better' is low, high or neither");
      def.better = *better;
    }
    if (node["aggregate"]) {
      const auto aggregate = aggregate_word(node["aggregate"].as<std::string>());
      if (!aggregate) return bad("unknown aggregate");
      def.aggregate = *aggregate;
    }
    if (node["gauge"]) expand_gauge(node["gauge"], def);
    if (def.id.empty() || def.definition_en.empty() || def.definition_zh.empty() || def.formula.empty() ||
        def.table.empty() || def.unit.empty())
      return bad("a metric needs id, unit, table, formula and a definition in en and zh");
    if (def.samples_sql.empty() && def.value_sql.empty())
      return bad("a metric needs samples_sql or value_sql");
    if (def.value_sql.empty() && def.aggregate == Aggregate::rate) return bad("a rate needs value_sql");
    return def;
  }
  std::vector<MetricDef> defs_;
};

} // namespace

Result<std::vector<MetricDef>> load_metric_catalogue() {
  CatalogueReader reader;
  for (const KnowledgeFile& file : knowledge_files()) {
    if (!file.path.starts_with("metrics/") || !file.path.ends_with(".yaml")) continue;
    try {
      PROF_CHECK(reader.read(file));
    } catch (const YAML::Exception& error) {
      return Error{Errc::malformed, error.what(), std::string(file.path)};
    }
  }
  return reader.take();
}

Result<MetricDef> find_metric(const std::vector<MetricDef>& catalogue, std::string_view id) {
  const auto found = std::ranges::find(catalogue, id, &MetricDef::id);
  if (found != catalogue.end()) return *found;
  constexpr std::size_t kNearest = 3;
  const std::string_view word = id.substr(0, 100); // hostile lengths must not cost a quadratic search
  std::vector<std::pair<std::size_t, std::string_view>> near;
  for (const MetricDef& def : catalogue) {
    const std::size_t distance =
        def.id.find(word) != std::string::npos && !word.empty() ? 1 : edit_distance(word, def.id);
    if (distance <= std::max<std::size_t>(2, word.size() / 3)) near.emplace_back(distance, def.id);
  }
  std::ranges::stable_sort(near, {}, &std::pair<std::size_t, std::string_view>::first);
  std::string names;
  for (std::size_t i = 0; i < std::min(near.size(), kNearest); ++i)
    names += fmt::format("{}{}", i == 0 ? "" : ", ", near[i].second);
  return error_said(Errc::bad_argument, near.empty() ? "error.metric" : "error.metric_near", {},
                    fmt::arg("id", word), fmt::arg("near", names));
}

} // namespace prof
