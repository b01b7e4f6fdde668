// A /proc made of ordinary files, for tests of what is read from it.
#pragma once
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>
#include <vector>

namespace prof {

class FakeProc {
public:
  FakeProc() {
    std::string pattern = (std::filesystem::temp_directory_path() / "fake_proc.XXXXXX").string();
    root_ = ::mkdtemp(pattern.data());
  }
  FakeProc(const FakeProc&) = delete;
  FakeProc& operator=(const FakeProc&) = delete;
  ~FakeProc() {
    std::error_code ignored;
    std::filesystem::remove_all(root_, ignored);
  }
  [[nodiscard]] const std::filesystem::path& root() const { return root_; }

  void write(const std::string& path, const std::string& content) const {
    std::filesystem::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path, std::ios::binary) << content;
  }
  // comm is cut to the kernel's 15 bytes, as there.
  void process(int pid, int ppid, const std::string& comm, const std::vector<std::string>& words,
               char state = 'S') const {
    const std::string name = comm.substr(0, 15), folder = std::to_string(pid);
    write(folder + "/comm", name + "\n");
    write(folder + "/stat",
          fmt::format("{} ({}) {} {} 1 1 0 -1 4194304 101 0 7 0 20 30 0 0 20 0 3 0 5000 0 0\n", pid, name,
                      state, ppid));
    std::string line;
    for (const std::string& word : words)
      line += word + '\0';
    write(folder + "/cmdline", line);
    write(folder + "/cgroup", "0::/\n");
    write(folder + "/task/" + folder + "/comm", name + "\n");
  }

private:
  std::filesystem::path root_;
};

} // namespace prof
