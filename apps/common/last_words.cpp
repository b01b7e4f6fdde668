#include "common/last_words.hpp"

#include "base/file.hpp"
#include "base/safe_text.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <new>
#include <span>
#include <system_error>
#include <unistd.h>

namespace prof {
namespace {

constexpr std::size_t kHeld = std::size_t{64} * 1024;
constexpr int kInputStatus = 3, kInterruptedStatus = 130;

// Made before they are needed: a signal handler and a program without memory cannot make them. Global for the
// same reason.
std::array<char, 512> g_interrupted{}, g_out_of_memory{}, g_crashed{};
std::array<char, 2048> g_crashed_kept{}, g_out_of_memory_kept{}; // with a path
std::array<char, 65536> g_crash_stack{};                         // the ordinary one may be what ran out
std::atomic<const char*> g_crash_line = g_crashed.data(), g_memory_line = g_out_of_memory.data();
static_assert(std::atomic<const char*>::is_always_lock_free, "read in a signal handler");
std::string g_program, g_verb;
Lang g_lang = Lang::en;

void keep(std::span<char> into, std::string_view line) {
  const std::size_t size = std::min(line.size(), into.size() - 1);
  std::memcpy(into.data(), line.data(), size);
  into[size] = '\0';
}

void on_interrupt(int) {
  remove_temporaries();
  put_error(g_interrupted.data());
  ::_exit(kInterruptedStatus);
}

// A library met what it does not expect (an endless recursion, a division by zero in a model's shapes), or no
// memory.
void on_crash(int) {
  remove_temporaries();
  put_error(g_crash_line.load());
  ::_exit(kInputStatus);
}

void on_write_signal(int) {}

void on_terminate() {
  const std::exception_ptr thrown = std::current_exception();
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const std::exception& error) {
    if (is_out_of_memory(error)) {
      remove_temporaries();
      tell_out_of_memory();
      ::_exit(kInputStatus);
    }
  } catch (...) { // nothing is known of it
  }
  std::abort();
}

void handle(int number, void (*handler)(int), int flags) {
  struct sigaction action{};
  if (::sigaction(number, nullptr, &action) != 0 || action.sa_handler == SIG_IGN) return;
  action = {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  ::sigaction(number, &action, nullptr);
}

} // namespace

void StdOut::put(std::string_view bytes) {
  if (!status_) return;
  buffer_ += bytes;
  if (buffer_.size() >= kHeld) static_cast<void>(flush());
}

Status StdOut::flush() {
  if (!status_) return status_;
  status_ = write_all(STDOUT_FILENO, buffer_, "standard output");
  buffer_.clear();
  return status_;
}

void put_error(std::string_view text) noexcept {
  while (!text.empty()) {
    const ssize_t done = ::write(STDERR_FILENO, text.data(), text.size());
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return;
    text.remove_prefix(static_cast<std::size_t>(done));
  }
}

void open_standard_descriptors() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(fd, F_GETFD) >= 0 || errno != EBADF) continue;
    // The lowest free number is the one looked for. Read-only for standard output: a write fails as it did.
    if (::open("/dev/null", fd == STDERR_FILENO ? O_WRONLY : O_RDONLY) < 0) return;
  }
}

void install_last_words(std::string_view program, std::string_view verb, Lang lang) {
  keep(g_interrupted, say(lang, "cli.interrupted", fmt::arg("program", program)) + "\n");
  keep(g_out_of_memory,
       say(lang, "cli.out_of_memory", fmt::arg("program", program), fmt::arg("verb", verb)) + "\n");
  for (const int number : {SIGINT, SIGTERM, SIGHUP})
    handle(number, on_interrupt, 0);
  keep(g_crashed, say(lang, "cli.crashed", fmt::arg("program", program), fmt::arg("verb", verb)) + "\n");
  g_program = program, g_verb = verb, g_lang = lang;
  const stack_t stack{.ss_sp = g_crash_stack.data(), .ss_flags = 0, .ss_size = g_crash_stack.size()};
  if (std::getenv("PROF_CORE") == nullptr &&
      ::sigaltstack(&stack, nullptr) == 0) // else the system's core file
    for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP})
      handle(number, on_crash, SA_ONSTACK | SA_RESETHAND | SA_NODEFER);
  // Handlers and not SIG_IGN: a program that we start would inherit that.
  for (const int number : {SIGPIPE, SIGXFSZ})
    handle(number, on_write_signal, SA_RESTART);
  std::set_terminate(on_terminate);
}

void keep_at_crash(std::string_view path) {
  g_crash_line = g_crashed.data();
  g_memory_line = g_out_of_memory.data();
  if (path.empty()) return;
  const auto line = [&](std::string_view id) {
    return say(g_lang, id, fmt::arg("program", g_program), fmt::arg("verb", g_verb),
               fmt::arg("path", terminal_safe(path, false))) +
           "\n";
  };
  keep(g_crashed_kept, line("cli.crashed_kept"));
  keep(g_out_of_memory_kept, line("cli.out_of_memory_kept"));
  g_crash_line = g_crashed_kept.data();
  g_memory_line = g_out_of_memory_kept.data();
}

bool is_out_of_memory(const std::exception& error) noexcept {
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) return true;
  const auto* refused = dynamic_cast<const std::system_error*>(&error);
  return refused != nullptr && (refused->code() == std::errc::resource_unavailable_try_again ||
                                refused->code() == std::errc::not_enough_memory);
}

void tell_out_of_memory() noexcept {
  put_error(g_memory_line.load());
}

} // namespace prof
