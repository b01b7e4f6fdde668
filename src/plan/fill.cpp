#include "plan/fill.hpp"

#include "base/yaml_writer.hpp"
#include "plan/made_file.hpp"
#include "plan/request_model.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fmt/format.h>
#include <functional>
#include <set>

namespace prof {

std::string shell_quote(std::string_view text) {
  const bool is_plain =
      !text.empty() && text.front() != '-' && std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
               c == '-' || c == '.' || c == '/' || c == ':' || c == ',';
      });
  if (is_plain) return std::string(text);
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'')
      out += "'\\''";
    else if (c != '\0')
      out += c; // no argument can hold a zero byte
  }
  return out + "'";
}

namespace detail {
namespace {

// An option keeps its leading dash and its '=': it is a word of a command line that ran.
std::string shell_word(std::string_view word) {
  const std::size_t equals = word.starts_with("--") ? word.find('=') : std::string_view::npos;
  if (equals != std::string_view::npos &&
      shell_quote(word.substr(2, equals - 2)) == word.substr(2, equals - 2))
    return std::string(word.substr(0, equals + 1)) + shell_quote(word.substr(equals + 1));
  if (!word.starts_with('-')) return shell_quote(word);
  const std::string rest = shell_quote("x" + std::string(word)); // quoted or not as the rest of the word asks
  return rest.starts_with('\'') ? "'" + rest.substr(2) : rest.substr(1);
}

// "unet_step1.onnx"; "unet_step1_2.onnx" where another model has that name already.
std::string converted_name(const std::string& path, std::string_view suffix, std::set<std::string>& taken) {
  const std::filesystem::path model(path);
  const std::string stem = model.stem().string() + std::string(suffix);
  std::string name = stem + model.extension().string();
  for (int i = 2; !taken.insert(name).second; ++i)
    name = fmt::format("{}_{}{}", stem, i, model.extension().string());
  return name;
}

// "--intra-threads=2" -> "intra_threads"; empty for what is no option.
std::string option_name(std::string_view word) {
  if (!word.starts_with("--")) return {};
  std::string name(word.substr(2, word.find('=') - 2));
  std::ranges::replace(name, '-', '_');
  return name;
}

void visit_places(std::string_view text, const std::function<void(std::string_view)>& plain,
                  const std::function<void(std::string_view)>& place) {
  while (!text.empty()) {
    const std::size_t begin = text.find('{');
    const std::size_t end = begin == std::string_view::npos ? begin : text.find('}', begin);
    if (end == std::string_view::npos) break;
    const std::string_view name = text.substr(begin + 1, end - begin - 1);
    const bool is_name = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
      return (c >= 'a' && c <= 'z') || c == '_';
    });
    plain(text.substr(0, is_name ? begin : begin + 1));
    if (is_name) place(name);
    text.remove_prefix(is_name ? end + 1 : begin + 1);
  }
  plain(text);
}

void add_cores(Places& places, const ServiceFacts& facts) {
  if (const std::string find = find_command(facts); !find.empty()) places["find_service"] = {find, true};
  if (!facts.cpus.empty()) places["all_cpus"] = {cpu_list(facts.cpus)};
  if (const auto split = split_cpus(facts)) {
    places["service_cpus"] = {cpu_list(split->service)};
    places["other_cpus"] = {cpu_list(split->others)};
  }
  std::string others;
  for (const std::string& name : facts.other_programs)
    others += (others.empty() ? "" : " ") + shell_quote(name);
  places["other_programs"] = {others, true};
}

} // namespace

std::string path_word(std::string_view path) {
  return shell_quote((path.starts_with('-') ? "./" : "") + std::string(path));
}

std::vector<ModelFile> model_files(const Store& store, std::string_view suffix) {
  std::vector<ModelFile> out;
  std::set<std::string> taken;
  const auto models = models_by_time(store);
  std::int64_t total = 0;
  for (const auto& [name, ns] : models)
    total += ns;
  for (const auto& [name, ns] : models)
    if (std::string path(store.metadata("model." + name)); !path.empty() && ns >= total / 20) {
      std::string converted = converted_name(path, suffix, taken);
      out.push_back({std::move(path), std::move(converted)});
    }
  return out;
}

Places places_of(const Store& store, const RequestModel* model, const ServiceFacts& facts,
                 const std::string& target) {
  Places places;
  if (!target.empty()) places["target"] = {target};
  if (const std::string_view service = store.metadata("service"); !service.empty())
    places["target"] = {std::string(service)};
  add_cores(places, facts);
  if (model == nullptr || model->units.empty()) return places;
  std::size_t batch = 1;
  for (const ServiceUnit& unit : model->units)
    batch = std::max(batch, unit.requests.size());
  places["more_workers"] = {std::to_string(model->workers + 1)};
  places["more_batch"] = {std::to_string(2 * batch)};
  places["queue_capacity"] = {std::to_string(2 * model->workers)};
  if (!facts.cpus.empty())
    places["intra_threads"] = {
        std::to_string(std::max<std::int64_t>(1, std::ssize(facts.cpus) / model->workers))};
  return places;
}

