#include "report/html/sample_weight.hpp"

#include "trace/conventions.hpp"

#include <algorithm>

namespace prof {
namespace {

constexpr std::int64_t kNone = -1;

} // namespace

SampleWeights::SampleWeights(const Store& store)
    : samples_(store.tables().sample), switch_event_(store.id_of(words::kEventSwitch)),
      has_states_(!store.tables().thread_state.ts.empty()) {
  const ThreadStateTable& states = store.tables().thread_state;
  off_cpu_ns_.assign(has_states_ ? samples_.ts.size() : 0, kNone);
  for (std::size_t i = 0; i < states.ts.size(); ++i) {
    const std::uint32_t sample = states.sample[i];
    if (sample == kNoRow) continue;
    std::int64_t away = states.dur[i];
    // Woken, it waits for a CPU: it is off the CPU until it runs.
    for (std::size_t k = i + 1; k < states.ts.size() && states.thread[k] == states.thread[i] &&
                                states.state[k] == 'R' && states.ts[k] == states.ts[i] + away;
         ++k)
      away += states.dur[k];
    off_cpu_ns_[sample] = std::max<std::int64_t>(0, off_cpu_ns_[sample]) + away;
  }
}

bool SampleWeights::is_time_off_cpu(StrId event) const {
  return has_states_ && !event.is_empty() && event == switch_event_;
}

std::optional<std::int64_t> SampleWeights::of(std::uint32_t sample) const {
  if (!is_time_off_cpu(samples_.event[sample])) return samples_.weight[sample];
  return off_cpu_ns_[sample] == kNone ? std::nullopt : std::optional(off_cpu_ns_[sample]);
}

} // namespace prof
