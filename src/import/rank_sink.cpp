#include "import/rank_sink.hpp"

#include "trace/conventions.hpp"

#include <charconv>
#include <fmt/format.h>

namespace prof {
namespace {

constexpr std::int64_t kMadeUpPid = std::int64_t{1} << 41; // beyond any that a kernel or a reader gives out
constexpr std::size_t kMostEnds = std::size_t{1} << 16;    // of one collective
constexpr int kRankShift = 48;                             // launch ids count below it

std::int64_t end_of(Ts ts, Dur dur) {
  std::int64_t end = 0;
  return __builtin_add_overflow(ts.ns, dur.ns, &end) ? ts.ns : end;
}

} // namespace

RankSink::RankSink(TraceSink& to, RankNumbers& taken, Rank rank)
    : ForwardSink(to), taken_(taken), rank_(rank), label_(fmt::format("(rank {})", rank.number)) {}

StrId RankSink::intern(std::string_view text) {
  const StrId id = to().intern(text);
  texts_.try_emplace(id.row, text);
  return id;
}

StrId RankSink::labelled(StrId name) {
  const auto text = texts_.find(name.row);
  const bool has_text = text != texts_.end() && !text->second.empty();
  return to().intern(has_text ? text->second + " " + label_ : label_);
}

Ts RankSink::shifted(Ts ts) const {
  std::int64_t ns = 0;
  if (__builtin_add_overflow(ts.ns, rank_.shift_ns, &ns)) return ts; // no time of this trace either way
  return {ns};
}

std::uint64_t RankSink::own_flow(std::uint64_t flow) const {
  return flow == 0 ? 0 : flow ^ (static_cast<std::uint64_t>(rank_.order & 0x7fff) << kRankShift);
}

Id<Process> RankSink::process(const Process& row) {
  const auto [at, is_new] = pids_.try_emplace(row.pid, row.pid);
  if (is_new && !taken_.pids.insert(at->second).second)
    for (at->second = kMadeUpPid; !taken_.pids.insert(at->second).second;)
      ++at->second;
  Process own = row;
  own.pid = at->second;
  if (!row.name.is_empty()) {
    own.name = labelled(row.name);
    unnamed_.erase(own.pid);
  } else if (is_new) {
    unnamed_.insert(own.pid);
  }
  return to().process(own);
}

Id<Device> RankSink::device(const Device& row) {
  const auto [at, is_new] = devices_.try_emplace({row.kind, row.index}, rank_.number);
  if (is_new)
    while (!taken_.devices.insert({row.kind, at->second}).second)
      ++at->second;
  Device own = row;
  own.index = at->second;
  own.name = labelled(row.name);
  return to().device(own);
}

Id<CounterTrack> RankSink::counter_track(const CounterTrack& row) {
  CounterTrack own = row;
  if (row.cpu < 0 && !row.thread && !row.process && !row.device) own.name = labelled(row.name);
  return to().counter_track(own);
}

void RankSink::slice(const Slice& row) {
  const auto own = [this](std::span<const std::uint64_t> from, std::vector<std::uint64_t>& out) {
    out.clear();
    for (const std::uint64_t flow : from)
      out.push_back(own_flow(flow));
  };
  own(row.flows_out, flows_out_);
  own(row.flows_in, flows_in_);
  ++categories_[row.category.row];
  if (const auto category = texts_.find(row.category.row);
      category != texts_.end() && category->second == words::kRequest)
    ++steps_[row.name.row];
  Slice copy = row;
  copy.ts = shifted(row.ts);
  copy.flows_out = flows_out_;
  copy.flows_in = flows_in_;
  to().slice(copy);
}

void RankSink::kernel(const Kernel& row) {
  if (row.kind != KernelKind::communication) ++kernels_[row.name.row];
  Kernel own = row;
  own.ts = shifted(row.ts);
  own.flow_in = own_flow(row.flow_in);
  if (row.kind == KernelKind::communication && row.dur.ns > 0)
    if (const auto name = texts_.find(row.name.row); name != texts_.end())
      if (auto& ends = ends_[name->second]; ends.size() < kMostEnds) ends.push_back(end_of(own.ts, row.dur));
  to().kernel(own);
}

RankContent RankSink::content() const {
  RankContent out{.rank = rank_.number, .categories = {}, .kernels = {}, .collectives = {}, .steps = {}};
  const auto name_them = [this](const auto& rows, std::map<std::string, std::int64_t>& named) {
    for (const auto& [row, n] : rows)
      if (const auto text = texts_.find(row); text != texts_.end() && !text->second.empty())
        named[text->second] += n;
  };
  name_them(categories_, out.categories);
  name_them(kernels_, out.kernels);
  name_them(steps_, out.steps);
  for (const auto& [name, ends] : ends_)
    if (name.find("SendRecv") == std::string::npos) // of two ranks, not of all
      out.collectives[name] = std::ssize(ends);
  return out;
}

void RankSink::counter(Id<CounterTrack> track, Ts ts, double value) {
  to().counter(track, shifted(ts), value);
}

void RankSink::sample(const Sample& row) {
  Sample own = row;
  own.ts = shifted(row.ts);
  to().sample(own);
}

void RankSink::gap(const Gap& row) {
  Gap own = row;
  own.ts = shifted(row.ts);
  to().gap(own);
}

void RankSink::note(const Note& row) {
  Note own = row;
  const auto where = texts_.find(row.where.row);
  const std::string rank = fmt::format("rank {}", rank_.number);
  own.where = to().intern(
      where == texts_.end() || where->second.empty() ? rank : fmt::format("{}, {}", rank, where->second));
  to().note(own);
}

void RankSink::metadata(std::string_view key, std::string_view value) {
  constexpr std::string_view kOwn = "kineto.";
  if (key == "start_realtime_ns") {
    std::int64_t ns = 0;
    if (std::from_chars(value.data(), value.data() + value.size(), ns).ec == std::errc{})
      start_realtime_ns_ = ns;
    return;
  }
  if (key.starts_with(kOwn))
    to().metadata(fmt::format("{}rank{}.{}", kOwn, rank_.number, key.substr(kOwn.size())), value);
  else
    to().metadata(key, value);
}

void RankSink::finish() {
  for (const std::int64_t pid : unnamed_)
    (void)to().process({.pid = pid, .name = to().intern(label_), .cmdline = {}});
  unnamed_.clear();
}

} // namespace prof
