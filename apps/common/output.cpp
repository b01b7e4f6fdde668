#include "common/output.hpp"

#include "base/file.hpp"
#include "base/part_file.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

namespace prof {
namespace {

// Second names of suffixes and formats.
constexpr std::array<std::pair<std::string_view, std::string_view>, 11> kSecondNames{
    {{"yml", "yaml"},
     {"htm", "html"},
     {"txt", "text"},
     {"table", "text"},
     {"markdown", "md"},
     {"db", "sqlite"},
     {"trace", "json"},
     {"pftrace", "pb"},
     {"perfetto-trace", "pb"},
     {"junit", "xml"},
     {"pb.gz", "pprof"}}};

std::string_view first_name(std::string_view name) {
  const auto found = std::ranges::find(kSecondNames, name, [](const auto& row) { return row.first; });
  return found == kSecondNames.end() ? name : found->second;
}

std::string suffix_of(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  if (name.ends_with(".pb.gz")) return "pb.gz";
  const std::string extension = path.extension().string();
  return extension.empty() ? "" : extension.substr(1);
}

std::string list_of(OutputKinds kinds, std::string_view before) {
  std::string list;
  for (const std::string_view kind : kinds)
    list += fmt::format("{}{}{}", list.empty() ? "" : " ", before,
                        before == "." && kind == "text" ? "txt" : kind);
  return list;
}

} // namespace

void add_output_options(CLI::App& app, const Context& context, OutputFlags& flags, OutputKinds kinds,
                        std::string_view help) {
  app.add_option("--output", flags.path, std::string(text(context.lang, help)));
  app.add_option("--format", flags.format,
                 say(context.lang, "opt.format", fmt::arg("known", list_of(kinds, ""))));
}

Result<std::string_view> output_kind(const Context& context, const OutputFlags& flags, OutputKinds kinds) {
  if (!flags.format.empty()) {
    const auto found = std::ranges::find(kinds, first_name(flags.format));
    if (found != kinds.end()) return *found;
    const std::string near = nearest(flags.format, std::vector<std::string>(kinds.begin(), kinds.end()));
    return Error{Errc::bad_argument,
                 say(context.lang, near.empty() ? "cli.bad_format" : "cli.bad_format_near",
                     fmt::arg("format", flags.format), fmt::arg("near", near),
                     fmt::arg("known", list_of(kinds, ""))),
                 {}};
  }
  if (flags.is_terminal()) return kinds.front();
  const auto found = std::ranges::find(kinds, first_name(suffix_of(flags.path)));
  if (found != kinds.end()) return *found;
  return Error{Errc::bad_argument,
               say(context.lang, "cli.bad_suffix", fmt::arg("path", flags.path.string()),
                   fmt::arg("known", list_of(kinds, "."))),
               {}};
}

Status deliver(Context& context, const std::filesystem::path& path, std::string_view content) {
  if (path.empty() || path == "-") {
    context.out->put(content);
    return {};
  }
  PROF_CHECK(write_file(path, content));
  context.outputs.push_back(path);
  return {};
}

Exit deliver_report(Context& context, const std::filesystem::path& path, std::string_view content) {
  if (const Status done = deliver(context, path, content); !done) return fail(context, done.error());
  if (!path.empty() && path != "-")
    tell(context, say(context.lang, "cli.written", fmt::arg("path", path.string())));
  return Exit::ok;
}

Status write_through_part(const std::filesystem::path& path,
                          const std::function<Status(const std::filesystem::path&)>& write) {
  PROF_TRY(AtomicFile file, AtomicFile::create_staged(path));
  if (Status written = write(file.staged_path()); !written) return file.named(std::move(written).error());
  return file.commit();
}

Status write_new_folder(const std::filesystem::path& path,
                        const std::function<Status(const std::filesystem::path&)>& write) {
  const std::filesystem::path target = path.has_filename() ? path : path.parent_path(); // "tables/"
  const std::filesystem::path parent = target.has_parent_path() ? target.parent_path() : ".";
  std::error_code error;
  std::vector<std::filesystem::path> made; // above it, the innermost first
  for (auto at = parent; !at.empty() && !std::filesystem::exists(at, error); at = at.parent_path())
    made.push_back(at);
  std::filesystem::create_directories(parent, error);
  if (error) return Error{Errc::io, error.message(), parent.string()};
  remove_stale_parts(parent);
  std::filesystem::path part;
  const int lock = create_part_folder(parent, part);
  if (lock < 0) return errno_error("error.cannot_create", path);
  Temporary temporary(part);
  Status written = write(part);
  if (written && ::rename(part.c_str(), target.c_str()) != 0)
    written = errno_error("error.cannot_rename", path);
  ::close(lock);
  if (written) {
    temporary.release();
    return written;
  }
  std::filesystem::remove_all(part, error);
  for (const auto& folder : made)
    std::filesystem::remove(folder, error);
  Error failed = std::move(written).error();
  if (failed.where.starts_with(part.string())) failed.where.replace(0, part.string().size(), target.string());
  return failed;
}

} // namespace prof
