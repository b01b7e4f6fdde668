#include "plan/fill.hpp"

#include "base/yaml_writer.hpp"
#include "plan/request_model.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fmt/format.h>
#include <set>

namespace prof {

std::string shell_quote(std::string_view text) {
  const bool is_plain =
      !text.empty() && text.front() != '-' && std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
               c == '-' || c == '.' || c == '/' || c == ':' || c == '=' || c == ',';
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

// An option keeps its leading dash: it is a word of a command line that ran.
std::string shell_word(std::string_view word) {
  if (!word.starts_with('-')) return shell_quote(word);
  const std::string rest = shell_quote("x" + std::string(word)); // quoted or not as the rest of the word asks
  return rest.starts_with('\'') ? "'" + rest.substr(2) : rest.substr(1);
}

std::string stem_with(const std::string& path, std::string_view suffix) {
  const std::filesystem::path model(path);
  return (model.parent_path() / (model.stem().string() + std::string(suffix) + model.extension().string()))
      .string();
}

// The command line of the process that served the requests, each word quoted. Words are split at blanks: the
// trace keeps command lines as one text.
std::string service_command(const Store& store, std::string_view target) {
  const Tables& t = store.tables();
  std::uint32_t process = kNoRow;
  for (std::size_t i = 0; i < t.stage.thread.size() && process == kNoRow; ++i)
    if (t.stage.thread[i] < t.thread.process.size()) process = t.thread.process[t.stage.thread[i]];
  for (std::size_t i = 0; i < t.process.pid.size() && process == kNoRow; ++i)
    if (!target.empty() && store.text(t.process.name[i]) == target) process = static_cast<std::uint32_t>(i);
  if (process >= t.process.cmdline.size()) return {};
  std::string_view words = store.text(t.process.cmdline[process]);
  std::string out;
  while (!words.empty()) {
    const std::size_t end = words.find(' ');
    if (const std::string_view word = words.substr(0, end); !word.empty())
      out += (out.empty() ? "" : " ") + shell_word(word);
    if (end == std::string_view::npos) break;
    words.remove_prefix(end + 1);
  }
  return out;
}

} // namespace

std::vector<Places> model_places(const Store& store) {
  std::vector<Places> out;
  const auto models = models_by_time(store);
  std::int64_t total = 0;
  for (const auto& [name, ns] : models)
    total += ns;
  for (const auto& [name, ns] : models) {
    const std::string_view path = store.metadata("model." + name);
    if (path.empty() || ns < total / 20) continue;
    out.push_back({{"model", std::string(path)}, {"optimised_model", stem_with(std::string(path), "_opt")}});
  }
  return out;
}

Places places_of(const Store& store, const RequestModel* model, const std::string& target,
                 const std::string& trace_path) {
  Places places;
  places["trace"] = trace_path;
  if (!target.empty()) {
    places["target"] = target;
    places["session"] = target;
  }
  if (const std::string_view service = store.metadata("service"); !service.empty()) {
    places["target"] = std::string(service);
    places["session"] = std::string(service);
  }
  if (const std::string command = service_command(store, target); !command.empty())
    places["service_command"] = command;
  if (model != nullptr) {
    places["workers"] = std::to_string(model->workers);
    places["more_workers"] = std::to_string(model->workers + 1);
    std::size_t batch = 1;
    for (const ServiceUnit& unit : model->units)
      batch = std::max(batch, unit.requests.size());
    places["batch"] = std::to_string(batch);
    places["more_batch"] = std::to_string(2 * batch);
    double service = 0;
    for (const ServiceUnit& unit : model->units)
      service += static_cast<double>(unit.service_ns) / 1e6;
    if (!model->units.empty()) {
      service /= static_cast<double>(model->units.size());
      places["deadline_ms"] = fmt::format("{:.0f}", std::max(1.0, 3 * service));
      places["queue_capacity"] = std::to_string(std::max(1, 2 * model->workers));
    }
  }
  return places;
}

std::string fill(std::string_view text, const Places& places, bool is_shell, std::vector<std::string>& open) {
  std::string out;
  while (!text.empty()) {
    const std::size_t begin = text.find('{');
    const std::size_t end = begin == std::string_view::npos ? begin : text.find('}', begin);
    if (end == std::string_view::npos) break;
    const std::string_view name = text.substr(begin + 1, end - begin - 1);
    const bool is_name = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
      return (c >= 'a' && c <= 'z') || c == '_';
    });
    out += text.substr(0, is_name ? begin : begin + 1);
    text.remove_prefix(is_name ? end + 1 : begin + 1);
    if (!is_name) continue;
    if (const auto at = places.find(name); at != places.end()) {
      out += is_shell && name != "service_command" ? shell_quote(at->second) : at->second;
      continue;
    }
    std::string place(name);
    std::transform(place.begin(), place.end(), place.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    if (std::find(open.begin(), open.end(), place) == open.end()) open.push_back(place);
    out += place;
  }
  return out + std::string(text);
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
  doc.set("schema", "cann-profiler/fusion_config/1").set("passes", std::move(passes));
  return to_json(doc);
}

std::string script_of(std::string_view title, const std::vector<std::string>& commands) {
  std::string safe(title.substr(0, 200));
  for (char& c : safe)
    if (static_cast<unsigned char>(c) < 32 || c == 127) c = ' '; // a line break would end the comment
  std::string out = "#!/bin/sh\n# " + safe + "\nset -eu\ncd -- \"$(dirname -- \"$0\")\"\n";
  for (const std::string& command : commands)
    out += command + "\n";
  return out;
}

} // namespace detail
} // namespace prof
