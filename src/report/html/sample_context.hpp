// sample_context.hpp: what a thread was working on at an instant: request, stage, operator.
#pragma once
#include "store/store.hpp"

#include <cstdint>
#include <vector>

namespace prof {

enum class JoinKind : std::uint8_t { own_thread, joined, ambiguous, no_op, outside };

struct SampleContext {
  StrId request = {}, stage = {}, op = {}, op_type = {};
  JoinKind join = JoinKind::outside;
};

// Answers in O(log n) per thread of the process. The store must outlive it.
class ContextFinder {
public:
  explicit ContextFinder(const Store& store);
  // `is_pool_work`: the sample's stack runs the operator library, so a thread without spans may be an
  // operator's pool thread.
  [[nodiscard]] SampleContext at(std::uint32_t thread, std::int64_t ts, bool is_pool_work) const;
  [[nodiscard]] bool has_slices(std::uint32_t thread) const {
    return thread < begin_.size() && begin_[thread] != end_[thread];
  }

private:
  // The innermost slice of the thread's track at ts, or kNoRow.
  [[nodiscard]] std::uint32_t innermost(std::uint32_t thread, std::int64_t ts) const;
  [[nodiscard]] SampleContext of_slice(std::uint32_t slice) const;
  const Store& store_;
  std::vector<std::uint32_t> begin_, end_;             // per thread: its slices
  std::vector<std::vector<std::uint32_t>> op_threads_; // per process
  std::vector<std::pair<std::uint32_t, std::uint32_t>> op_of_slice_,
      request_of_stage_; // (slice, row), sorted
};

} // namespace prof
