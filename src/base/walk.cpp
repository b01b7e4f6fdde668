#include "base/walk.hpp"
#include "base/file.hpp"
#include "base/lang.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/vfs.h>

namespace prof {

bool is_kernel_made(const std::filesystem::path& path) {
  static constexpr auto kMade = std::to_array<std::uint64_t>(
      {PROC_SUPER_MAGIC, SYSFS_MAGIC, DEBUGFS_MAGIC, TRACEFS_MAGIC, CGROUP_SUPER_MAGIC, CGROUP2_SUPER_MAGIC,
       SECURITYFS_MAGIC, BPF_FS_MAGIC, DEVPTS_SUPER_MAGIC, PSTOREFS_MAGIC, EFIVARFS_MAGIC, SELINUX_MAGIC,
       BINFMTFS_MAGIC});
  struct statfs info{};
  if (::statfs(path.c_str(), &info) != 0) return false;
  return std::ranges::find(kMade, static_cast<std::uint64_t>(info.f_type)) != kMade.end();
}

Result<std::vector<std::filesystem::path>> files_below(const std::filesystem::path& folder,
                                                       std::int64_t most_entries) {
  std::vector<std::filesystem::path> files;
  if (is_kernel_made(folder)) return files;
  std::error_code error;
  std::int64_t left = most_entries;
  using Walk = std::filesystem::recursive_directory_iterator;
  for (Walk at(folder, std::filesystem::directory_options::skip_permission_denied, error), end;
       !error && at != end; at.increment(error)) {
    if (--left < 0)
      return error_said(Errc::budget, "error.many_files", folder.string(), fmt::arg("n", most_entries));
    std::error_code gone; // meanwhile
    if (at->is_directory(gone) && !at->is_symlink(gone) && is_kernel_made(at->path()))
      at.disable_recursion_pending();
    if (at->is_regular_file(gone) && !is_kernel_made(at->path())) files.push_back(at->path());
  }
  if (error) return Error{Errc::io, error.message(), folder.string()};
  std::ranges::sort(files);
  return files;
}

namespace {

bool can_be_of_trace(const std::filesystem::path& name) {
  static constexpr auto kOurs = std::to_array<std::string_view>(
      {".yaml", ".yml", ".md", ".html", ".pdf", ".sh", ".pb", ".pprof", ".collapsed"});
  if (std::ranges::any_of(name, [](const auto& part) { return part == ".profiler"; })) return false;
  const std::string file = name.filename().string(), suffix = name.extension().string();
  if (file.ends_with(".xplane.pb")) return true;
  return std::ranges::find(kOurs, suffix) == kOurs.end() && !file.starts_with("fusion_config");
}

} // namespace

Result<std::vector<std::filesystem::path>> trace_files_below(const std::filesystem::path& folder) {
  PROF_TRY(std::vector<std::filesystem::path> files, files_below(folder));
  std::erase_if(files, [&](const auto& file) { return !can_be_of_trace(file.lexically_relative(folder)); });
  return files;
}

bool is_of_folder(const std::filesystem::path& path, const std::filesystem::path& folder) {
  std::error_code error;
  if (!std::filesystem::is_directory(folder, error)) return false;
  const auto whole = std::filesystem::canonical(folder, error);
  const auto real = std::filesystem::weakly_canonical(std::filesystem::absolute(path), error);
  if (error) return false;
  if (std::ranges::mismatch(whole, real).in1 == whole.end())
    return std::filesystem::is_directory(real, error) || can_be_of_trace(real.lexically_relative(whole));
  if (!std::filesystem::is_regular_file(real, error)) return false;
  const auto files = trace_files_below(folder);
  return files && std::ranges::any_of(*files, [&](const auto& file) { return is_same_file(file, real); });
}

} // namespace prof
