#include "plan/share_gain.hpp"

#include <algorithm>
#include <array>

namespace prof {
namespace {

// The own time of operators of these types over the time of all units.
double share_of_ops(const Store& store, const std::vector<std::string>& types, double unit_ns) {
  const OpTable& op = store.tables().op;
  double ns = 0;
  for (std::size_t i = 0; i < op.slice.size(); ++i)
    if (std::ranges::find(types, store.text(op.op_type[i])) != types.end())
      ns += static_cast<double>(op.self_dur[i]);
  return unit_ns > 0 ? std::min(1.0, ns / unit_ns) : 0;
}

bool is_about_time(const Effect& effect) {
  return effect.kind == EffectKind::ops || effect.kind == EffectKind::time;
}

} // namespace

bool is_unit_of_time(std::string_view unit) {
  constexpr std::array<std::string_view, 3> kUnits{"thread", "run", "iteration"};
  return std::ranges::find(kUnits, unit) != kUnits.end();
}

std::optional<ShareGain> predict_share_gain(const DiagnosisFile& diagnosis,
                                            std::span<const DiagnosedCause* const> causes,
                                            std::span<const Effect> effects, const Store& store) {
  if (causes.empty() || effects.empty() || !is_unit_of_time(causes.front()->share_unit)) return std::nullopt;
  double explained = 0;
  for (const DiagnosedCause* cause : causes) {
    if (cause->share_unit != causes.front()->share_unit) return std::nullopt; // shares of different wholes
    explained += cause->share_mean;
  }
  Range left{1, 1, 1}; // what remains when the least, the typical and the most is taken away
  for (const Effect& effect : effects) {
    if (!is_about_time(effect)) return std::nullopt;
    const double part = effect.kind == EffectKind::ops ? share_of_ops(store, effect.names, diagnosis.unit_ns)
                                                       : std::clamp(explained, 0.0, 1.0);
    left.low *= 1 - part * effect.range.low;
    left.typical *= 1 - part * effect.range.typical;
    left.high *= 1 - part * effect.range.high;
  }
  return ShareGain{.unit = causes.front()->share_unit,
                   .change = {.low = left.high - 1, .typical = left.typical - 1, .high = left.low - 1}};
}

std::optional<GainCeiling> gain_ceiling(std::span<const DiagnosedCause* const> causes,
                                        std::span<const Effect> effects, std::string_view unit) {
  if (causes.empty() || !std::ranges::all_of(effects, is_about_time)) return std::nullopt;
  const std::string& shared = causes.front()->share_unit;
  const bool is_of_requests = shared == "request";
  if (!is_of_requests && shared != "device" && !is_unit_of_time(shared)) return std::nullopt;
  double share = 0;
  for (const DiagnosedCause* cause : causes) {
    if (cause->share_unit != shared) return std::nullopt;
    share += cause->share_mean;
  }
  if (!(share > 0)) return std::nullopt;
  return GainCeiling{.unit = is_of_requests ? std::string(unit) : shared, .share = std::min(1.0, share)};
}

} // namespace prof
