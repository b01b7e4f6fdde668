#include "rules/signals.hpp"

#include "trace/conventions.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace prof {
namespace {

struct SignalTableQuery {
  std::string_view signal, query;
  bool may_be_empty; // recorded, and nothing happened: that is an answer
};
constexpr std::array<SignalTableQuery, 12> kQueries{{
    {words::kSignalRequests, "select 1 from request limit 1", false},
    {words::kSignalStages, "select 1 from stage limit 1", false},
    {words::kSignalOps, "select 1 from op limit 1", false},
    {words::kSignalSched, "select 1 from thread_state limit 1", false},
    {words::kSignalStacks,
     "select 1 from sample where event = 'cpu-clock' and callstack_id is not null limit 1", false},
    {words::kSignalFaults, "select 1 from sample where event = 'page-faults' limit 1", true},
    {words::kSignalLocks, "select 1 from slice where category = 'lock' limit 1", true},
    {words::kSignalKernels, "select 1 from kernel limit 1", false},
    {words::kSignalHeap, "select 1 from counter_track where name = 'heap_in_use' limit 1", false},
    {"units", "select 1 from unit where dur > 0 limit 1", false}, // requests, or what stands for them
    {"threads", "select 1 from thread_time limit 1", false},      // what stands in where nothing marks work
    {"runs", "select 1 from slice where category = 'run' limit 1", false},
}};

const SignalTableQuery* query_of(std::string_view name) {
  const auto* at = std::ranges::find(kQueries, name, &SignalTableQuery::signal);
  return at == kQueries.end() ? nullptr : at;
}

std::string sql_text(std::string_view text) {
  std::string out = "'";
  for (const char c : text)
    out += c == '\'' ? "''" : std::string(1, c);
  return out + "'";
}

} // namespace

bool SignalBook::has_rows(const std::string& name) {
  const SignalTableQuery* known = query_of(name);
  const std::string query =
      known != nullptr
          ? std::string(known->query)
          : fmt::format("select 1 from counter_track t join (select distinct track_id from counter) c "
                        "on c.track_id = t.id where t.name = {} limit 1",
                        sql_text(name));
  const auto result = sql_.query(query, 1);
  return result.ok() && !result->rows.empty();
}

std::optional<MissingSignal> SignalBook::look(const std::string& name) {
  const SignalTable& table = store_.tables().signal;
  const auto row = store_.find_signal(name);
  if (row && !table.is_available[*row]) {
    const std::string detail(store_.text(table.detail[*row]));
    const auto filled = [&](StrId id) { return fill_in(text(lang_, store_.text(id)), {{"detail", detail}}); };
    return MissingSignal{name, filled(table.reason[*row]), filled(table.mend[*row]), detail};
  }
  if (has_rows(name)) return std::nullopt;
  const SignalTableQuery* known = query_of(name);
  if (row && (known == nullptr || known->may_be_empty)) return std::nullopt; // recorded, and nothing happened
  const std::string what = row ? "diagnose.signal.empty" : "diagnose.signal.absent";
  std::string mend = "diagnose.signal.mend." + name;
  if (text(lang_, mend) == mend) mend = "diagnose.signal.mend.other";
  return MissingSignal{name, std::string(text(lang_, what)), std::string(text(lang_, mend)), {}};
}

bool SignalBook::has_no_device() const {
  const auto row = store_.find_signal(words::kSignalKernels);
  if (!row || store_.tables().signal.is_available[*row]) return false;
  const std::string_view reason = store_.text(store_.tables().signal.reason[*row]);
  return reason == "signal.reason.no_nvidia_device" || reason == "signal.reason.no_ascend_device";
}

std::optional<MissingSignal> SignalBook::missing(const std::string& name) {
  const auto known = known_.find(name);
  if (known != known_.end()) return known->second;
  return known_.emplace(name, look(name)).first->second;
}

std::vector<MissingSignal> SignalBook::missing(const std::vector<AnyOf>& needs) {
  std::vector<MissingSignal> out;
  for (const AnyOf& group : needs) {
    const bool has_one = std::ranges::any_of(group, [&](const std::string& name) { return !missing(name); });
    const auto is_told = [&](const MissingSignal& m) { return m.signal == group.front(); };
    if (!has_one && std::ranges::none_of(out, is_told)) out.push_back(*missing(group.front()));
  }
  return out;
}

} // namespace prof
