#include "verdict/compare.hpp"

#include "base/quantile.hpp"
#include "store/device_time.hpp"
#include "store/losses.hpp"
#include "store/request_time.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <iterator>
#include <map>
#include <unordered_map>

namespace prof {
namespace {

using Key = std::pair<std::string, std::string>;
using Work = std::map<Key, WorkTotal>;
constexpr std::size_t kLongestName = 512; // a name identifies work; a 10 kB one does so by its head

std::string head(std::string_view name) {
  return std::string(name.substr(0, kLongestName));
}
void put(Work& work, std::string_view name, std::string_view type, std::int64_t dur) {
  if (dur < 0) return; // never ended
  WorkTotal& total = work[{head(name), head(type)}];
  total.count += 1;
  total.total_ns += static_cast<double>(dur);
}

// What a compiler or a communication library numbers anew in every run is no part of what the work is: the
// hash in the name of a compiled kernel (12 hexadecimal digits or more, letters and figures; or 16), and what
// stands behind a collective of Ascend (hcom_allReduce__586_0_1: group, index, part).
std::string without_run_number(std::string_view name) {
  constexpr std::string_view kHex = "0123456789abcdefABCDEF", kDigits = "0123456789";
  if (name.starts_with("hcom_"))
    if (const auto at = name.find("__");
        at != std::string_view::npos && name.find_first_not_of("0123456789_", at) == std::string_view::npos)
      return std::string(name.substr(0, at));
  std::string out;
  for (std::size_t at = 0; at < name.size();) {
    const bool is_word = std::isalnum(static_cast<unsigned char>(name[at])) != 0;
    std::size_t end = at + 1;
    while (end < name.size() && (std::isalnum(static_cast<unsigned char>(name[end])) != 0) == is_word)
      ++end;
    const std::string_view part = name.substr(at, end - at);
    const bool is_hex = part.size() >= 12 && part.find_first_not_of(kHex) == std::string_view::npos;
    const bool is_hash = is_hex && part.find_first_of(kDigits) != std::string_view::npos &&
                         (part.size() >= 16 || part.find_first_not_of(kDigits) != std::string_view::npos);
    out += is_hash ? "*" : part;
    at = end;
  }
  return out;
}

ComparedRow row_of(const Key& key, const WorkTotal& a, const WorkTotal& b, double per_a, double per_b,
                   Presence presence) {
  ComparedRow row{.name = key.first, .type = key.second, .presence = presence};
  row.count_before = a.count / per_a, row.count_after = b.count / per_b;
  row.total_before_ns = a.total_ns / per_a, row.total_after_ns = b.total_ns / per_b;
  row.mean_before_ns = a.count > 0 ? a.total_ns / a.count : 0;
  row.mean_after_ns = b.count > 0 ? b.total_ns / b.count : 0;
  split_change(row);
  return row;
}

// Leftovers of both sides that share a type are one row of that type: a converter renames nodes, not their
// kind.
void match_by_type(const Work& gone, const Work& come, double per_a, double per_b, ComparedLevel& level) {
  std::map<std::string, std::pair<WorkTotal, WorkTotal>> types;
  const auto add = [](WorkTotal& to, const WorkTotal& w) { to.count += w.count, to.total_ns += w.total_ns; };
  for (const auto& [key, w] : gone)
    add(types[key.second].first, w);
  for (const auto& [key, w] : come)
    add(types[key.second].second, w);
  const auto is_paired = [&](const std::string& type) {
    return !type.empty() && types[type].first.count > 0 && types[type].second.count > 0;
  };
  double unmatched_before = 0, unmatched_after = 0;
  for (const auto& [type, sides] : types)
    if (is_paired(type))
      level.rows.push_back(row_of({"", type}, sides.first, sides.second, per_a, per_b, Presence::by_type));
  for (const auto& [key, w] : gone)
    if (!is_paired(key.second)) {
      level.rows.push_back(row_of(key, w, {}, per_a, per_b, Presence::vanished));
      unmatched_before += w.total_ns / per_a;
    }
  for (const auto& [key, w] : come)
    if (!is_paired(key.second)) {
      level.rows.push_back(row_of(key, {}, w, per_a, per_b, Presence::appeared));
      unmatched_after += w.total_ns / per_b;
    }
  level.unmatched_share = std::max(level.total_before_ns > 0 ? unmatched_before / level.total_before_ns : 0,
                                   level.total_after_ns > 0 ? unmatched_after / level.total_after_ns : 0);
}

// A trace of a lower level of detail (Ascend level 0) names its kernels and not their types: the name alone
// has to do where it has one type on the other side.
void match_by_name(Work& gone, Work& come, double per_a, double per_b, ComparedLevel& level) {
  const auto one_of_name = [](const Work& work, const std::string& name) {
    const auto first = work.lower_bound({name, ""});
    const bool is_there = first != work.end() && first->first.first == name;
    const bool is_alone =
        is_there && (std::next(first) == work.end() || std::next(first)->first.first != name);
    return is_alone ? first : work.end();
  };
  for (auto at = gone.begin(); at != gone.end();) {
    const auto& [name, type] = at->first;
    const auto other = name.empty() ? come.end() : one_of_name(come, name);
    const bool is_one =
        other != come.end() && one_of_name(gone, name) == at && type.empty() != other->first.second.empty();
    if (!is_one) {
      ++at;
      continue;
    }
    level.rows.push_back(row_of(type.empty() ? other->first : at->first, at->second, other->second, per_a,
                                per_b, Presence::both));
    come.erase(other);
    at = gone.erase(at);
  }
}

ComparedLevel compare_level(const std::string& id, const Work& a, const Work& b, double per_a, double per_b) {
  ComparedLevel level{.id = id};
  for (const auto& [key, w] : a)
    level.total_before_ns += w.total_ns / per_a;
  for (const auto& [key, w] : b)
    level.total_after_ns += w.total_ns / per_b;
  Work gone, come;
  for (const auto& [key, w] : a) {
    if (const auto found = b.find(key); found != b.end())
      level.rows.push_back(row_of(key, w, found->second, per_a, per_b, Presence::both));
    else
      gone[key] = w;
  }
  for (const auto& [key, w] : b)
    if (!a.contains(key)) come[key] = w;
  match_by_name(gone, come, per_a, per_b, level);
  match_by_type(gone, come, per_a, per_b, level);
  std::ranges::stable_sort(level.rows, [](const ComparedRow& x, const ComparedRow& y) {
    return std::fabs(x.delta_ns()) > std::fabs(y.delta_ns());
  });
  return level;
}

} // namespace

std::string_view presence_name(Presence presence) {
  switch (presence) {
  case Presence::both:
    return "both";
  case Presence::by_type:
    return "by_type";
  case Presence::appeared:
    return "appeared";
  case Presence::vanished:
    return "vanished";
  }
  return {};
}

void split_change(ComparedRow& row) {
  const double c0 = row.count_before, c1 = row.count_after;
  const double d0 = c0 > 0 ? row.mean_before_ns : row.mean_after_ns,
               d1 = c1 > 0 ? row.mean_after_ns : row.mean_before_ns;
  // Both grew or both shrank: what they did together is halved. One grew and one shrank: time was taken away
  // and time was added, and what never changed, the smaller count at the smaller duration, is in neither.
  // There the halves would each be many times the time itself: ten times as often at a tenth of the length
  // is +-0.9 of it, and by halves +-4.95.
  const bool is_opposed = (c1 - c0) * (d1 - d0) < 0;
  const double each = is_opposed ? std::min(d0, d1) : (d0 + d1) / 2;
  const double times = is_opposed ? std::min(c0, c1) : (c0 + c1) / 2;
  row.count_effect_ns = (c1 - c0) * each;
  row.duration_effect_ns = (d1 - d0) * times;
}

namespace {

// Work per request means per finished request: of one that the end of the recording cut, only a part is
// there.
struct Finished {
  explicit Finished(const Store& store) {
    const Tables& t = store.tables();
    is_request.assign(t.request.ts.size(), false);
    for (std::size_t r = 0; r < is_request.size(); ++r)
      is_request[r] = store.text(t.request.status[r]) != "unfinished";
    is_stage_slice.assign(t.slice.ts.size(), false);
    for (std::size_t s = 0; s < t.stage.slice.size(); ++s) {
      const std::uint32_t request = t.stage.request[s];
      if (request == kNoRow || is_request[request]) is_stage_slice[t.stage.slice[s]] = true;
    }
  }
  [[nodiscard]] bool takes_stage(const Tables& t, std::size_t row) const {
    return t.stage.request[row] == kNoRow || is_request[t.stage.request[row]];
  }
  [[nodiscard]] bool takes_op(const Tables& t, std::size_t row) const {
    return t.op.stage_slice[row] == kNoRow || is_stage_slice[t.op.stage_slice[row]];
  }
  std::vector<bool> is_request, is_stage_slice;
};

void count_units(const Store& store, TraceWork& out) {
  const UnitTable units = find_units(store);
  out.unit = unit_word(store, units.kind);
  // A step that several ranks ran a part of is one, as long as its slowest part; without an end where a part
  // has none.
  constexpr std::int64_t kNoEnd = -1;
  std::map<std::uint32_t, std::int64_t> steps;
  for (std::size_t i = 0; i < units.slice.size(); ++i) {
    const bool is_whole = units.is_complete[i] && units.dur[i] >= 0;
    std::int64_t& dur = steps.try_emplace(units.job_step[i], 0).first->second;
    dur = is_whole && dur != kNoEnd ? std::max(dur, units.dur[i]) : kNoEnd;
  }
  std::vector<double> ended;
  for (const auto& [step, dur] : steps) {
    if (dur != kNoEnd) ended.push_back(static_cast<double>(dur));
    ++(dur == kNoEnd ? out.unfinished : out.requests);
    out.request_total_ns += dur == kNoEnd ? 0 : static_cast<double>(dur);
  }
  if (!ended.empty()) out.request_median_ns = quantile_in_place(ended, 0.5);
}

// Whether operators have names besides their types. A level of types must be there to stand for them.
bool names_ops(const TraceWork& work) {
  const auto ops = work.levels.find("op");
  if (ops == work.levels.end() || !work.levels.contains("op_type")) return ops != work.levels.end();
  return std::ranges::any_of(ops->second, [](const auto& row) {
    const auto& [name, type] = row.first;
    return !type.empty() && name != type;
  });
}

} // namespace

TraceWork read_work(const Store& store) {
  TraceWork out;
  const Losses losses = losses_of(store);
  out.lost = losses.records, out.is_incomplete = losses.is_incomplete();
  const Tables& t = store.tables();
  const Finished finished(store);
  count_units(store, out);
  out.ops = read_ops(store);
  for (const DeviceTime& device : compute_device_time(store))
    out.device_busy_ns = out.device_busy_ns.value_or(0) + static_cast<double>(device.busy);
  Work& ops = out.levels["op"];
  Work& types = out.levels["op_type"];
  for (std::size_t i = 0; i < t.op.ts.size(); ++i) {
    if (!finished.takes_op(t, i)) continue;
    const auto name = store.text(t.op.name[i]), type = store.text(t.op.op_type[i]);
    put(ops, name, type, t.op.self_dur[i]);
    put(types, type.empty() ? name : type, "", t.op.self_dur[i]);
  }
  Work& stages = out.levels["stage"];
  for (std::size_t i = 0; i < t.stage.ts.size(); ++i)
    if (finished.takes_stage(t, i))
      put(stages, without_step_number(store.text(t.stage.name[i])), store.text(t.stage.wait_class[i]),
          t.stage.dur[i]);
  Work& kernels = out.levels["kernel"];
  Work& streams = out.levels["stream"];
  std::unordered_map<std::uint32_t, std::string> names; // of kernels, by the row of their text
  for (std::size_t i = 0; i < t.kernel.ts.size(); ++i) {
    std::string& kernel = names[t.kernel.name[i].row];
    if (kernel.empty()) kernel = without_run_number(store.text(t.kernel.name[i]));
    put(kernels, kernel, store.text(t.kernel.op_type[i]), t.kernel.dur[i]);
    const std::uint32_t stream = t.kernel.stream[i];
    if (stream >= t.stream.number.size()) continue;
    const std::string_view name = store.text(t.stream.name[stream]);
    put(streams, name.empty() ? "stream " + std::to_string(t.stream.number[stream]) : std::string(name), "",
        t.kernel.dur[i]);
  }
  return out;
}

Comparison compare(const TraceWork& before, const TraceWork& after) {
  static constexpr std::array<std::string_view, 5> kLevels{"stage", "op_type", "op", "stream", "kernel"};
  Comparison out{.baseline = before.path, .target = after.path};
  out.requests_before = before.requests, out.requests_after = after.requests;
  out.unfinished_before = before.unfinished, out.unfinished_after = after.unfinished;
  out.unit_before = before.unit, out.unit_after = after.unit;
  out.lost_before = before.lost, out.lost_after = after.lost;
  out.is_before_incomplete = before.is_incomplete, out.is_after_incomplete = after.is_incomplete;
  if (before.requests > 0)
    out.request_mean_before_ns = before.request_total_ns / static_cast<double>(before.requests);
  if (after.requests > 0)
    out.request_mean_after_ns = after.request_total_ns / static_cast<double>(after.requests);
  out.request_median_before_ns = before.request_median_ns,
  out.request_median_after_ns = after.request_median_ns;
  out.is_per_request = before.requests > 0 && after.requests > 0 && before.unit == after.unit;
  const double per_a = out.is_per_request ? static_cast<double>(before.requests) : 1;
  const double per_b = out.is_per_request ? static_cast<double>(after.requests) : 1;
  if (before.device_busy_ns) out.device_busy_before_ns = *before.device_busy_ns / per_a;
  if (after.device_busy_ns) out.device_busy_after_ns = *after.device_busy_ns / per_b;
  out.one_model = are_one_model(before.ops, after.ops);
  static const Work kNothing;
  const bool has_op_names = names_ops(before) || names_ops(after);
  for (const std::string_view id : kLevels) {
    if (id == "op" && !has_op_names) continue; // each would stand a second time under its type

    const auto a = before.levels.find(std::string(id)), b = after.levels.find(std::string(id));
    const Work& x = a == before.levels.end() ? kNothing : a->second;
    const Work& y = b == after.levels.end() ? kNothing : b->second;
    if (!x.empty() || !y.empty()) out.levels.push_back(compare_level(std::string(id), x, y, per_a, per_b));
  }
  return out;
}

} // namespace prof
