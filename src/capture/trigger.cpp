#include "capture/trigger.hpp"

#include "base/nearest.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace prof {
namespace {

constexpr std::size_t kMostConditions = 32;
constexpr int kMostDepth = 16;
constexpr std::string_view kSpace = " \t\n";

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

bool is_lower_limit(const Limit& limit) {
  return limit.op.front() == '<';
}

// What a value of this metric may be written in, for people.
std::string_view example_of(std::string_view unit) {
  static constexpr auto kExamples =
      std::to_array<std::pair<std::string_view, std::string_view>>({{"ns", "200ms, 1.5s"},
                                                                    {"bytes", "2GiB, 512MiB"},
                                                                    {"bytes/s", "100MB/s"},
                                                                    {"percent", "90%"},
                                                                    {"1/s", "10/s"},
                                                                    {"watt", "15W"},
                                                                    {"celsius", "80C"},
                                                                    {"MHz", "1200MHz"}});
  const auto found = std::ranges::find(kExamples, unit, [](const auto& row) { return row.first; });
  return found == kExamples.end() ? "12" : found->second;
}

} // namespace

class TriggerParser {
public:
  TriggerParser(std::string_view text, Lang lang) : rest_(text), lang_(lang) {
    trigger_.text_ = trimmed(text);
  }

  Result<Trigger> parse() {
    PROF_CHECK(any(0));
    if (!trimmed(rest_).empty()) return broken(rest_);
    trigger_.states_.resize(trigger_.conditions_.size());
    return std::move(trigger_);
  }

private:
  using Word = Trigger::Word;

  // --- words
  void skip_space() { rest_.remove_prefix(std::min(rest_.find_first_not_of(kSpace), rest_.size())); }
  // Whether `word` stands at `at` of the rest: signs anywhere, words not as a part of another one.
  [[nodiscard]] bool stands_at(std::size_t at, std::string_view word) const {
    if (rest_.substr(at, word.size()) != word) return false;
    if (word.front() < 'a' || word.front() > 'z') return true;
    const auto is_edge = [&](std::size_t i) {
      return (kSpace.find(rest_[i]) != kSpace.npos) || rest_[i] == '(' || rest_[i] == ')';
    };
    const std::size_t end = at + word.size();
    return (at == 0 || is_edge(at - 1)) && (end >= rest_.size() || is_edge(end));
  }
  bool take(std::initializer_list<std::string_view> words) {
    skip_space();
    for (const std::string_view word : words)
      if (stands_at(0, word)) {
        rest_.remove_prefix(word.size());
        return true;
      }
    return false;
  }
  // Everything up to the next word of the grammar.
  std::string_view take_text() {
    std::size_t end = 0;
    const auto is_word = [&](std::string_view word) { return stands_at(end, word); };
    while (end < rest_.size() &&
           !std::ranges::any_of(std::array<std::string_view, 7>{"(", ")", "and", "or", "for", "&&", "||"},
                                is_word))
      ++end;
    return trimmed(std::exchange(rest_, rest_.substr(end)).substr(0, end));
  }

  // --- errors
  [[nodiscard]] Error broken(std::string_view at) const {
    const std::string_view place = trimmed(at);
    return {Errc::bad_argument,
            say(lang_, place.empty() ? "trigger.cut" : "trigger.broken", fmt::arg("place", place),
                fmt::arg("text", trigger_.text_)),
            {}};
  }
  [[nodiscard]] Error unknown(const std::string& metric) const {
    std::vector<std::string> known;
    std::string list;
    for (const LiveMetric& live : live_metrics()) {
      known.emplace_back(live.id);
      list += (list.empty() ? "" : ", ") + known.back();
    }
    const std::string near = nearest_names(metric, known, 3);
    return {Errc::bad_argument,
            say(lang_, near.empty() ? "trigger.unknown" : "trigger.unknown_near", fmt::arg("metric", metric),
                fmt::arg("near", near), fmt::arg("known", list)),
            {}};
  }

