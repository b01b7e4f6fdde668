// units.cpp: what stands for one piece of work in a trace, and what people call it.
#include "store/call_names.hpp"
#include "store/host_calls.hpp"
#include "store/request_time.hpp"
#include "trace/conventions.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace prof {
namespace {

// A producer marks what recording cut off: a request by its status, any other span by an argument.
bool is_cut_off(const Store& store, std::uint32_t slice) {
  const std::uint32_t args = store.tables().slice.arg_set[slice];
  if (const ArgValue* status = store.find_arg(args, words::kArgStatus))
    if (const auto* text = std::get_if<StrId>(status); text != nullptr && store.text(*text) == "unfinished")
      return true;
  const ArgValue* mark = store.find_arg(args, "unfinished");
  const auto* is_marked = mark == nullptr ? nullptr : std::get_if<bool>(mark);
  return is_marked != nullptr && *is_marked;
}

void add_unit(UnitTable& units, const Store& store, std::uint32_t row) {
  const SliceTable& slices = store.tables().slice;
  units.is_complete.push_back(!is_cut_off(store, row));
  units.slice.push_back(row);
  units.ts.push_back(slices.ts[row]);
  units.dur.push_back(slices.dur[row]);
  units.name.push_back(slices.name[row]);
}

void sort_units(UnitTable& units, const Store& store) {
  const SliceTable& slices = store.tables().slice;
  std::vector<std::uint32_t> rows = units.slice;
  std::ranges::stable_sort(rows, {}, [&](std::uint32_t row) { return slices.ts[row]; });
  units = {
      .kind = units.kind, .slice = {}, .ts = {}, .dur = {}, .name = {}, .is_complete = {}, .job_step = {}};
  for (const std::uint32_t row : rows)
    add_unit(units, store, row);
}

// The rank of whoever recorded the slice; -1: unknown.
std::int64_t rank_of(const Store& store, std::uint32_t slice) {
  const Tables& t = store.tables();
  const std::uint32_t process = t.track.process[t.slice.track[slice]];
  return process == kNoRow ? -1 : rank_in(store.text(t.process.name[process]));
}

// Every rank of a job records its part of each step. Those of one name are one step, in the order of each
// rank where a name comes again.
void match_ranks(UnitTable& units, const Store& store) {
  units.job_step.resize(units.slice.size());
  std::iota(units.job_step.begin(), units.job_step.end(), 0U);
  if (unit_word(store, units.kind) != "iteration") return;
  std::set<std::int64_t> ranks;
  std::map<std::pair<std::uint32_t, std::int64_t>, std::size_t> seen;   // name and rank: how often so far
  std::map<std::pair<std::uint32_t, std::size_t>, std::uint32_t> first; // name and how often before: row
  std::vector<std::uint32_t> step;
  for (std::uint32_t i = 0; i < units.slice.size(); ++i) {
    const std::int64_t rank = rank_of(store, units.slice[i]);
    if (rank < 0) return;
    ranks.insert(rank);
    const std::uint32_t name = units.name[i].row;
    step.push_back(first.try_emplace({name, seen[{name, rank}]++}, i).first->second);
  }
  if (ranks.size() > 1) std::ranges::copy(step, units.job_step.begin());
}

UnitTable rows_of_units(const Store& store) {
  const Tables& t = store.tables();
  UnitTable units;
  for (const std::uint32_t row : t.request.slice)
    add_unit(units, store, row);
  if (!units.slice.empty()) return units;
  const StrId run = store.id_of(words::kRun);
  std::vector<bool> is_in_run(t.slice.ts.size(), false);
  units.kind = "run";
  for (std::uint32_t i = 0; i < t.slice.ts.size(); ++i) {
    const bool is_run = !run.is_empty() && t.slice.category[i] == run;
    const bool is_inside = t.slice.parent[i] != kNoRow && is_in_run[t.slice.parent[i]];
    if (is_run && !is_inside) add_unit(units, store, i);
    is_in_run[i] = is_run || is_inside;
  }
  if (units.slice.empty()) {
    units.kind = "iteration";
    CallNames names(store);
    for (std::uint32_t i = 0; i < t.slice.ts.size(); ++i)
      // A step has a length; "Iteration Start: PyTorch Profiler" and its like are marks.
      // Profilers repeat the marks of the host on the tracks of devices.
      if (t.slice.dur[i] > 0 && t.slice.layer[i] != Layer::device &&
          names.of(t.slice.name[i]) == CallKind::step)
        add_unit(units, store, i);
  }
  if (units.slice.empty()) units.kind = words::kRequest;
  sort_units(units, store);
  return units;
}

} // namespace

UnitTable find_units(const Store& store) {
  UnitTable units = rows_of_units(store);
  match_ranks(units, store);
  return units;
}

std::string_view unit_word(const Store& store, std::string_view kind) {
  const std::string_view source = store.metadata("request.source");
  if (kind != words::kRequest || source.empty()) return kind;
  for (const std::string_view step : {"Step", "steps", "STEP"})
    if (source.find(step) != std::string_view::npos) return "iteration";
  return source.find("model_run") != std::string_view::npos ? "run" : kind;
}

std::string without_step_number(std::string_view name) {
  const std::size_t end = name.find_last_not_of("0123456789") + 1;
  if (end == name.size() || call_kind(name) != CallKind::step) return std::string(name);
  return std::string(name.substr(0, end)) + "N";
}

} // namespace prof
