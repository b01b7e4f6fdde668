// switch_chain.hpp: where scheduler switches are missing: who leaves a CPU must be who came onto it last.
#pragma once
#include <cstdint>
#include <unordered_map>

namespace prof {

class SwitchChain {
public:
  // False when switches of this CPU are missing between the last one and this. Those of one CPU come in order
  // of time; before the first anybody may have run.
  bool take(std::int32_t cpu, std::int64_t prev_tid, std::int64_t next_tid) {
    const auto [running, is_first] = running_.try_emplace(cpu, prev_tid);
    const bool is_whole = is_first || running->second == prev_tid;
    running->second = next_tid;
    broken_ += is_whole ? 0 : 1;
    return is_whole;
  }
  // How many times they were.
  [[nodiscard]] std::int64_t broken() const { return broken_; }

private:
  std::unordered_map<std::int32_t, std::int64_t> running_; // by CPU
  std::int64_t broken_ = 0;
};

} // namespace prof
