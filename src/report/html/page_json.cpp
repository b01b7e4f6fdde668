#include "report/html/page_json.hpp"

#include "report/html/page_findings.hpp"
#include "store/request_time.hpp"
#include "trace/conventions.hpp"
#include "verdict/descriptive.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace prof {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxValueBytes = 4096;

json text_of(const Store& store, StrId id) {
  return shortened(store.text(id), kMaxValueBytes);
}

// JavaScript numbers are exact up to 2^53; larger ones travel as text.
json exact(std::int64_t value) {
  if (std::abs(value) <= (std::int64_t{1} << 53)) return value;
  return std::to_string(value);
}

json value_json(const Store& store, const ArgValue& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return exact(*number);
  if (const auto* real = std::get_if<double>(&value))
    return std::isfinite(*real) ? json(*real) : json(std::isnan(*real) ? "NaN" : *real > 0 ? "inf" : "-inf");
  if (const auto* flag = std::get_if<bool>(&value)) return *flag;
  return text_of(store, *std::get_if<StrId>(&value));
}

// Percentiles are of finished requests: of the others only the beginning was seen.
json request_summary(const Store& store) {
  const RequestTable& request = store.tables().request;
  std::vector<double> dur;
  for (std::size_t i = 0; i < request.dur.size(); ++i)
    if (store.text(request.status[i]) != "unfinished") dur.push_back(static_cast<double>(request.dur[i]));
  json out{{"unit", unit_word(store, words::kRequest)},
           {"n", request.dur.size()},
           {"unfinished", request.dur.size() - dur.size()}};
  if (dur.empty()) return out;
  std::ranges::sort(dur);
  double sum = 0;
  for (const double d : dur)
    sum += d;
  out["mean"] = sum / static_cast<double>(dur.size());
  // Linear interpolation between order statistics, as SQL's percentile().
  for (const auto& [key, q] : {std::pair{"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}, {"max", 1.0}})
    out[key] = quantile_type7(dur, q);
  return out;
}

json names_json(const PageNames& names) {
  json text = json::array(), category = json::array(), type = json::array(), layer = json::array();
  for (const PageName& name : names.names()) {
    text.push_back(name.text);
    category.push_back(name.category);
    type.push_back(name.type);
    layer.push_back(name.layer);
  }
  return {{"text", text}, {"category", category}, {"type", type}, {"layer", layer}};
}

json rows_json(const PageRows& rows) {
  json out = json::array();
  for (const PageRow& row : rows.rows)
    out.push_back({static_cast<int>(row.kind), row.group, row.nest, row.depth, row.source.size(), row.name});
  return out;
}

json groups_json(const PageRows& rows) {
  json out = json::array();
  for (const PageGroup& group : rows.groups)
    out.push_back({{"kind", group.kind}, {"name", group.name}, {"parent", group.parent}});
  return out;
}

json counters_json(const Store& store, const PageRows& rows) {
  const Tables& t = store.tables();
  json out = json::array();
  for (std::uint32_t c = 0; c < t.counter_track.name.size(); ++c)
    out.push_back({{"name", text_of(store, t.counter_track.name[c])},
                   {"unit", text_of(store, t.counter_track.unit[c])},
                   {"cpu", t.counter_track.cpu[c]},
                   {"group", rows.group_of_counter[c]},
                   {"n", std::ranges::equal_range(t.counter.track, c).size()}});
  return out;
}

std::string_view severity_word(Severity severity) {
  switch (severity) {
  case Severity::info:
    return "info";
  case Severity::notice:
    return "notice";
  case Severity::data_loss:
    return "data_loss";
  case Severity::error:
    return "error";
  }
  return "info";
}

// The ledger, the signals and the gaps; `used` collects the text ids they name.
json ledger_json(const Store& store, std::set<std::string>& used) {
  const Tables& t = store.tables();
  json notes = json::array(), signals = json::array(), gaps = json::array();
  const auto use = [&](StrId id) {
    used.insert(std::string(store.text(id)));
    return text_of(store, id);
  };
  for (std::size_t i = 0; i < t.note.code.size(); ++i) {
    used.insert(std::string(store.text(t.note.code[i])) + ".advice");
    notes.push_back({{"severity", severity_word(t.note.severity[i])},
                     {"code", use(t.note.code[i])},
                     {"count", exact(t.note.count[i])},
                     {"where", text_of(store, t.note.where[i])}});
  }
  for (std::size_t i = 0; i < t.signal.name.size(); ++i)
    signals.push_back({{"name", text_of(store, t.signal.name[i])},
                       {"ok", static_cast<bool>(t.signal.is_available[i])},
                       {"source", text_of(store, t.signal.source[i])},
                       {"reason", use(t.signal.reason[i])},
                       {"mend", use(t.signal.mend[i])},
                       {"detail", text_of(store, t.signal.detail[i])}});
  for (std::size_t i = 0; i < t.gap.ts.size(); ++i)
    gaps.push_back(
        {{"ts", t.gap.ts[i] - store.start().ns}, {"dur", t.gap.dur[i]}, {"reason", use(t.gap.reason[i])}});
  return {{"notes", notes}, {"signals", signals}, {"gaps", gaps}};
}

json texts_json(const std::set<std::string>& used) {
  json en = json::object(), zh = json::object();
  for (const TextRow& row : all_texts()) {
    if (!row.id.starts_with("viewer.") && !used.contains(std::string(row.id))) continue;
    en[std::string(row.id)] = row.en;
    zh[std::string(row.id)] = row.zh;
  }
  return {{"en", en}, {"zh", zh}};
}

json counts_json(const Store& store, const PageRows& rows) {
  const Tables& t = store.tables();
  return {{"items", rows.items},
          {"slices", t.slice.ts.size()},
          {"ops", t.op.slice.size()},
          {"samples", t.sample.ts.size()},
          {"kernels", t.kernel.ts.size()},
          {"sched", t.sched.ts.size()},
          {"counters", t.counter.ts.size()},
          {"flows", t.flow.slice_out.size()},
          {"threads", t.thread.tid.size()}};
}

} // namespace

json page_meta(const Store& store, const PageOptions& options, const PageRows& rows, const PageNames& names) {
  std::set<std::string> used;
  json meta = ledger_json(store, used);
  meta["version"] = 1;
  meta["lang"] = options.lang == Lang::zh ? "zh" : "en";
  meta["views"] = options.views;
  meta["trace"] = shortened(options.trace_name, kMaxValueBytes);
  meta["start"] = std::to_string(store.start().ns);
  meta["duration"] = std::max<std::int64_t>(1, store.end().ns - store.start().ns);
  meta["names"] = names_json(names);
  meta["words"] = names.words();
  meta["groups"] = groups_json(rows);
  meta["rows"] = rows_json(rows);
  meta["counters"] = counters_json(store, rows);
  meta["requests"] = request_summary(store);
  meta["counts"] = counts_json(store, rows);
  if (options.diagnosis != nullptr) {
    meta["findings"] = findings_json(*options.diagnosis, store, rows, options.rules);
    used.insert("diagnose.problem." + options.diagnosis->problem);
  }
  meta["texts"] = texts_json(used);
  json facts = json::array();
  const Tables& t = store.tables();
  for (std::size_t i = 0; i < t.metadata.key.size(); ++i)
    facts.push_back({text_of(store, t.metadata.key[i]), text_of(store, t.metadata.value[i])});
  meta["metadata"] = facts;
  return meta;
}

json args_json(const Store& store, std::uint32_t from, std::uint32_t to) {
  const ArgTable& arg = store.tables().arg;
  json out = json::array();
  for (std::uint32_t set = from; set < to && set + 1 < arg.set_begin.size(); ++set) {
    json args = json::array();
    for (std::uint32_t i = arg.set_begin[set]; i < arg.set_begin[set + 1]; ++i) {
      args.push_back(text_of(store, arg.key[i]));
      args.push_back(value_json(store, arg.value[i]));
    }
    out.push_back(std::move(args));
  }
  return out;
}

json heat_json(const HeatMap& heat) {
  static constexpr std::string_view kSources[] = {"sched", "running", "spans", "kernels", "cpu_counter"};
  json rows = json::array();
  for (const HeatRow& row : heat.rows) {
    json out{{"group", row.group},
             {"name", row.name},
             {"source", kSources[static_cast<std::size_t>(row.source)]},
             {"mean", row.mean},
             {"n", row.busy.size()}};
    if (row.period)
      out["period"] = {{"ns", row.period->period_ns},    {"correlation", row.period->correlation},
                       {"phase", row.period->phase_ns},  {"quiet", row.period->quiet_share},
                       {"busy", row.period->busy_share}, {"cycles", row.period->cycles}};
    rows.push_back(std::move(out));
  }
  const json floors{{"life", kPeriodFloors.life},         {"mean", kPeriodFloors.mean},
                    {"contrast", kPeriodFloors.contrast}, {"correlation", kPeriodFloors.correlation},
                    {"cycles", kPeriodFloors.cycles},     {"chance", kPeriodFloors.chance}};
  return {{"k", heat.k}, {"left_out", heat.left_out}, {"floors", floors}, {"rows", rows}};
}

json flame_json(const FlameTree& tree) {
  return {{"event", tree.event},
          {"names", tree.names},
          {"nodes", tree.nodes.size()},
          {"hits", tree.hits.size()},
          {"pcs", tree.pcs.size()},
          {"own_thread", tree.own_thread},
          {"joined", tree.joined},
          {"ambiguous", tree.ambiguous},
          {"no_op", tree.no_op},
          {"outside", tree.outside},
          {"off_cpu", tree.is_time_off_cpu},
          {"wall_time", tree.is_wall_time},
          {"left_out", tree.left_out}};
}

json assembly_json(const AssemblyFunction& function) {
  json lines = json::array();
  for (const AssemblyLine& line : function.lines)
    lines.push_back({line.address - function.start, line.bytes, line.text, line.file, line.line,
                     line.is_after_cut ? 1 : 0});
  return {{"mapping", function.mapping},
          {"function", function.function},
          {"start", function.start},
          {"size", function.end - function.start},
          {"self", function.self},
          {"files", function.files},
          {"lines", lines}};
}

json mappings_json(const Store& store, const Assembly& assembly) {
  const MappingTable& mapping = store.tables().mapping;
  json out = json::array();
  for (std::size_t i = 0; i < mapping.path.size(); ++i)
    out.push_back({{"path", text_of(store, mapping.path[i])},
                   {"build_id", text_of(store, mapping.build_id[i])},
                   {"code", assembly.mappings[i].code},
                   {"detail", assembly.mappings[i].detail}});
  return out;
}

} // namespace prof