  // --- the grammar
  Status any(int depth) {
    PROF_CHECK(all(depth));
    while (take({"or", "||"})) {
      PROF_CHECK(all(depth));
      trigger_.program_.push_back(static_cast<std::int16_t>(Word::or_));
    }
    return {};
  }
  Status all(int depth) {
    PROF_CHECK(term(depth));
    while (take({"and", "&&"})) {
      PROF_CHECK(term(depth));
      trigger_.program_.push_back(static_cast<std::int16_t>(Word::and_));
    }
    return {};
  }
  Status term(int depth) {
    const std::string_view from = rest_;
    if (!take({"("})) return condition();
    if (depth >= kMostDepth) return broken(from);
    PROF_CHECK(any(depth + 1));
    if (!take({")"})) return broken(rest_);
    return {};
  }
  Status condition() {
    skip_space();
    const std::string_view from = rest_;
    const std::string_view written = take_text();
    if (written.empty() || trigger_.conditions_.size() >= kMostConditions) return broken(from);
    Condition made;
    const auto limit = parse_limit(written);
    const auto sign = written.find_first_of("<>");
    if (sign == std::string_view::npos) return broken(from);
    // The name first: with a wrong one nobody can say what unit is right.
    const std::string name = full_metric_name(trimmed(written.substr(0, sign)));
    if (name.empty()) return broken(from);
    made.metric = find_live_metric(name);
    if (made.metric == nullptr) return unknown(name);
    // Whoever writes 200 for a latency may mean seconds or milliseconds: a recorder that never fires is no
    // way to find out.
    const auto bare =
        parse_quantity(written.substr(std::min(written.find_first_not_of("<>=", sign), written.size())));
    const bool is_bare_time = bare && bare->unit.empty() && made.metric->unit == "ns";
    if (!limit || is_bare_time || (!limit->unit.empty() && limit->unit != made.metric->unit))
      return Error{Errc::bad_argument,
                   say(lang_, "trigger.bad_value", fmt::arg("text", written),
                       fmt::arg("metric", made.metric->id),
                       fmt::arg("example", example_of(made.metric->unit))),
                   {}};
    made.limit = *limit;
    if (take({"for"})) {
      const std::string_view hold = take_text();
      const auto time = parse_quantity(hold);
      if (!time || time->unit != "ns" || time->value <= 0 || time->value > 8.64e13)
        return Error{Errc::bad_argument, say(lang_, "trigger.bad_hold", fmt::arg("text", hold)), {}};
      made.hold = {static_cast<std::int64_t>(time->value)};
    }
    made.text = trimmed(from.substr(0, from.size() - rest_.size()));
    trigger_.program_.push_back(static_cast<std::int16_t>(trigger_.conditions_.size()));
    trigger_.conditions_.push_back(std::move(made));
    return {};
  }

  std::string_view rest_;
  Lang lang_;
  Trigger trigger_;
};

Result<Trigger> Trigger::parse(std::string_view text, Lang lang) {
  return TriggerParser(text, lang).parse();
}

bool Trigger::look(Ts now, const std::function<std::optional<double>(const LiveMetric&)>& value_of) {
  for (std::size_t i = 0; i < conditions_.size(); ++i) {
    const Condition& condition = conditions_[i];
    ConditionState& state = states_[i];
    state.value = value_of(*condition.metric);
    if (!state.value || !is_exceeded(condition.limit, *state.value)) {
      state.true_since.reset();
    } else if (!state.true_since) {
      state.true_since = now;
    }
    state.is_met = state.true_since && now - *state.true_since >= condition.hold;
    if (!state.value) continue;
    if (!state.extreme ||
        (is_lower_limit(condition.limit) ? *state.value < *state.extreme : *state.value > *state.extreme))
      state.extreme = state.value;
  }
  std::vector<bool> stack;
  for (const std::int16_t word : program_) {
    if (word >= 0) {
      stack.push_back(states_[static_cast<std::size_t>(word)].is_met);
      continue;
    }
    const bool right = stack.back();
    stack.pop_back();
    stack.back() =
        word == static_cast<std::int16_t>(Word::and_) ? stack.back() && right : stack.back() || right;
  }
  return stack.back();
}

void Trigger::begin_anew() {
  for (ConditionState& state : states_)
    state = {.extreme = state.extreme};
}

} // namespace prof
