// run_script.hpp: runs a command of a plan, and gives its exit status and what it said.
#pragma once
#include "base/file.hpp"

#include <array>
#include <cstdio>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>

namespace prof {

// A folder of its own, gone with the object.
class Folder {
public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "prof_plan_XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path_); }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  void write(const std::string& name, std::string_view content, bool is_executable = false) const {
    EXPECT_TRUE(write_file(path_ / name, content).ok());
    if (is_executable) std::filesystem::permissions(path_ / name, std::filesystem::perms::owner_all);
  }
  [[nodiscard]] std::string read(const std::string& name) const {
    return read_file(path_ / name, 1 << 20).ok() ? *read_file(path_ / name, 1 << 20) : "";
  }

private:
  std::filesystem::path path_;
};

struct Ran {
  int status = -1;
  std::string output;
};
// `command` for the shell, in `folder`; output and errors together.
inline Ran run_in(const std::filesystem::path& folder, const std::string& command) {
  Ran ran;
  FILE* pipe = popen(("cd '" + folder.string() + "' && { " + command + "\n} 2>&1").c_str(), "r");
  if (pipe == nullptr) return ran;
  std::array<char, 4096> buffer{};
  while (const std::size_t got = fread(buffer.data(), 1, buffer.size(), pipe))
    ran.output.append(buffer.data(), got);
  const int status = pclose(pipe);
  ran.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return ran;
}
inline Ran run_with_input(const std::string& command, std::string_view input) {
  const Folder folder;
  folder.write("in", input);
  return run_in(folder.path(), command + " < in");
}

} // namespace prof
