#include "store/call_names.hpp"

#include "base/lang.hpp"

#include <algorithm>
#include <cctype>
#include <string>
#include <utility>
#include <yaml-cpp/yaml.h>

namespace prof {
namespace {

struct KnownCalls {
  std::vector<std::pair<std::string, CallKind>> containing, exact, starting; // exact: sorted
};

constexpr std::pair<const char*, CallKind> kKinds[] = {{"synchronise", CallKind::synchronise},
                                                       {"blocking_copy", CallKind::blocking_copy},
                                                       {"loader", CallKind::loader},
                                                       {"step", CallKind::step}};

// Embedded data: a file that cannot be read is a bug of the build, and its exception ends the program.
KnownCalls load_calls() {
  KnownCalls calls;
  for (const KnowledgeFile& file : knowledge_files()) {
    if (!file.path.starts_with("calls/")) continue;
    const YAML::Node root = YAML::Load(std::string(file.content));
    for (const auto& [key, kind] : kKinds) {
      for (const YAML::Node& part : root[key]["containing"])
        calls.containing.emplace_back(part.as<std::string>(), kind);
      for (const YAML::Node& begin : root[key]["starting"])
        calls.starting.emplace_back(begin.as<std::string>(), kind);
      for (const YAML::Node& name : root[key]["exact"])
        calls.exact.emplace_back(name.as<std::string>(), kind);
    }
  }
  std::ranges::sort(calls.exact);
  return calls;
}

const KnownCalls& known_calls() {
  static const KnownCalls calls = load_calls();
  return calls;
}

// Without what tracers add: "AscendCL@" before, "_v3020" or "_ptds" behind.
std::string_view bare(std::string_view name) {
  if (const std::size_t at = name.rfind('@'); at != std::string_view::npos) name.remove_prefix(at + 1);
  for (const std::string_view suffix : {"_ptsz", "_ptds"})
    if (name.ends_with(suffix)) name.remove_suffix(suffix.size());
  const std::size_t end = name.find_last_not_of("0123456789");
  const bool is_version = end != std::string_view::npos && end + 1 < name.size() && end > 0 &&
                          name[end] == 'v' && name[end - 1] == '_';
  return is_version ? name.substr(0, end - 1) : name;
}

} // namespace

CallKind call_kind(std::string_view name) {
  const KnownCalls& calls = known_calls();
  for (const auto& [part, kind] : calls.containing)
    if (name.find(part) != std::string_view::npos) return kind;
  for (const auto& [begin, kind] : calls.starting)
    if (name.starts_with(begin)) return kind;
  const std::string_view plain = bare(name);
  const auto at = std::ranges::lower_bound(calls.exact, plain, {},
                                           [](const auto& one) { return std::string_view(one.first); });
  return at != calls.exact.end() && at->first == plain ? at->second : CallKind::other;
}

CallKind CallNames::of(StrId name) {
  if (name.row >= known_.size()) known_.resize(std::size_t{name.row} + 1, -1);
  std::int8_t& known = known_[name.row];
  if (known < 0) known = static_cast<std::int8_t>(call_kind(store_.text(name)));
  return static_cast<CallKind>(known);
}

} // namespace prof
