// child.hpp: a process of a test, led step by step.
#pragma once
#include "sdk/prof_sdk.hpp"

#include <csignal>
#include <cstdlib>
#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace prof::test {

// The first use makes a process a service.
inline void use_sdk() {
  prof_service("child service");
  (void)prof_is_on();
}

// A child that tells "ready", waits for a go, works, tells "done", and waits to be ended.
class Child {
public:
  explicit Child(const std::function<void()>& before, const std::function<void()>& after) {
    int to_child[2], to_parent[2];
    if (pipe(to_child) != 0 || pipe(to_parent) != 0) return;
    pid_ = fork();
    if (pid_ == 0) {
      char byte = 0;
      // For one that becomes another program.
      setenv("GO", std::to_string(to_child[0]).c_str(), 1);
      setenv("DONE", std::to_string(to_parent[1]).c_str(), 1);
      before();
      (void)!write(to_parent[1], "r", 1);
      (void)!read(to_child[0], &byte, 1);
      after();
      (void)!write(to_parent[1], "d", 1);
      (void)!read(to_child[0], &byte, 1);
      _exit(0);
    }
    close(to_child[0]);
    close(to_parent[1]);
    in_ = to_parent[0];
    out_ = to_child[1];
    wait_for('r');
  }
  ~Child() { end(SIGKILL); }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  void go() {
    (void)!write(out_, "g", 1);
    wait_for('d');
  }
  // For a child that ends by itself.
  void go_and_expect_exit(int expected) {
    const int status = go_until_end();
    EXPECT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
    EXPECT_EQ(WEXITSTATUS(status), expected);
  }
  void go_until_killed() {
    const int status = go_until_end();
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
  }
  void end(int signal) {
    if (pid_ <= 0) return;
    kill(pid_, signal);
    waitpid(pid_, nullptr, 0);
    pid_ = -1;
    close(in_);
    close(out_);
  }
  [[nodiscard]] pid_t pid() const { return pid_; }

private:
  int go_until_end() {
    (void)!write(out_, "g", 1);
    int status = 0;
    waitpid(pid_, &status, 0);
    pid_ = -1;
    close(in_);
    close(out_);
    return status;
  }
  void wait_for(char expected) {
    char byte = 0;
    EXPECT_EQ(read(in_, &byte, 1), 1);
    EXPECT_EQ(byte, expected);
  }
  pid_t pid_ = -1;
  int in_ = -1, out_ = -1;
};

} // namespace prof::test
