#include "plan/step_writer.hpp"

#include "plan/fill.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>

namespace prof::detail {
namespace {

constexpr std::string_view kService = "{service}";

// How many requests a side make a change of the mean visible: two-sided 5 %, power 80 %, (1.96 + 0.84)^2
// = 7.84.
std::int64_t requests_needed(const RequestModel& model, double change) {
  if (change == 0 || model.requests.size() < 2) return 0;
  double sum = 0, squares = 0;
  for (const ReplayRequest& request : model.requests)
    sum += static_cast<double>(request.latency_ns);
  const double mean = sum / static_cast<double>(model.requests.size());
  for (const ReplayRequest& request : model.requests)
    squares += std::pow(static_cast<double>(request.latency_ns) - mean, 2);
  const double variance = squares / static_cast<double>(model.requests.size() - 1);
  if (mean <= 0) return 0;
  const double n = 2 * 7.84 * variance / std::pow(mean * change, 2);
  return n > 1e9 ? 0 : std::max<std::int64_t>(30, static_cast<std::int64_t>(std::ceil(n)));
}

// What has been changed in the service by the steps so far.
struct ServiceState {
  std::vector<std::string> env, config; // as in Action, filled
  std::string config_file;              // its name; empty = none yet
};

class StepWriter {
public:
  StepWriter(Plan& plan, const StepInputs& in)
      : plan_(plan), in_(in), places_(places_of(in.store, in.model, in.facts, plan.target)) {
    for (std::size_t i = 0; i < in.picked.size(); ++i) {
      if (!in.picked[i]->atc_passes.empty()) last_model_ = i;
      if (!in.picked[i]->service_config.empty()) last_config_ = i;
    }
  }

  void write(std::size_t i) {
    PlanStep& step = plan_.steps[i];
    const Action& action = *in_.picked[i];
    const ServiceState before = now_;
    change_service(step, action, i);
    const std::string fusion = write_fusion_config(step, action, i);
    const auto shown = [&](const std::vector<std::string>& commands, const ServiceState& state,
                           bool is_script) {
      return filled(commands, state, {fusion, is_script}, i, step.open_places);
    };
    step.commands = shown(action.commands, now_, false);
    step.rollback_commands = shown(action.rollback_commands, before, false);
    add_script(step, i, "apply", shown(action.commands, now_, true));
    add_script(step, i, "rollback", shown(action.rollback_commands, before, true));
    add_proof(step, i);
  }

private:
  struct View {
    std::string fusion_config;
    bool is_script;
  };

  // "name.yaml" of the last step that has one; those before carry their number.
  static std::string numbered(std::string_view stem, std::string_view suffix, std::size_t i,
                              std::optional<std::size_t> last) {
    return i == last ? fmt::format("{}{}", stem, suffix) : fmt::format("{}_step{}{}", stem, i + 1, suffix);
  }

  void change_service(PlanStep& step, const Action& action, std::size_t i) {
    const auto add = [&](const std::vector<std::string>& from, std::vector<std::string>& to) {
      for (const std::string& line : from)
        to.push_back(fill(line, places_, false, step.open_places));
    };
    add(action.service_env, now_.env);
    if (action.service_config.empty()) return;
    add(action.service_config, now_.config);
    now_.config_file = numbered("runtime_config", ".yaml", i, last_config_);
    std::string content =
        say(in_.options.lang, "plan.config.head", fmt::arg("file", now_.config_file)) + "\n";
    for (const std::string& line : now_.config)
      content += line + "\n";
    add_file(step, {.name = now_.config_file, .content = std::move(content)});
  }

  // Each conversion starts from the original model, so a step's file also holds the steps before it.
  std::string write_fusion_config(PlanStep& step, const Action& action, std::size_t i) {
    if (action.atc_passes.empty()) return {};
    const std::vector<const Action*> until(in_.picked.begin(),
                                           in_.picked.begin() + static_cast<std::ptrdiff_t>(i + 1));
    const std::string name = numbered("fusion_config", ".json", i, last_model_);
    add_file(step, {.name = name, .content = fusion_config(in_.all, until)});
    return name;
  }

  void add_file(PlanStep& step, PlanFile file) {
    step.files.push_back(file.name);
    plan_.files.push_back(std::move(file));
  }

