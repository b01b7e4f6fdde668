// seal_signals.cpp: every signal word gets a row: where no collector or reader spoke, the data itself
// answers. And a recording that did not come to its end says so.
#include "store/building.hpp"

namespace prof::detail {
namespace {

bool has_event(const Building& b, StrId event) {
  return std::ranges::find(b.t.sample.event, event) != b.t.sample.event.end();
}

// A reader of somebody else's format says which one it was.
bool is_imported(const Building& b) {
  StrId key;
  return b.strings.find("format", key) && std::ranges::find(b.t.metadata.key, key) != b.t.metadata.key.end();
}

void derive(Building& b, std::string_view name, bool is_present) {
  const StrId id = b.strings.intern(name);
  SignalTable& signals = b.t.signal;
  if (std::ranges::find(signals.name, id) != signals.name.end()) return;
  signals.name.push_back(id);
  signals.is_available.push_back(is_present);
  signals.source.push_back(b.strings.intern(is_present ? "data" : ""));
  signals.reason.push_back(b.strings.intern(is_present ? "" : "signal.reason.not_recorded"));
  signals.mend.push_back(b.strings.intern(is_present       ? ""
                                          : is_imported(b) ? "signal.mend.not_in_import"
                                                           : "signal.mend.not_recorded"));
  signals.detail.push_back({});
}

bool has_counter(const Building& b, std::string_view name) {
  StrId id;
  return b.strings.find(name, id) &&
         std::ranges::find(b.t.counter_track.name, id) != b.t.counter_track.name.end();
}

std::string_view metadata_of(const Building& b, std::string_view name) {
  StrId key;
  if (!b.strings.find(name, key)) return {};
  const auto at = std::ranges::find(b.t.metadata.key, key);
  return at == b.t.metadata.key.end()
             ? ""
             : b.strings.text(b.t.metadata.value[static_cast<std::size_t>(at - b.t.metadata.key.begin())]);
}

} // namespace

void seal_end(Building& b) {
  if (metadata_of(b, "capture.state") == "recording") b.add_note(Severity::notice, "note.store.not_ended");
}

void seal_signals(Building& b) {
  derive(b, words::kSignalRequests, !b.t.request.slice.empty());
  derive(b, words::kSignalStages, !b.t.stage.slice.empty());
  derive(b, words::kSignalOps, !b.t.op.slice.empty());
  derive(b, words::kSignalSched, !b.t.sched.ts.empty());
  derive(b, words::kSignalStacks, has_event(b, b.words.event_cpu));
  derive(b, words::kSignalFaults, has_event(b, b.words.event_fault));
  derive(b, words::kSignalLocks,
         std::ranges::find(b.t.slice.category, b.words.lock) != b.t.slice.category.end());
  derive(b, words::kSignalKernels, !b.t.kernel.ts.empty());
  derive(b, words::kSignalHeap, has_counter(b, "heap_in_use"));
}

} // namespace prof::detail
