// launch.hpp: starts a program so that it can be watched from its first instruction.
#pragma once
#include "base/lang.hpp"
#include "base/result.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace prof {

// A child that waits before exec until it is told to go. The destructor ends a child that never went.
class LaunchedProgram {
public:
  // `preload` (may be empty) is put in front of LD_PRELOAD; `settings` ("NAME=value") replace what the
  // environment has. Errors: io.
  [[nodiscard]] static Result<LaunchedProgram> prepare(const std::vector<std::string>& command,
                                                       const std::string& preload,
                                                       const std::vector<std::string>& settings = {});
  LaunchedProgram(LaunchedProgram&& other) noexcept;
  LaunchedProgram& operator=(LaunchedProgram&&) = delete;
  LaunchedProgram(const LaunchedProgram&) = delete;
  LaunchedProgram& operator=(const LaunchedProgram&) = delete;
  ~LaunchedProgram();

  [[nodiscard]] std::int64_t pid() const { return pid_; }
  // Lets it run; returns when exec has happened. Errors: not_found (no such program), permission, io.
  [[nodiscard]] Status go();
  // The wait status once it has ended.
  [[nodiscard]] std::optional<int> poll_exit();
  // Sends a signal, when it still runs.
  void send(int signal) const;

private:
  LaunchedProgram() = default;
  std::int64_t pid_ = -1;
  std::string name_;
  int go_fd_ = -1, error_fd_ = -1;
  bool is_running_ = false;
  std::optional<int> exit_;
};

// Whether a program of this name (a path, or one of PATH) is there and may be run. Errors: not_found,
// permission.
[[nodiscard]] Status check_program(const std::string& name);
// "exit status 3", "signal 11 (Segmentation fault)": of a wait status.
[[nodiscard]] std::string describe_exit(int wait_status, Lang lang);
// The same as shells hand it on: the exit status, or 128 and the number of the signal.
[[nodiscard]] int shell_status(int wait_status);
// The file `name` in the lib folder beside this program's bin folder; empty when it is not there.
[[nodiscard]] std::string find_beside_program(const std::string& name);

} // namespace prof
