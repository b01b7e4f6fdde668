#include "plan/step_writer.hpp"

#include "plan/fill.hpp"
#include "plan/made_file.hpp"
#include "plan/proof.hpp"
#include "trace/conventions.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>

namespace prof::detail {
namespace {

constexpr std::string_view kService = "{service}";
constexpr std::string_view kConvert = "atc convert ";

// What has been changed in the service by the steps so far.
struct ServiceState {
  std::vector<std::string> env, config;                     // as in Action, filled
  std::vector<std::pair<std::string, std::string>> options; // of its command line, with their new values
  std::string config_file;                                  // its name; empty = none yet
};

// How a service is told a key of Action::service_config. Nobody's names are assumed: a key is used where the
// recording shows that this service has it.
enum class ConfigWay : std::uint8_t {
  none,   // the action has no key
  file,   // the service names the key, and the option by which it reads a file of keys
  option, // the key is an option of its command line
  key,    // the service names the key; how it is set it does not say
  engine, // nothing shows the key: the words of the engine
};

std::string key_of(std::string_view line) {
  return std::string(line.substr(0, line.find(':')));
}
std::string value_of(std::string_view line) {
  const std::size_t at = line.find(": ");
  return at == std::string_view::npos ? std::string() : std::string(line.substr(at + 2));
}

ConfigWay way_of(const Action& action, const ServiceFacts& facts, const Store& store) {
  if (action.service_config.empty()) return ConfigWay::none;
  const auto all = [&](const auto& has) { return std::ranges::all_of(action.service_config, has); };
  const bool is_option = all([&](const std::string& line) {
    return find_option(facts.command, key_of(line)) < facts.command.size();
  });
  const bool is_named = all([&](const std::string& line) {
    return !store.metadata(std::string(words::kConfigPrefix) + key_of(line)).empty();
  });
  if (is_named && !facts.config_option.empty()) return ConfigWay::file;
  if (is_option) return ConfigWay::option;
  return is_named ? ConfigWay::key : ConfigWay::engine;
}

class StepWriter {
public:
  StepWriter(Plan& plan, const StepInputs& in)
      : plan_(plan), in_(in), places_(places_of(in.store, in.model, in.facts, plan.target)) {
    for (std::size_t i = 0; i < in.picked.size(); ++i) {
      if (!in.picked[i]->atc_passes.empty()) last_model_ = i;
      if (way_of(*in.picked[i], in.facts, in.store) == ConfigWay::file) last_config_ = i;
    }
  }

