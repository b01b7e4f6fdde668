#include "capture/launch.hpp"

#include "base/file.hpp"
#include "base/lang.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace prof {
namespace {

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> list;
  for (std::string& text : texts)
    list.push_back(text.data());
  list.push_back(nullptr);
  return list;
}

std::vector<std::string> environment_with(const std::string& preload,
                                          const std::vector<std::string>& settings) {
  std::vector<std::string> variables = settings;
  const auto is_replaced = [&](std::string_view entry) {
    return std::ranges::any_of(settings, [&](const std::string& own) {
      return entry.starts_with(own.substr(0, own.find('=') + 1));
    });
  };
  std::string before;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    if (!preload.empty() && text.starts_with("LD_PRELOAD="))
      before = text.substr(11);
    else if (!is_replaced(text))
      variables.emplace_back(text);
  }
  if (!preload.empty()) variables.push_back("LD_PRELOAD=" + preload + (before.empty() ? "" : ":" + before));
  return variables;
}

// Runs in the child between fork and exec: only async-signal-safe calls.
[[noreturn]] void run_child(int go_fd, int error_fd, char* const* argv, char* const* envp) {
  char byte = 0;
  ssize_t got = 0;
  do
    got = ::read(go_fd, &byte, 1);
  while (got < 0 && errno == EINTR);
  if (got != 1) ::_exit(127); // the parent gave up
  ::execvpe(argv[0], argv, envp);
  const int code = errno;
  (void)!::write(error_fd, &code, sizeof code);
  ::_exit(127);
}

Error run_error(int code, const std::string& name) {
  if (code == ENOENT) return error_said(Errc::not_found, "error.run_missing", name);
  if (code == EACCES || code == EPERM) return error_said(Errc::permission, "error.run_refused", name);
  errno = code;
  return errno_error("error.run_failed", name);
}

} // namespace

Status check_program(const std::string& name) {
  // A folder may be "executable", and is no program.
  const auto is_runnable = [](const std::string& file) {
    struct stat info{};
    if (::access(file.c_str(), X_OK) != 0 || ::stat(file.c_str(), &info) != 0) return false;
    errno = EACCES;
    return S_ISREG(info.st_mode);
  };
  if (name.empty()) return run_error(ENOENT, name);
  if (name.find('/') != std::string::npos) {
    if (is_runnable(name)) return {};
    return run_error(errno, name);
  }
  const char* path = std::getenv("PATH");
  std::string_view rest = path != nullptr ? path : "/bin:/usr/bin";
  int code = ENOENT;
  while (!rest.empty()) {
    const auto end = std::min(rest.find(':'), rest.size());
    const std::string file = (end == 0 ? "." : std::string(rest.substr(0, end))) + "/" + name;
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (is_runnable(file)) return {};
    if (errno == EACCES) code = EACCES;
  }
  return run_error(code, name);
}

Result<LaunchedProgram> LaunchedProgram::prepare(const std::vector<std::string>& command,
                                                 const std::string& preload,
                                                 const std::vector<std::string>& settings) {
  int go_pipe[2], error_pipe[2];
  // Not a pipe: writing into one that nobody reads is a signal that would end us.
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, go_pipe) != 0)
    return errno_error("error.cannot_pipe", command.front());
  if (::pipe2(error_pipe, O_CLOEXEC) != 0) {
    Error error = errno_error("error.cannot_pipe", command.front());
    ::close(go_pipe[0]);
    ::close(go_pipe[1]);
    return error;
  }
  std::vector<std::string> words = command, variables = environment_with(preload, settings);
  const auto argv = pointers(words), envp = pointers(variables);
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::close(go_pipe[1]);
    ::close(error_pipe[0]);
    run_child(go_pipe[0], error_pipe[1], argv.data(), envp.data());
  }
  const int fork_error = errno;
  ::close(go_pipe[0]);
  ::close(error_pipe[1]);
  LaunchedProgram program;
  program.pid_ = pid;
  program.name_ = command.front();
  program.go_fd_ = go_pipe[1];
  program.error_fd_ = error_pipe[0];
  program.is_running_ = pid > 0;
  errno = fork_error;
  if (pid < 0) return errno_error("error.cannot_start", command.front());
  return program;
}

LaunchedProgram::LaunchedProgram(LaunchedProgram&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)), name_(std::move(other.name_)),
      go_fd_(std::exchange(other.go_fd_, -1)), error_fd_(std::exchange(other.error_fd_, -1)),
      is_running_(std::exchange(other.is_running_, false)), exit_(other.exit_) {}

LaunchedProgram::~LaunchedProgram() {
  const bool is_waiting = go_fd_ >= 0;
  if (go_fd_ >= 0) ::close(go_fd_); // a child that still waits reads the end of the pipe and exits
  if (error_fd_ >= 0) ::close(error_fd_);
  if (is_running_ && is_waiting) ::waitpid(static_cast<pid_t>(pid_), nullptr, 0);
}

Status LaunchedProgram::go() {
  if (go_fd_ < 0) return {};
  (void)::send(go_fd_, "g", 1, MSG_NOSIGNAL);
  ::close(std::exchange(go_fd_, -1));
  int code = 0;
  ssize_t got = 0;
  do
    got = ::read(error_fd_, &code, sizeof code);
  while (got < 0 && errno == EINTR);
  ::close(std::exchange(error_fd_, -1));
  if (got != sizeof code) return {}; // the pipe closed at exec
  ::waitpid(static_cast<pid_t>(pid_), nullptr, 0);
  is_running_ = false;
  return run_error(code, name_);
}

std::optional<int> LaunchedProgram::poll_exit() {
  if (!is_running_) return exit_;
  int status = 0;
  if (::waitpid(static_cast<pid_t>(pid_), &status, WNOHANG) == pid_) {
    is_running_ = false;
    exit_ = status;
  }
  return exit_;
}

void LaunchedProgram::send(int signal) const {
  if (is_running_) ::kill(static_cast<pid_t>(pid_), signal);
}

std::string describe_exit(int wait_status, Lang lang) {
  if (WIFSIGNALED(wait_status))
    return say(lang, "trace.exit_signal", fmt::arg("n", WTERMSIG(wait_status)),
               fmt::arg("name", ::strsignal(WTERMSIG(wait_status))));
  return say(lang, "trace.exit_status", fmt::arg("n", WEXITSTATUS(wait_status)));
}

int shell_status(int wait_status) {
  return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}

std::string find_beside_program(const std::string& name) {
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) return {};
  for (const auto& folder : {program.parent_path().parent_path() / "lib", program.parent_path()}) {
    const auto file = folder / name;
    if (std::filesystem::exists(file, error)) return file.string();
  }
  return {};
}

} // namespace prof
