// temporary.hpp: files that must not outlive the command that made them, not even when a signal ends it.
#pragma once
#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>

namespace prof {

// Removes `path`, a file or an empty folder, with the object, or in remove_temporaries(). Make and destroy
// from any thread.
class Temporary {
public:
  Temporary() = default;
  explicit Temporary(const std::filesystem::path& path);
  Temporary(Temporary&& other) noexcept;
  Temporary& operator=(Temporary&& other) noexcept;
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary();

  // The file has its final name by now: it stays.
  void release();
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
  void drop(bool is_removed);
  std::filesystem::path path_;
  std::unique_ptr<std::string> name_; // at an address that a signal handler can keep
  std::size_t slot_ = 0;
};

// Removes every file that a Temporary of this process still holds. Async-signal-safe: for handlers that end
// the program.
void remove_temporaries() noexcept;

} // namespace prof
