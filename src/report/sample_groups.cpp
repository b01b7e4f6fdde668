#include "report/sample_groups.hpp"

#include "report/html/sample_context.hpp"
#include "report/html/sample_weight.hpp"
#include "trace/conventions.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace prof::detail {
namespace {

auto key_of(const SampleGroup& g) {
  return std::tuple(g.callstack, g.thread, g.request, g.stage, g.op);
}

} // namespace

StrId event_to_export(const Store& store) {
  const SampleTable& samples = store.tables().sample;
  std::map<StrId, std::int64_t> counts;
  for (std::size_t i = 0; i < samples.ts.size(); ++i)
    if (samples.callstack[i] != kNoRow) ++counts[samples.event[i]];
  for (const auto& [event, count] : counts)
    if (store.text(event) == words::kEventCpu) return event;
  const auto most = std::ranges::max_element(counts, {}, [](const auto& row) { return row.second; });
  return most == counts.end() ? StrId{} : most->first;
}

SampleGroups group_samples(const Store& store) {
  const SampleTable& samples = store.tables().sample;
  const ContextFinder finder(store);
  const SampleWeights weights(store);
  SampleGroups out{.event = event_to_export(store), .groups = {}};
  out.is_time_off_cpu = weights.is_time_off_cpu(out.event);
  std::vector<SampleGroup> all;
  for (std::uint32_t i = 0; i < samples.ts.size(); ++i) {
    if (samples.callstack[i] == kNoRow || samples.event[i] != out.event) continue;
    const std::optional<std::int64_t> weight = weights.of(i);
    if (!weight) continue;
    const SampleContext context = finder.at(samples.thread[i], samples.ts[i], false);
    all.push_back({.callstack = samples.callstack[i],
                   .thread = samples.thread[i],
                   .request = context.request,
                   .stage = context.stage,
                   .op = context.op,
                   .count = 1,
                   .weight = *weight});
  }
  std::ranges::sort(all, {}, key_of);
  for (const SampleGroup& sample : all) {
    if (out.groups.empty() || key_of(out.groups.back()) != key_of(sample)) {
      out.groups.push_back(sample);
      continue;
    }
    ++out.groups.back().count;
    out.groups.back().weight += sample.weight;
  }
  return out;
}

std::vector<std::uint32_t> frames_of(const Store& store, std::uint32_t callstack) {
  const CallstackTable& stacks = store.tables().callstack;
  std::vector<std::uint32_t> frames;
  for (std::uint32_t at = callstack; at != kNoRow; at = stacks.parent[at])
    frames.push_back(stacks.frame[at]);
  return frames;
}

} // namespace prof::detail
