#include "profiler/flight_plan.hpp"

#include "base/format_units.hpp"
#include "base/limit.hpp"
#include "profiler/trace_plan.hpp"

#include <array>
#include <utility>

namespace prof {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kDay = 86'400 * kSecond;

// A duration flag between two bounds; left out, it stays what it is.
Status read_duration(const Context& context, std::string_view option, const std::string& text,
                     std::int64_t least, Dur& to) {
  if (text.empty()) return {};
  const auto ns = parse_duration(text, context.lang);
  if (ns && *ns >= least && *ns <= kDay) {
    to = {*ns};
    return {};
  }
  return Error{Errc::bad_argument,
               say(context.lang, "trace.bad_window", fmt::arg("text", text), fmt::arg("option", option),
                   fmt::arg("least", format_dur({least})), fmt::arg("most", "24h")),
               {}};
}

Status read_ring_size(const Context& context, const std::string& text, std::int64_t& bytes) {
  if (text.empty()) return {};
  const auto size = parse_quantity(text);
  if (size && size->unit == "bytes" && size->value >= 1048576.0 && size->value <= 1099511627776.0) {
    bytes = static_cast<std::int64_t>(size->value);
    return {};
  }
  return Error{Errc::bad_argument, say(context.lang, "trace.bad_ring_size", fmt::arg("text", text)), {}};
}

} // namespace

Result<std::optional<FlightPlan>> parse_flight(const Context& context, const TraceFlags& flags) {
  const std::array<std::pair<std::string_view, bool>, 6> given{{{"--before", !flags.before.empty()},
                                                                {"--after", !flags.after.empty()},
                                                                {"--max_captures", flags.has_max_captures},
                                                                {"--cooldown", !flags.cooldown.empty()},
                                                                {"--window", !flags.window.empty()},
                                                                {"--ring_size", !flags.ring_size.empty()}}};
  if (flags.trigger.empty()) {
    for (const auto& [option, is_given] : given)
      if (is_given)
        return Error{
            Errc::bad_argument, say(context.lang, "trace.trigger_needed", fmt::arg("option", option)), {}};
    return std::optional<FlightPlan>{};
  }
  PROF_TRY(Trigger trigger, Trigger::parse(flags.trigger, context.lang));
  FlightPlan plan{.trigger = std::move(trigger),
                  .options = {},
                  .cooldown = {60 * kSecond},
                  .most_captures = flags.max_captures};
  PROF_CHECK(read_duration(context, "--before", flags.before, kSecond, plan.options.before));
  PROF_CHECK(read_duration(context, "--after", flags.after, 0, plan.options.after));
  PROF_CHECK(read_duration(context, "--cooldown", flags.cooldown, 0, plan.cooldown));
  PROF_CHECK(read_duration(context, "--window", flags.window, kSecond, plan.options.window));
  PROF_CHECK(read_ring_size(context, flags.ring_size, plan.options.ring_bytes));
  if (flags.output == "-" && plan.most_captures > 1)
    return Error{
        Errc::bad_argument, say(context.lang, "trace.one_to_stdout", fmt::arg("n", plan.most_captures)), {}};
  return std::optional(std::move(plan));
}

std::filesystem::path capture_path(const std::filesystem::path& output, int number, int most) {
  if (most <= 1) return output;
  std::filesystem::path path = output;
  path.replace_filename(fmt::format("{}_{}{}", output.stem().string(), number, output.extension().string()));
  return path;
}

int free_capture(const std::filesystem::path& output, int from, int most) {
  std::error_code ignored;
  while (most > 1 &&
         std::filesystem::exists(std::filesystem::symlink_status(capture_path(output, from, most), ignored)))
    ++from;
  return from;
}

} // namespace prof
