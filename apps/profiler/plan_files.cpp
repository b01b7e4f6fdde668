#include "profiler/plan_files.hpp"

#include "base/file.hpp"
#include "plan/made_file.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string>
#include <string_view>

namespace prof {
namespace {

constexpr std::int64_t kMostBytes = 1 << 20; // a file of ours is a few KiB

// What stands at the place of a file of the plan.
enum class Standing : std::uint8_t { nothing, same, replaceable, somebodys };

Standing standing_at(const std::filesystem::path& path, std::string_view content) {
  std::error_code error;
  if (!std::filesystem::exists(std::filesystem::symlink_status(path, error))) return Standing::nothing;
  if (!std::filesystem::is_regular_file(path, error)) return Standing::somebodys;
  const auto old = read_file(path, kMostBytes);
  if (!old) return Standing::somebodys;
  if (*old == content) return Standing::same;
  return is_as_made(*old) ? Standing::replaceable : Standing::somebodys;
}

// A pipe or a device takes the plan, and keeps nothing that could be lost.
bool is_sink(const std::filesystem::path& path) {
  std::error_code error;
  return std::filesystem::exists(path, error) && !std::filesystem::is_regular_file(path, error) &&
         !std::filesystem::is_directory(path, error);
}

void append(std::string& list, const std::filesystem::path& path) {
  list += (list.empty() ? "" : ", ") + path.string();
}

// "step3_apply.sh", "fusion_config_step1.json", "runtime_config.yaml": what a plan writes beside itself.
bool is_companion(std::string_view name) {
  const auto skip_number = [&] {
    const std::size_t digits = std::min(name.find_first_not_of("0123456789"), name.size());
    name.remove_prefix(digits);
    return digits > 0;
  };
  if (name.starts_with("step")) {
    name.remove_prefix(4);
    return skip_number() && (name == "_apply.sh" || name == "_rollback.sh" || name == "_prove.sh");
  }
  constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kConfigs{
      {{"fusion_config", ".json"}, {"runtime_config", ".yaml"}}};
  for (const auto& [stem, suffix] : kConfigs) {
    if (!name.starts_with(stem) || !name.ends_with(suffix)) continue;
    name.remove_prefix(stem.size());
    if (name == suffix) return true;
    if (!name.starts_with("_step")) return false;
    name.remove_prefix(5);
    return skip_number() && name == suffix;
  }
  return false;
}

// The texts of the other plans in the folder: each names the files that it wrote beside itself.
std::vector<std::string> other_plans(const std::vector<PlanFile>& files,
                                     const std::filesystem::path& folder) {
  std::error_code error;
  std::vector<std::string> plans;
  for (auto at = std::filesystem::directory_iterator(folder.empty() ? "." : folder, error);
       !error && at != std::filesystem::directory_iterator(); at.increment(error)) {
    const std::string name = at->path().filename().string(), suffix = at->path().extension().string();
    const bool is_plan = suffix == ".md" || suffix == ".yaml" || suffix == ".yml" || suffix == ".json";
    std::error_code ignored;
    if (!is_plan || is_companion(name) || !at->is_regular_file(ignored) ||
        std::ranges::find(files, name, &PlanFile::name) != files.end())
      continue;
    if (auto content = read_file(at->path(), kMostBytes); content && is_marked(*content))
      plans.push_back(*std::move(content));
  }
  return plans;
}
bool is_named(std::string_view name, const std::vector<std::string>& plans) {
  return std::ranges::any_of(plans,
                             [&](const std::string& plan) { return plan.find(name) != std::string::npos; });
}

Status check_taken(const std::vector<PlanFile>& files, const std::filesystem::path& folder,
                   const Context& context) {
  std::string taken, claimed, replaced;
  const std::vector<std::string> others = other_plans(files, folder);
  for (const PlanFile& file : files) {
    const std::filesystem::path path = folder / file.name;
    if (is_sink(path)) continue;
    const Standing standing = standing_at(path, file.content);
    if (standing == Standing::somebodys) append(taken, path);
    if (standing == Standing::replaceable) append(is_named(file.name, others) ? claimed : replaced, path);
  }
  if (!taken.empty())
    return Error{Errc::bad_argument, say(context.lang, "plan.taken", fmt::arg("files", taken)), {}};
  if (!claimed.empty())
    return Error{Errc::bad_argument, say(context.lang, "plan.claimed", fmt::arg("files", claimed)), {}};
  if (!replaced.empty()) tell(context, say(context.lang, "plan.replaced", fmt::arg("files", replaced)));
  return {};
}

// Scripts of a longer plan that stood here before would be taken for steps of this one.
void remove_leftovers(const std::vector<PlanFile>& files, const std::filesystem::path& folder,
                      const Context& context) {
  std::error_code error;
  std::vector<std::filesystem::path> old;
  const std::vector<std::string> others = other_plans(files, folder);
  for (auto at = std::filesystem::directory_iterator(folder.empty() ? "." : folder, error);
       !error && at != std::filesystem::directory_iterator(); at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (is_companion(name) && std::ranges::find(files, name, &PlanFile::name) == files.end() &&
        !is_named(name, others))
      old.push_back(folder / name);
  }
  std::ranges::sort(old);
  std::string removed, kept;
  for (const std::filesystem::path& path : old) {
    const Standing standing = standing_at(path, {});
    if (standing == Standing::replaceable && std::filesystem::remove(path, error))
      append(removed, path);
    else
      append(kept, path);
  }
  if (!removed.empty()) tell(context, say(context.lang, "plan.removed", fmt::arg("files", removed)));
  if (!kept.empty()) tell(context, say(context.lang, "plan.kept", fmt::arg("files", kept)));
}

} // namespace

// Everything is on the disk before the first name appears.
Status write_plan_files(const std::vector<PlanFile>& files, const std::filesystem::path& folder,
                        bool may_replace, Context& context) {
  if (!may_replace) PROF_CHECK(check_taken(files, folder, context));
  std::vector<AtomicFile> staged;
  for (const PlanFile& one : files) {
    PROF_TRY(AtomicFile file, AtomicFile::create(folder / one.name));
    if (one.is_executable) file.set_executable();
    PROF_CHECK(file.write(one.content));
    PROF_CHECK(file.prepare());
    staged.push_back(std::move(file));
  }
  for (const AtomicFile& file : staged) // the plan first: a case card looks for it there
    context.outputs.push_back(file.path());
  for (std::size_t i = staged.size(); i-- > 0;) // and last: where it is, its files are
    PROF_CHECK(staged[i].commit());
  remove_leftovers(files, folder, context);
  return {};
}

} // namespace prof
