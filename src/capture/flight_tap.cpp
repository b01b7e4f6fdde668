#include "capture/flight_tap.hpp"

#include "trace/conventions.hpp"

#include <algorithm>

namespace prof {
namespace {

constexpr std::size_t kMostGaps = 1000;

} // namespace

FlightTap::FlightTap(TraceSink& sink, LiveMetrics& live)
    : ForwardSink(sink), live_(live), request_(sink.intern(words::kRequest)), run_(sink.intern(words::kRun)),
      status_(sink.intern(words::kArgStatus)), ok_(sink.intern("ok")),
      unfinished_(sink.intern("unfinished")) {
  for (const LiveMetric& metric : live_metrics())
    for (const auto* names : {&metric.names, &metric.otherwise})
      for (const std::string_view name : *names)
        names_.emplace(sink.intern(name).row, name);
}

void FlightTap::release(Ts since) {
  is_released_ = true;
  for (const auto& [key, value] : metadata_)
    to().metadata(key, value);
  for (const auto& [name, row] : signals_)
    to().signal(row);
  for (const auto& [key, row] : notes_)
    to().note(row);
  for (const Gap& row : gaps_)
    if (row.ts + row.dur > since) to().gap(row);
}

Id<Process> FlightTap::process(const Process& row) {
  const Id<Process> id = to().process(row);
  pids_[id.row] = row.pid;
  return id;
}

Id<CounterTrack> FlightTap::counter_track(const CounterTrack& row) {
  const Id<CounterTrack> id = to().counter_track(row);
  const auto name = names_.find(row.name.row);
  if (name == names_.end()) return id;
  const auto pid = pids_.find(row.process.row);
  tracks_[id.row] = {.name = name->second,
                     .owner = {.pid = pid == pids_.end() ? 0 : pid->second, .cpu = row.cpu, .track = id.row}};
  return id;
}

void FlightTap::counter(Id<CounterTrack> track, Ts ts, double value) {
  if (const auto watched = tracks_.find(track.row); watched != tracks_.end())
    live_.counter(watched->second.name, watched->second.owner, ts, value);
  to().counter(track, ts, value);
}

RequestOutcome FlightTap::outcome_of(const Slice& row) const {
  const auto status = std::ranges::find(row.args, status_, &Arg::key);
  const auto* word = status == row.args.end() ? nullptr : std::get_if<StrId>(&status->value);
  if (word == nullptr || word->is_empty()) return RequestOutcome::unknown;
  return *word == ok_ ? RequestOutcome::ok : RequestOutcome::failed;
}

void FlightTap::slice(const Slice& row) {
  to().slice(row);
  if (row.dur < Dur{}) return; // has not ended
  const auto is_unfinished = [&](const Arg& arg) {
    const auto* word = std::get_if<StrId>(&arg.value);
    return arg.key == unfinished_ || (arg.key == status_ && word != nullptr && *word == unfinished_);
  };
  if (row.category != request_ && row.category != run_) return;
  if (std::ranges::any_of(row.args, is_unfinished)) return;
  if (row.category == request_)
    live_.request(row.ts + row.dur, row.dur, outcome_of(row));
  else
    live_.run(row.ts + row.dur, row.dur);
}

void FlightTap::signal(const Signal& row) {
  if (is_released_)
    to().signal(row);
  else
    signals_[row.name] = row;
}

void FlightTap::note(const Note& row) {
  if (is_released_) return to().note(row);
  const auto [it, is_new] = notes_.try_emplace({row.severity, row.code}, row);
  if (!is_new) it->second.count += row.count;
}

void FlightTap::gap(const Gap& row) {
  if (is_released_) return to().gap(row);
  gaps_.push_back(row);
  if (gaps_.size() > kMostGaps) gaps_.pop_front();
}

void FlightTap::metadata(std::string_view key, std::string_view value) {
  if (is_released_)
    to().metadata(key, value);
  else
    metadata_[std::string(key)] = value;
}

} // namespace prof