  [[nodiscard]] Place file_place(const std::string& name, bool is_script) const {
    if (is_script) return {"\"$here\"/" + name, true};
    const std::string& folder = in_.options.folder;
    return {path_word(folder.empty() ? name : folder + "/" + name), true};
  }

  // {service} becomes what starts the service in this state; the rest is filled with the names of the trace.
  std::vector<std::string> filled(const std::vector<std::string>& commands, const ServiceState& state,
                                  const View& view, std::size_t i, std::vector<std::string>& open) const {
    Places places = places_;
    places["fusion_config"] = file_place(view.fusion_config, view.is_script);
    std::string start;
    for (const std::string& pair : state.env)
      start += (start.empty() ? "env " : " ") + pair;
    start += start.empty() ? "{service_command}" : " {service_command}";
    if (!state.config_file.empty()) {
      start += " --config {service_config}";
      places["service_config"] = file_place(state.config_file, view.is_script);
    }
    if (!in_.facts.command.empty())
      places["service_command"] = {command_line(in_.facts.command, state.config), true};
    // One service at a time: two of them would share the cores, and measure nothing.
    if (places.contains("find_service"))
      start = fmt::format("if {{find_service}} >/dev/null; then echo {} >&2; false; else {}; fi",
                          shell_quote(text(in_.options.lang, "plan.script.running")), start);
    const std::vector<Places> models = model_places(in_.store, fmt::format("_step{}", i + 1));
    std::vector<std::string> out;
    for (std::string command : commands) {
      if (const std::size_t at = command.find(kService); at != std::string::npos)
        command.replace(at, kService.size(), start);
      if (is_idle(command, places)) continue;
      const bool is_per_model = command.find("{model}") != std::string::npos && !models.empty();
      for (const Places& model : is_per_model ? models : std::vector<Places>{{}}) {
        Places all = places;
        all.insert(model.begin(), model.end());
        out.push_back(fill(command, all, true, open));
      }
    }
    return out;
  }

  void add_script(PlanStep& step, std::size_t i, std::string_view kind,
                  const std::vector<std::string>& commands) {
    if (commands.empty()) return;
    std::string places;
    for (const std::string& place : step.open_places)
      if (std::ranges::any_of(commands, [&](const auto& c) { return c.find(place) != std::string::npos; }))
        places += (places.empty() ? "" : ", ") + place;
    const std::string refusal =
        places.empty() ? "" : say(in_.options.lang, "plan.script.open", fmt::arg("places", places));
    add_file(step, {.name = fmt::format("step{}_{}.sh", i + 1, kind),
                    .content = script_of(step.title, commands, refusal),
                    .is_executable = true});
  }

  void add_proof(PlanStep& step, std::size_t i) {
    const double seconds = std::clamp(
        std::ceil(static_cast<double>((in_.store.end() - in_.store.start()).ns) / 1e9), 10.0, 3600.0);
    const std::string after = fmt::format("trace_after_step{}.pb", i + 1);
    const std::string before =
        i == 0 ? path_word(in_.options.trace_path) : fmt::format("trace_after_step{}.pb", i);
    // Joined with '=': a service may be called "-x".
    step.record_command = fill(fmt::format("profiler trace --target={{target}} --scope full_stack --duration "
                                           "{:.0f}s --output {}",
                                           seconds, after),
                               places_, true, step.open_places);
    step.validate_command = fmt::format("profiler validate --before {} --after {} --metrics "
                                        "\"p99_latency,p50_latency,mean_latency,throughput\" "
                                        "--statistical_test auto --output validation_step{}.md",
                                        before, after, i + 1);
    if (step.gain && in_.model != nullptr)
      step.requests_needed = requests_needed(*in_.model, step.gain->mean.typical);
  }

  Plan& plan_;
  const StepInputs& in_;
  Places places_;
  ServiceState now_;
  std::optional<std::size_t> last_model_, last_config_;
};

} // namespace

void write_steps(Plan& plan, const StepInputs& in) {
  StepWriter writer(plan, in);
  for (std::size_t i = 0; i < plan.steps.size(); ++i)
    writer.write(i);
}

} // namespace prof::detail
