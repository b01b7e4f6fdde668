// file.hpp: whole-file reads with a limit, and outputs that appear whole or not at all.
#pragma once
#include "base/result.hpp"
#include "base/temporary.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace prof {

// Opens `path` for reading; the caller closes. Never waits for somebody to open the other end of a pipe.
// Errors: io, permission, missing, malformed (a folder; a pipe that nothing writes to).
[[nodiscard]] Result<int> open_input(const std::filesystem::path& path);

// The whole content of `path`, which may be a pipe with a writer. Errors: those of open_input; budget (larger
// than max_bytes).
[[nodiscard]] Result<std::string> read_file(const std::filesystem::path& path, std::int64_t max_bytes);

// The same of a report, for which a trace is easily given by mistake: malformed for a binary file.
[[nodiscard]] Result<std::string> read_report(const std::filesystem::path& path, std::int64_t max_bytes);

// Whether a command is writing this regular file at the moment: an AtomicFile that has appeared.
[[nodiscard]] bool is_being_written(const std::filesystem::path& path);

// Whether both name one and the same regular file, by whatever links.
[[nodiscard]] bool is_same_file(const std::filesystem::path& a, const std::filesystem::path& b);

// An output file that gets its name on commit(); without commit() it leaves nothing, not even when the
// process is killed: where the file system allows, it has no name before that (O_TMPFILE), else one of
// part_file.hpp, which the next output in that folder removes. What the name may be:
// - a symbolic link is followed, its target is replaced (the link stays);
// - an existing file keeps its mode, and its owner where we may say so; a new one follows the umask. Of hard
//   links only the name given gets the new content: a rename cannot reach the others, they keep the old one;
// - "-", /dev/stdout, /dev/fd/N, pipes and devices are written into: there is nothing to rename over.
// Not thread-safe.
class AtomicFile {
public:
  // Errors: permission, missing (no such folder), bad_argument (a folder, no name), io.
  [[nodiscard]] static Result<AtomicFile> create(const std::filesystem::path& path);
  // The same for writers that want a path of their own: they write to staged_path(), which is there and
  // empty, and commit() brings that to its place (into pipes and devices: by copying).
  [[nodiscard]] static Result<AtomicFile> create_staged(const std::filesystem::path& path);
  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&& other) noexcept;
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();

  // Appends; buffered by 64 KiB. Errors: io (disk full names the path), interrupted (nobody reads the pipe).
  [[nodiscard]] Status write(std::string_view bytes);
  // flush, sync, rename. After an error the target is as it was before, unless it is a pipe or a device.
  [[nodiscard]] Status commit();
  // For a file that is worth having before it is finished: it gets its name now, with what was written so
  // far, and goes on growing: from here on each write() goes to the file at once, unsynced, and one that does
  // not fit leaves nothing of itself. Asked again it does nothing.
  [[nodiscard]] Status appear();
  // Cuts a file that has appeared back to its first `size` bytes, and goes on from there.
  void cut_back(std::int64_t size);
  // Whether the name is that of this file by now.
  [[nodiscard]] bool is_in_place() const { return is_in_place_; }
  // The first half of commit(): when several files must appear together, prepare() all, then commit() all.
  // Nothing may be written afterwards.
  [[nodiscard]] Status prepare();
  // Makes the file executable for whoever may read it. Before prepare().
  void set_executable() { is_executable_ = true; }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] const std::filesystem::path& staged_path() const { return temp_.path(); }
  // An error of whoever wrote to staged_path(), with the name that the user gave.
  [[nodiscard]] Error named(Error error) const;

private:
  AtomicFile() = default;
  [[nodiscard]] static Result<AtomicFile> begin(const std::filesystem::path& path);
  [[nodiscard]] Status stage(const std::filesystem::path& folder);
  [[nodiscard]] bool stage_unnamed();
  [[nodiscard]] std::filesystem::path folder() const;
  [[nodiscard]] Status flush();
  [[nodiscard]] Status set_mode();
  [[nodiscard]] Status place();
  [[nodiscard]] Status copy_into_sink();
  void close();
  std::filesystem::path path_, target_; // as named; behind its links
  Temporary temp_;
  std::string buffer_;
  std::int64_t old_mode_ = -1, old_owner_ = -1, old_group_ = -1; // of the file that is replaced
  int fd_ = -1;                                                  // of the file that is written
  int sink_ = -1;                                                // of what is written into instead
  bool is_prepared_ = false, is_executable_ = false, is_in_place_ = false;
};

// Writes `content` to `path` through AtomicFile.
[[nodiscard]] Status write_file(const std::filesystem::path& path, std::string_view content);

// Writes all of `bytes` to an open file, socket or pipe; `name` is for the error.
[[nodiscard]] Status write_all(int fd, std::string_view bytes, const std::filesystem::path& name);

// "path: cannot write: No space left on device" for the current errno and the text `id`
// ("error.cannot_write"), in both languages; permission for EACCES and EPERM, missing for ENOENT, interrupted
// without a word for EPIPE: whoever read us has seen enough and wants no more.
[[nodiscard]] Error errno_error(std::string_view id, const std::filesystem::path& path);
// Why `path` cannot be made (ENOENT): its folder is not there, or takes no files (/proc); names the folder.
[[nodiscard]] Error no_folder_error(const std::filesystem::path& path, Errc code);

} // namespace prof
