#include "import/decompress.hpp"
#include "import/reader.hpp"

#include "base/file.hpp"
#include "base/lang.hpp"
#include "base/walk.hpp"
#include "import/reader_words.hpp"
#include "import/sqlite/sqlite_file.hpp"

#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <string>
#include <unistd.h>

namespace prof {
namespace {

constexpr std::size_t kHead = std::size_t{64} * 1024;
constexpr int kUnsure = 20; // readers less sure than this do not get the file

std::string known_formats() {
  std::string names;
  for (const Reader* reader : all_readers())
    names.append(names.empty() ? "" : ", ").append(reader->name);
  return names;
}

// The first bytes of a file.
Result<std::string> read_head(const std::filesystem::path& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return errno_error("error.cannot_open", path);
  std::string head(kHead, '\0');
  std::size_t size = 0;
  for (;;) {
    const ssize_t got = ::read(fd, head.data() + size, head.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      Error error = errno_error("error.cannot_read", path);
      ::close(fd);
      return error;
    }
    size += static_cast<std::size_t>(got);
    if (got == 0 || size == head.size()) break;
  }
  ::close(fd);
  head.resize(size);
  return head;
}

// Of what no reader knows; `is_unpacked`: `head` came out of a packed file.
Error unknown_format(bool is_folder, std::string_view head, bool is_unpacked,
                     const std::filesystem::path& shown) {
  if (is_unpacked && packing_of(head) != Packing::none)
    return error_said(Errc::malformed, "error.packed_twice", shown.string());
  return error_said(Errc::malformed, is_folder ? "error.unknown_folder" : "error.unknown_format",
                    shown.string(), fmt::arg("known", known_formats()));
}

Status import_plain(const std::filesystem::path& path, const std::filesystem::path& shown, bool is_folder,
                    TraceSink& sink, ImportInfo* info) {
  std::string head;
  if (!is_folder) {
    PROF_TRY(head, read_head(path));
    if (head.empty()) return error_said(Errc::malformed, "error.empty_file", shown.string());
  }
  const Reader* reader = reader_of(head, path, is_folder);
  if (reader == nullptr) {
    if (auto damage = damage_of(head, path)) return (*std::move(damage)).at(shown.string());
    return unknown_format(is_folder, head, path != shown, shown);
  }
  if (info != nullptr) info->format = reader->name;
  Status status = reader->read(path, sink);
  if (!status) {
    auto damage = status.error().code == Errc::malformed ? damage_of(head, path) : std::nullopt;
    return (damage ? *std::move(damage) : std::move(status).error()).at(shown.string());
  }
  say_note(sink, Severity::data_loss, "note.sqlite.cut", missing_pages(head, path));
  const UnreadLog log = is_sqlite(head) ? unread_log(path) : UnreadLog{};
  say_note(sink, Severity::data_loss, log.note(), log.count(), log.file);
  return {};
}

} // namespace

const Reader* reader_of(std::string_view head, const std::filesystem::path& path, bool is_folder) {
  const Reader* best = nullptr;
  int sureness = kUnsure;
  for (const Reader* reader : all_readers())
    if (const int sure = reader->sniff(head, path, is_folder); sure > sureness) {
      best = reader;
      sureness = sure;
    }
  return best;
}

Status import_trace(const std::filesystem::path& path, TraceSink& sink, ImportInfo* info) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found)
    return error_said(Errc::missing, "error.no_file", path.string());
  if (error) {
    const bool is_permission = error == std::errc::permission_denied;
    return error_said(is_permission ? Errc::permission : Errc::io, "error.cannot_open", path.string(),
                      fmt::arg("why", error.message()));
  }
  const bool is_folder = std::filesystem::is_directory(status);
  if (!is_folder && !std::filesystem::is_regular_file(
                        status)) // a pipe can be read once only; its format is found by a look ahead
    return error_said(Errc::malformed, "error.no_regular_file", path.string());
  if (is_kernel_made(path)) return error_said(Errc::malformed, "error.kernel_file", path.string());
  if (is_folder) return import_plain(path, path, true, sink, info);
  PROF_TRY(const std::string head, read_head(path));
  if (packing_of(head) == Packing::none) return import_plain(path, path, false, sink, info);
  if (info != nullptr) info->packing = packing_of(head) == Packing::gzip ? "gzip" : "zstd";
  // What no reader knows by its beginning is not unpacked; a database is known by its tables only.
  const std::string beginning = unpacked_head(head, packing_of(head), kHead);
  if (!beginning.empty() && !is_sqlite(beginning) && reader_of(beginning, path, false) == nullptr)
    return unknown_format(false, beginning, true, path);
  const auto size = static_cast<std::int64_t>(std::filesystem::file_size(path, error));
  PROF_TRY(const UnpackedFile plain,
           decompress_to_temp(path, packing_of(head), most_unpacked(error ? 0 : size)));
  PROF_CHECK(import_plain(plain.file.path(), path, false, sink, info));
  say_note(sink, Severity::data_loss, "note.import.packed_cut", plain.is_cut ? 1 : 0,
           path.filename().string());
  return {};
}

} // namespace prof