std::string fill(std::string_view text, const Places& places, bool is_shell, std::vector<std::string>& open) {
  std::string out;
  visit_places(
      text, [&](std::string_view plain) { out += plain; },
      [&](std::string_view name) {
        if (const auto at = places.find(name); at != places.end()) {
          out += is_shell && !at->second.is_shell ? shell_quote(at->second.text) : at->second.text;
          return;
        }
        std::string place(name);
        std::transform(place.begin(), place.end(), place.begin(),
                       [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
        if (std::find(open.begin(), open.end(), place) == open.end()) open.push_back(place);
        out += place;
      });
  return out;
}

bool is_idle(std::string_view text, const Places& places) {
  bool is_empty = false;
  visit_places(
      text, [](std::string_view) {},
      [&](std::string_view name) {
        const auto at = places.find(name);
        is_empty = is_empty || (at != places.end() && at->second.text.empty());
      });
  return is_empty;
}

// A first word that a shell would take for its own syntax is quoted as well.
static std::string first_word(const std::string& word) {
  static const std::set<std::string_view> kReserved{"if",   "then", "else",   "elif",     "fi",    "do",
                                                    "done", "case", "esac",   "for",      "while", "until",
                                                    "in",   "time", "select", "function", "coproc"};
  return kReserved.contains(word) ? "'" + word + "'" : shell_word(word);
}

std::size_t find_option(const std::vector<std::string>& words, std::string_view name) {
  const auto at = std::ranges::find(words, name, [](const std::string& word) { return option_name(word); });
  return static_cast<std::size_t>(at - words.begin());
}

void set_option(std::vector<std::string>& words, std::string_view name, std::string_view value) {
  const std::size_t at = find_option(words, name);
  if (at >= words.size()) return;
  if (const std::size_t equals = words[at].find('='); equals != std::string::npos)
    words[at] = words[at].substr(0, equals + 1) + std::string(value);
  else if (at + 1 < words.size() && !words[at + 1].starts_with("--"))
    words[at + 1] = value;
}

std::string command_line(const std::vector<std::string>& words, const std::vector<std::string>& config) {
  std::set<std::string> given;
  for (const std::string& line : config)
    given.insert(line.substr(0, line.find(':')));
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (given.contains(option_name(words[i]))) {
      const bool has_value =
          words[i].find('=') == std::string::npos && i + 1 < words.size() && !words[i + 1].starts_with("--");
      i += has_value ? 1 : 0;
      continue;
    }
    out += out.empty() ? first_word(words[i]) : " " + shell_word(words[i]);
  }
  return out;
}

namespace {

bool is_interpreter(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1); // npos + 1 = 0
  return std::ranges::any_of(
      std::array<std::string_view, 7>{"python", "node", "java", "perl", "ruby", "bash", "sh"},
      [&](std::string_view one) {
        return name.starts_with(one) && name.find_first_not_of("0123456789.", one.size()) == name.npos;
      });
}

std::string regex_of(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view(".[]{}()*+?^$|\\").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

} // namespace

std::string find_command(const ServiceFacts& facts) {
  if (facts.command.empty()) return facts.program.empty() ? "" : "pidof -- " + shell_quote(facts.program);
  // Of an interpreter the program is what it runs: its options, and the first word that is none.
  std::string pattern = "^" + regex_of(facts.command[0]);
  bool is_named = !is_interpreter(facts.command[0]);
  for (std::size_t i = 1; i < facts.command.size() && !is_named; ++i) {
    pattern += " " + regex_of(facts.command[i]);
    is_named = !facts.command[i].starts_with('-');
  }
  return "pgrep -f -- " + shell_quote(pattern + "( |$)");
}

std::string fusion_config(const std::vector<Action>& all, const std::vector<const Action*>& picked) {
  std::set<std::string> off;
  for (const Action& action : all)
    off.insert(action.atc_passes.begin(), action.atc_passes.end());
  for (const Action* action : picked)
    for (const std::string& pass : action->atc_passes)
      off.erase(pass);
  Doc passes = Doc::map();
  for (const std::string& pass : off)
    passes.set(pass, false);
  Doc doc;
  doc.set("schema", "cann-profiler/fusion_config/1")
      .set("made_by", made_mark())
      .set("passes", std::move(passes));
  return to_json(doc);
}

std::string script_of(std::string_view title, const std::vector<std::string>& commands,
                      std::string_view refusal) {
  std::string safe(title.substr(0, 200));
  for (char& c : safe)
    if (static_cast<unsigned char>(c) < 32 || c == 127) c = ' '; // a line break would end the comment
  std::string out = "#!/bin/sh\n# " + made_mark() + "\n# " + safe + "\nset -eu\n";
  if (!refusal.empty()) out += "echo " + shell_quote(refusal) + " >&2; exit 2\n";
  std::string body;
  for (const std::string& command : commands)
    body += command + "\n";
  if (body.find("\"$here\"") != std::string::npos)
    out += "here=$(CDPATH='' cd -- \"$(dirname -- \"$0\")\" && pwd)\n";
  return out + body;
}

} // namespace detail
} // namespace prof
