#include "profiler/trace_output.hpp"

#include "base/file.hpp"
#include "tracefile/sniff.hpp"

#include <fstream>
#include <unistd.h>

namespace prof {
namespace {

bool has_content(const std::filesystem::path& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error) && std::filesystem::file_size(path, error) > 0;
}

bool is_own_trace(const std::filesystem::path& path) {
  std::string head(4096, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  return is_own_tracefile(std::string_view(head).substr(0, static_cast<std::size_t>(file.gcount())));
}

} // namespace

Status check_trace_output(const Context& context, const std::filesystem::path& path) {
  const auto suffix = path.extension().string();
  if (path == "-") return {};
  if (suffix != ".pb" && suffix != ".pftrace" && suffix != ".perfetto-trace")
    return Error{
        Errc::bad_argument, say(context.lang, "trace.bad_suffix", fmt::arg("path", path.string())), {}};
  if (!has_content(path)) return {};
  if (!is_own_trace(path))
    return Error{
        Errc::bad_argument, say(context.lang, "trace.output_not_ours", fmt::arg("path", path.string())), {}};
  if (is_being_written(path)) return output_busy(context, path);
  return {};
}

Error output_busy(const Context& context, const std::filesystem::path& path) {
  return {Errc::io, say(context.lang, "trace.output_busy", fmt::arg("path", path.string())), {}};
}

Status check_grows(const Context& context, const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::is_other(path, ignored)) return {};
  return Error{
      Errc::bad_argument, say(context.lang, "trace.flight_needs_file", fmt::arg("path", path.string())), {}};
}

Status check_writable(const std::filesystem::path& path) {
  std::error_code ignored;
  if (std::filesystem::is_other(path, ignored)) return {}; // to open a pipe is to wait for its reader
  const auto file = AtomicFile::create(path);
  if (file) return {};
  // A file that may be written in a folder where none may be made: a plain trace goes into it as it is.
  if (file.error().code == Errc::permission && ::access(path.c_str(), W_OK) == 0) return {};
  return file.error();
}

Status keep_earlier(const Context& context, const std::filesystem::path& path) {
  if (!has_content(path)) return {};
  std::filesystem::path old = path;
  old.replace_extension(".old" + path.extension().string());
  PROF_CHECK(check_trace_output(context, old));
  std::error_code error;
  std::filesystem::remove(old, error);
  std::filesystem::create_hard_link(path, old, error);
  if (error) std::filesystem::rename(path, old, error); // a file system without links
  if (error) return Error{Errc::io, error.message(), old.string()};
  tell(context, say(context.lang, "trace.kept_earlier", fmt::arg("path", old.string())));
  return {};
}

} // namespace prof
