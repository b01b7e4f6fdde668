// export_stacks.cpp: collapsed stacks, one line a stack, as flamegraph.pl, speedscope and inferno read them.
#include "base/safe_text.hpp"
#include "report/export_view.hpp"
#include "report/sample_groups.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <ranges>

namespace prof {
namespace {

// A name as a part of a line: ';' separates parts and the last blank the figure, so neither may stand in it
// unescaped; an empty name would be an empty part.
std::string part(std::string_view name) {
  std::string out = one_line(name, 1000);
  std::ranges::replace(out, ';', ',');
  return out.empty() ? "?" : out;
}

} // namespace

bool has_stacks_to_export(const Store& store) {
  return !detail::group_samples(store).groups.empty();
}

NotCarried left_out_of_stacks(const Store& store) {
  const SampleTable& samples = store.tables().sample;
  const StrId event = detail::event_to_export(store);
  NotCarried out{.event = store.text(event)};
  for (std::size_t i = 0; i < samples.ts.size(); ++i) {
    if (samples.event[i] != event)
      ++out.other_samples;
    else if (samples.callstack[i] == kNoRow)
      ++out.samples;
  }
  return out;
}

Status export_collapsed(const Store& store, const ByteSink& out) {
  const Tables& t = store.tables();
  const detail::SampleGroups all = detail::group_samples(store);
  std::string buffer;
  for (const detail::SampleGroup& group : all.groups) {
    std::string line = "?";
    if (group.thread != kNoRow) {
      const std::uint32_t process = t.thread.process[group.thread];
      line = part(process == kNoRow ? "" : store.text(t.process.name[process])) + ";" +
             part(store.text(t.thread.name[group.thread]));
    }
    for (const StrId name : {group.request, group.stage, group.op})
      if (!name.is_empty()) line += ";" + part(store.text(name));
    for (const std::uint32_t frame : std::views::reverse(detail::frames_of(store, group.callstack)))
      line += ";" + part(store.text(t.frame.function[frame]));
    buffer += fmt::format("{} {}\n", line, group.weight);
    if (buffer.size() < kExportFlushBytes) continue;
    PROF_CHECK(out(buffer));
    buffer.clear();
  }
  return out(buffer);
}

} // namespace prof
