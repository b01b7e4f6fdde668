// share_gain.hpp: what a change may save where there are no requests to replay: a share of the unit that the
// diagnosis was made in, never a latency.
#pragma once
#include "plan/diagnosis_file.hpp"
#include "plan/plan.hpp"

#include <optional>
#include <span>

namespace prof {

// Whether shares of this unit are shares of a time that is no request's: "thread", "run", "iteration".
[[nodiscard]] bool is_unit_of_time(std::string_view unit);

// Worked example. Locks are 20 % of the recorded time of the threads, and splitting the lock takes 30 % to 95
// % of the wait away, typically 70 %: 14 % of that time, between 6 % and 19 %.
//
// Operators count with their own time in the trace, other classes with what the causes explain. Nothing where
// the causes are measured in requests or devices, or where an effect is about queues and batches.
[[nodiscard]] std::optional<ShareGain> predict_share_gain(const DiagnosisFile& diagnosis,
                                                          std::span<const DiagnosedCause* const> causes,
                                                          std::span<const Effect> effects,
                                                          const Store& store);

// What the causes take of their unit of time, added up and at most all of it. Nothing where they are measured
// in other things than time or in different ones, and where an effect is about queues and batches: that may
// save more than what was found. `unit`: what stands as the requests of the trace.
[[nodiscard]] std::optional<GainCeiling> gain_ceiling(std::span<const DiagnosedCause* const> causes,
                                                      std::span<const Effect> effects, std::string_view unit);

} // namespace prof
