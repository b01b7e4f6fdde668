#include "profiler/profiler_config.hpp"

#include "base/file.hpp"
#include "base/yaml_writer.hpp"
#include "capture/time_range.hpp"

#include <algorithm>
#include <yaml-cpp/yaml.h>

namespace prof {
namespace {

constexpr const char* kFile = "profiler.yaml";
constexpr std::int64_t kMostBytes = 1 << 20;

Error wrong(const YAML::Mark& mark, std::string what) {
  return {Errc::bad_argument, std::move(what), fmt::format("{}:{}", kFile, mark.line + 1)};
}

// An empty value has no place of its own: `name` is the node that it belongs to.
Result<std::string> text_of(const YAML::Node& node, const YAML::Node& name, std::string_view key,
                            const Context& context) {
  if (node.IsScalar() && !node.Scalar().empty()) return node.Scalar();
  return wrong(name.Mark(), say(context.lang, "trace.config_text", fmt::arg("key", key)));
}

Status read_ranges(const YAML::Node& node, ProfilerConfig& config, const Context& context) {
  if (!node.IsMap()) return wrong(node.Mark(), say(context.lang, "trace.config_ranges"));
  for (const auto& entry : node) {
    PROF_TRY(const std::string name, text_of(entry.first, entry.first, "time_ranges", context));
    PROF_TRY(const std::string range, text_of(entry.second, entry.first, name, context));
    if (const auto parsed = parse_time_range(range); !parsed)
      return wrong(entry.second.Mark(), say(context.lang, "trace.bad_range", fmt::arg("text", range)));
    config.time_ranges[name] = range;
  }
  return {};
}

Status read_key(const std::string& key, const YAML::Node& name, const YAML::Node& value,
                ProfilerConfig& config, const Context& context) {
  if (key == "target") {
    PROF_TRY(config.target, text_of(value, name, key, context));
    return {};
  }
  if (key == "time_ranges") return read_ranges(value, config, context);
  const std::string near = nearest(key, std::vector<std::string>{"target", "time_ranges"});
  return wrong(name.Mark(), say(context.lang, near.empty() ? "trace.config_key" : "trace.config_key_near",
                                fmt::arg("key", key), fmt::arg("near", near)));
}

Result<ProfilerConfig> parse(const std::string& content, const Context& context) {
  ProfilerConfig config;
  const YAML::Node root = YAML::Load(content);
  if (root.IsNull()) return config;
  if (!root.IsMap()) return wrong(root.Mark(), say(context.lang, "trace.config_map"));
  std::vector<std::string> seen;
  for (const auto& entry : root) {
    PROF_TRY(const std::string key, text_of(entry.first, entry.first, "a key", context));
    if (std::ranges::find(seen, key) != seen.end())
      return wrong(entry.first.Mark(), say(context.lang, "trace.config_twice", fmt::arg("key", key)));
    seen.push_back(key);
    PROF_CHECK(read_key(key, entry.first, entry.second, config, context));
  }
  return config;
}

} // namespace

Result<ProfilerConfig> read_profiler_config(const Context& context) {
  const auto content = read_file(kFile, kMostBytes);
  if (!content && content.error().code == Errc::missing) return ProfilerConfig{};
  if (!content) return content.error();
  // A byte order mark of UTF-16 would make the parser read something else than what stands there.
  if (const std::string clean = valid_utf8(*content); clean != *content) {
    const auto differs = std::ranges::mismatch(clean, *content).in2;
    YAML::Mark mark;
    mark.line = static_cast<int>(std::count(content->begin(), differs, '\n'));
    return wrong(mark, say(context.lang, "trace.config_utf8"));
  }
  try {
    return parse(*content, context);
  } catch (const YAML::Exception& error) {
    return wrong(error.mark, say(context.lang, "trace.bad_config", fmt::arg("what", error.msg)));
  }
}

} // namespace prof