  void write(std::size_t i) {
    PlanStep& step = plan_.steps[i];
    const Action& action = *in_.picked[i];
    const ServiceState before = now_;
    const ConfigWay way = change_service(step, action, i);
    const std::string fusion = write_fusion_config(step, action, i);
    const auto shown = [&](const std::vector<std::string>& commands, const ServiceState& state,
                           bool is_script) {
      return filled(commands, state, {fusion, is_script}, i, step.open_places);
    };
    if (way == ConfigWay::key ||
        way == ConfigWay::engine) { // starting it anew would change nothing by itself
      add_proof(step, i);
      return;
    }
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

  ConfigWay change_service(PlanStep& step, const Action& action, std::size_t i) {
    for (const std::string& line : action.service_env)
      now_.env.push_back(fill(line, places_, false, step.open_places));
    const ConfigWay way = way_of(action, in_.facts, in_.store);
    std::vector<std::string> lines;
    for (const std::string& line : action.service_config)
      if (way != ConfigWay::engine) lines.push_back(fill(line, places_, false, step.open_places));
    if (way == ConfigWay::option)
      for (const std::string& line : lines)
        now_.options.emplace_back(key_of(line), value_of(line));
    if (way == ConfigWay::file) write_config(step, lines, i);
    if (way != ConfigWay::none)
      step.instructions.insert(step.instructions.begin(), setting_text(step, action, way, lines));
    return way;
  }

  void write_config(PlanStep& step, const std::vector<std::string>& lines, std::size_t i) {
    now_.config.insert(now_.config.end(), lines.begin(), lines.end());
    now_.config_file = numbered("runtime_config", ".yaml", i, last_config_);
    std::string content = "# " + made_mark() + "\n" +
                          say(in_.options.lang, "plan.config.head", fmt::arg("file", now_.config_file),
                              fmt::arg("option", in_.facts.config_option)) +
                          "\n";
    for (const std::string& line : now_.config)
      content += line + "\n";
    add_file(step, {.name = now_.config_file, .content = std::move(content)});
    const std::string note =
        say(in_.options.lang, "plan.note.config", fmt::arg("option", in_.facts.config_option));
    const auto names_file = [&](const std::string& word) {
      return word.starts_with(in_.facts.config_option);
    };
    if (std::ranges::any_of(in_.facts.command, names_file) &&
        std::ranges::find(plan_.notes, note) == plan_.notes.end())
      plan_.notes.push_back(note);
  }

  // What is to be set, in the words that this service is known to have.
  std::string setting_text(PlanStep& step, const Action& action, ConfigWay way,
                           const std::vector<std::string>& lines) const {
    const Lang lang = in_.options.lang;
    if (way == ConfigWay::engine)
      return say(lang, "plan.set.engine",
                 fmt::arg("setting", fill(action.setting.in(lang), places_, false, step.open_places)));
    std::string all;
    for (const std::string& line : lines) {
      std::string word = line;
      if (way == ConfigWay::option) {
        std::vector<std::string> words = in_.facts.command;
        set_option(words, key_of(line), value_of(line));
        const std::size_t at = find_option(words, key_of(line));
        word = words[at].find('=') != std::string::npos || at + 1 >= words.size()
                   ? words[at]
                   : words[at] + " " + words[at + 1];
      }
      all += (all.empty() ? "" : ", ") + word;
    }
    const std::string_view id = way == ConfigWay::file     ? "plan.set.file"
                                : way == ConfigWay::option ? "plan.set.option"
                                                           : "plan.set.key";
    return say(lang, id, fmt::arg("file", now_.config_file), fmt::arg("lines", all));
  }

  // Each conversion starts from the original model, so a step's file also holds the steps before it.
  std::string write_fusion_config(PlanStep& step, const Action& action, std::size_t i) {
    if (action.atc_passes.empty()) return {};
    const std::string engine =
        in_.facts.engine.empty()
            ? std::string(text(in_.options.lang, "plan.engine.unknown"))
            : say(in_.options.lang, "plan.engine.known", fmt::arg("path", in_.facts.engine));
    step.instructions.insert(step.instructions.begin() + (step.instructions.empty() ? 0 : 1), engine);
    const std::vector<const Action*> until(in_.picked.begin(),
                                           in_.picked.begin() + static_cast<std::ptrdiff_t>(i + 1));
    const std::string name = numbered("fusion_config", ".json", i, last_model_);
    add_file(step, {.name = name, .content = fusion_config(in_.all, until)});
    return name;
  }

  void add_file(PlanStep& step, PlanFile file) {
    file.content = with_digest(std::move(file.content));
    step.files.push_back(file.name);
    plan_.files.push_back(std::move(file));
  }

  [[nodiscard]] Place file_place(const std::string& name, bool is_script) const {
    if (is_script) return {"\"$here\"/" + shell_quote(name), true};
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
      start += " " + in_.facts.config_option + " {service_config}";
      places["service_config"] = file_place(state.config_file, view.is_script);
    }
    if (!in_.facts.command.empty()) {
      std::vector<std::string> command = in_.facts.command;
      for (const auto& [name, value] : state.options)
        set_option(command, name, value);
      places["service_command"] = {command_line(command, state.config), true};
    }
    // One service at a time: two of them would share the cores, and measure nothing.
    if (places.contains("find_service"))
      start = fmt::format("if {{find_service}} >/dev/null; then echo {} >&2; false; else {}; fi",
                          shell_quote(text(in_.options.lang, "plan.script.running")), start);
    std::vector<Places> models; // what is converted lands beside the plan, not among the service's models
    for (const ModelFile& model : model_files(in_.store, fmt::format("_step{}", i + 1)))
      models.push_back({{"model", {path_word(model.path), true}},
                        {"optimised_model", file_place(model.converted, view.is_script)}});
    if (!in_.facts.engine.empty()) places["engine"] = {path_word(in_.facts.engine), true};
    std::vector<std::string> out;
    for (std::string command : commands) {
      if (const std::size_t at = command.find(kService); at != std::string::npos)
        command.replace(at, kService.size(), start);
      if (command.starts_with(kConvert) && places.contains("engine")) command += " --engine {engine}";
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

  // Of the steps from here on one that changes something.
  [[nodiscard]] bool has_change_after(std::size_t i) const {
    return std::any_of(plan_.steps.begin() + static_cast<std::ptrdiff_t>(i + 1), plan_.steps.end(),
                       [](const PlanStep& step) { return !step.is_search; });
  }

  // A step whose change no sensible number of runs would show is proved together with those after it. Where
  // nothing is changed, or the trace has no metric that could show it, there is no proof.
  void add_proof(PlanStep& step, std::size_t i) {
    if (step.is_search || plan_.proof_metrics.empty()) return;
    if (step.gain) gain_ = gain_ ? joined_gain(*gain_, *step.gain) : *step.gain;
    const double seconds = static_cast<double>((in_.store.end() - in_.store.start()).ns) / 1e9;
    step.proof = proof_size(in_.model, seconds, gain_ ? std::optional(gain_->mean) : std::nullopt);
    step.proof.from_step = first_ + 1;
    if (!step.proof.is_enough && has_change_after(i)) return;
    for (std::size_t k = first_; k < i; ++k)
      if (!plan_.steps[k].is_search) plan_.steps[k].proof.with_step = i + 1;
    add_proof_commands(step, i);
    first_ = i + 1;
    gain_.reset();
  }

  static Gain joined_gain(const Gain& a, const Gain& b) {
    Gain out;
    out.mean = joined(a.mean, b.mean), out.p50 = joined(a.p50, b.p50), out.p99 = joined(a.p99, b.p99);
    return out;
  }

  // Several runs a side: of one run nobody knows how much the next one differs by itself.
  void add_proof_commands(PlanStep& step, std::size_t i) {
    const std::int64_t pairs = step.proof.pairs;
    ProofScript words{.before = fmt::format("trace_before_step{}", first_ + 1),
                      .after = fmt::format("trace_after_step{}", i + 1),
                      .record = {},
                      .ask_before = say(in_.options.lang, "plan.prove.before", fmt::arg("n", first_ + 1)),
                      .ask_after = say(in_.options.lang, "plan.prove.after", fmt::arg("n", i + 1)),
                      .tell_short = std::string(text(in_.options.lang, "plan.prove.short")),
                      .run_s = step.proof.run_s};
    const bool is_about_start = std::any_of(plan_.steps.begin() + static_cast<std::ptrdiff_t>(first_),
                                            plan_.steps.begin() + static_cast<std::ptrdiff_t>(i + 1),
                                            [](const PlanStep& s) { return s.is_about_start; });
    step.validate_command = fmt::format("profiler validate --before {} --after {} --metrics \"{}\"{}{} "
                                        "--statistical_test auto --output validation_step{}.md",
                                        run_list(words.before, pairs), run_list(words.after, pairs),
                                        fmt::join(plan_.proof_metrics, ","), expected_option(),
                                        is_about_start ? " --warm_up none" : "", i + 1);
    if (!plan_.imported_from.empty()) { // only the tool that recorded it records it again
      const auto import = [&](std::string_view recording) {
        return fill(fmt::format("profiler import --trace={{{}}}\"$i\"", recording), places_, true,
                    step.open_places);
      };
      step.before_command = record_loop(import("recording_before"), words.before, pairs);
      step.record_command = record_loop(import("recording_after"), words.after, pairs);
      return;
    }
    // Joined with '=': a service may be called "-x".
    words.record =
        fill("profiler trace --target={target} --scope full_stack", places_, true, step.open_places);
    add_script(step, i, "prove", proof_script(words, pairs));
    step.record_command = "sh " + file_place(step.files.back(), false).text;
  }

  // What the plan promises, so that `validate` can say how much more data would show it.
  [[nodiscard]] std::string expected_option() const {
    std::string list;
    if (!gain_) return list;
    for (const auto& [id, change] :
         {std::pair{"p99_latency", gain_->p99.typical}, std::pair{"p50_latency", gain_->p50.typical},
          std::pair{"mean_latency", gain_->mean.typical}})
      if (const std::string share = fmt::format("{:+.1f}%", 100 * change); std::fabs(change) >= 0.0005)
        list += fmt::format("{}{}={}", list.empty() ? "" : ",", id, share);
    return list.empty() ? list : fmt::format(" --expected_change \"{}\"", list);
  }

  Plan& plan_;
  const StepInputs& in_;
  Places places_;
  ServiceState now_;
  std::optional<std::size_t> last_model_, last_config_;
  std::size_t first_ = 0;      // of the steps that the next proof holds
  std::optional<Gain> gain_{}; // of those steps together
};

} // namespace

void write_steps(Plan& plan, const StepInputs& in) {
  StepWriter writer(plan, in);
  for (std::size_t i = 0; i < plan.steps.size(); ++i)
    writer.write(i);
}

} // namespace prof::detail
