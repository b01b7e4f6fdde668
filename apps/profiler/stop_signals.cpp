#include "profiler/stop_signals.hpp"

#include <cerrno>
#include <csignal>
#include <ctime>
#include <initializer_list>

namespace prof {
namespace {

volatile std::sig_atomic_t g_stops = 0;     // how often
volatile std::sig_atomic_t g_last_stop = 0; // which signal
volatile std::sig_atomic_t g_is_from_terminal = 0;

void on_stop(int number, siginfo_t* info, void*) {
  g_stops = g_stops + 1;
  g_last_stop = number;
  g_is_from_terminal = info != nullptr && info->si_code == SI_KERNEL;
}

void on_nothing(int) {}

bool is_ignored(int number) {
  struct sigaction action{};
  return ::sigaction(number, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

} // namespace

void catch_stop_signals() {
  struct sigaction action{};
  action.sa_sigaction = on_stop;
  action.sa_flags = SA_SIGINFO; // no SA_RESTART: sleeps end at once
  for (const int number : {SIGINT, SIGTERM, SIGHUP})
    if (number != SIGHUP || !is_ignored(number)) ::sigaction(number, &action, nullptr); // nohup means it
  // A closed pipe and a file at its size limit are errors of write(), not the end of us. A handler and not
  // SIG_IGN: a program that we launch would inherit that.
  struct sigaction nothing{};
  nothing.sa_handler = on_nothing;
  nothing.sa_flags = SA_RESTART;
  for (const int number : {SIGPIPE, SIGXFSZ})
    if (!is_ignored(number)) ::sigaction(number, &nothing, nullptr);
}

StopSignals stop_signals() {
  return {.count = g_stops, .last = g_last_stop, .is_from_terminal = g_is_from_terminal != 0};
}

bool sleep_for(std::int64_t ns) {
  timespec left{.tv_sec = static_cast<time_t>(ns / 1'000'000'000),
                .tv_nsec = static_cast<long>(ns % 1'000'000'000)};
  while (g_stops == 0 && ::clock_nanosleep(CLOCK_MONOTONIC, 0, &left, &left) == EINTR) {
  }
  return g_stops == 0;
}

} // namespace prof
