#include "plan/request_model.hpp"

#include "base/lang.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <unordered_map>

namespace prof {
namespace {

constexpr std::string_view kQueueWait = "queue_wait";
constexpr std::string_view kBatchWait = "batch_wait";

struct RequestTimes {
  std::int64_t work_begin = 0, work_end = 0, queue_ns = 0, batch_wait_ns = 0;
  bool has_work = false;
  std::uint32_t first_slice = kNoRow;
};

// What the stages say about each request.
std::vector<RequestTimes> times_of(const Store& store, bool& has_queue) {
  const Tables& t = store.tables();
  std::vector<RequestTimes> times(t.request.slice.size());
  for (std::size_t i = 0; i < t.stage.slice.size(); ++i) {
    const std::uint32_t request = t.stage.request[i];
    if (request >= times.size()) continue;
    RequestTimes& row = times[request];
    const std::int64_t begin = t.stage.ts[i], end = begin + t.stage.dur[i];
    const std::string_view wait = store.text(t.stage.wait_class[i]);
    if (wait == kQueueWait || wait == kBatchWait) {
      (wait == kQueueWait ? row.queue_ns : row.batch_wait_ns) += t.stage.dur[i];
      has_queue = true;
      continue;
    }
    if (!wait.empty()) continue;
    if (!row.has_work || begin < row.work_begin) {
      row.work_begin = begin;
      row.first_slice = t.stage.slice[i];
    }
    row.work_end = row.has_work ? std::max(row.work_end, end) : end;
    row.has_work = true;
  }
  return times;
}

// The most units that were served at once: a lower bound of the number of workers, and the number when it was
// busy.
int most_at_once(const std::vector<ServiceUnit>& units) {
  std::vector<std::pair<std::int64_t, int>> edges;
  for (const ServiceUnit& unit : units) {
    edges.emplace_back(unit.start_ns, 1);
    edges.emplace_back(unit.start_ns + unit.service_ns, -1);
  }
  std::sort(edges.begin(), edges.end()); // an end before a start at the same time
  int now = 0, most = 1;
  for (const auto& [ts, step] : edges)
    most = std::max(most, now += step);
  return most;
}

// Threads that began the work of units: each worker takes its turn when there is a queue.
int worker_threads(const Store& store, const std::vector<RequestTimes>& times) {
  const Tables& t = store.tables();
  std::unordered_map<std::uint32_t, std::uint32_t> thread_of;
  for (std::size_t i = 0; i < t.stage.slice.size(); ++i)
    thread_of[t.stage.slice[i]] = t.stage.thread[i];
  std::set<std::uint32_t> threads;
  for (const RequestTimes& row : times)
    if (const auto at = thread_of.find(row.first_slice); at != thread_of.end() && at->second != kNoRow)
      threads.insert(at->second);
  return static_cast<int>(threads.size());
}

void add_op_times(const Store& store, const std::unordered_map<std::uint32_t, std::uint32_t>& unit_of_slice,
                  RequestModel& model) {
  const Tables& t = store.tables();
  for (std::size_t i = 0; i < t.op.slice.size(); ++i) {
    const auto unit = unit_of_slice.find(t.op.stage_slice[i]);
    if (unit == unit_of_slice.end()) continue;
    auto& row = model.op_ns[std::string(store.text(t.op.op_type[i]))];
    row.resize(model.units.size());
    row[unit->second] += static_cast<double>(t.op.self_dur[i]);
  }
}

// The classes of the members of a unit are the same time seen twice: their mean is the unit's.
Status add_time_classes(Sql& sql, const std::vector<std::uint32_t>& unit_of_request, RequestModel& model) {
  PROF_TRY(const SqlResult rows, sql.query("select request_id, class, ns from request_time", 50'000'000));
  for (const auto& row : rows.rows) {
    const auto* request = std::get_if<std::int64_t>(&row[0]);
    const auto* name = std::get_if<std::string>(&row[1]);
    const auto* ns = std::get_if<std::int64_t>(&row[2]);
    if (request == nullptr || name == nullptr || ns == nullptr || *name == kQueueWait || *name == kBatchWait)
      continue;
    if (*request < 0 || *request >= std::ssize(unit_of_request)) continue;
    const std::uint32_t unit = unit_of_request[static_cast<std::size_t>(*request)];
    auto& column = model.time_ns[*name];
    column.resize(model.units.size());
    column[unit] += static_cast<double>(*ns) / static_cast<double>(model.units[unit].requests.size());
  }
  return {};
}

} // namespace

Result<RequestModel> make_request_model(const Store& store, Sql& sql) {
  const Tables& t = store.tables();
  if (t.request.slice.empty()) return error_said(Errc::missing, "error.no_replay", {});
  RequestModel model;
  const std::vector<RequestTimes> times = times_of(store, model.has_queue);
  std::unordered_map<std::uint32_t, std::uint32_t> unit_of_slice; // first working stage slice -> unit
  std::vector<std::uint32_t> unit_of_request;
  for (std::size_t i = 0; i < times.size(); ++i) {
    const RequestTimes& row = times[i];
    const std::int64_t arrival = t.request.ts[i], end = arrival + t.request.dur[i];
    const std::int64_t begin = row.has_work ? std::clamp(row.work_begin, arrival, end)
                                            : std::min(arrival + row.queue_ns + row.batch_wait_ns, end);
    const std::int64_t work_end = row.has_work ? std::clamp(row.work_end, begin, end) : end;
    auto [at, is_new] =
        unit_of_slice.try_emplace(row.first_slice, static_cast<std::uint32_t>(model.units.size()));
    if (is_new || row.first_slice == kNoRow) {
      at->second = static_cast<std::uint32_t>(model.units.size());
      model.units.push_back(
          {.start_ns = begin, .service_ns = 0, .batch_wait_ns = row.batch_wait_ns, .requests = {}});
    }
    ServiceUnit& unit = model.units[at->second];
    unit.requests.push_back(static_cast<std::uint32_t>(i));
    unit.start_ns = std::min(unit.start_ns, begin);
    unit.service_ns = std::max(unit.service_ns, work_end - unit.start_ns);
    unit.batch_wait_ns = std::min(unit.batch_wait_ns, row.batch_wait_ns);
    model.requests.push_back({.arrival_ns = arrival,
                              .latency_ns = t.request.dur[i],
                              .after_ns = end - work_end,
                              .is_complete = store.text(t.request.status[i]) != "unfinished"});
    unit_of_request.push_back(at->second);
  }
  // Replay goes by the order in which units were taken up.
  std::vector<std::uint32_t> order(model.units.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return model.units[a].start_ns < model.units[b].start_ns;
  });
  std::vector<std::uint32_t> place(order.size());
  std::vector<ServiceUnit> sorted;
  for (std::size_t i = 0; i < order.size(); ++i) {
    place[order[i]] = static_cast<std::uint32_t>(i);
    sorted.push_back(std::move(model.units[order[i]]));
  }
  model.units = std::move(sorted);
  for (std::uint32_t& unit : unit_of_request)
    unit = place[unit];
  model.workers = std::max(most_at_once(model.units), model.has_queue ? worker_threads(store, times) : 1);
  // Every stage slice of a request belongs to its unit, not only the first.
  std::unordered_map<std::uint32_t, std::uint32_t> unit_of_stage;
  for (std::size_t i = 0; i < t.stage.slice.size(); ++i)
    if (t.stage.request[i] < unit_of_request.size())
      unit_of_stage[t.stage.slice[i]] = unit_of_request[t.stage.request[i]];
  add_op_times(store, unit_of_stage, model);
  PROF_CHECK(add_time_classes(sql, unit_of_request, model));
  return model;
}

std::vector<std::pair<std::string, std::int64_t>> models_by_time(const Store& store) {
  const Tables& t = store.tables();
  std::map<std::string, std::int64_t> sums;
  for (std::size_t i = 0; i < t.op.slice.size(); ++i)
    sums[std::string(store.text(t.op.model[i]))] += t.op.self_dur[i];
  sums.erase("");
  std::vector<std::pair<std::string, std::int64_t>> out(sums.begin(), sums.end());
  std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  return out;
}

} // namespace prof
