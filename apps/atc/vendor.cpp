#include "atc/vendor.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <unistd.h>

namespace prof {
namespace {
constexpr const char* kHandedOver = "CANN_PROFILER_ATC_HANDED_OVER";
} // namespace

std::optional<std::string> vendor_atc() {
  const char* path = std::getenv("PATH");
  if (path == nullptr || std::getenv(kHandedOver) != nullptr) return std::nullopt;
  std::error_code error;
  const auto self = std::filesystem::canonical("/proc/self/exe", error);
  std::string_view rest = path;
  while (!rest.empty()) {
    const auto colon = std::min(rest.find(':'), rest.size());
    const std::filesystem::path candidate = std::filesystem::path(rest.substr(0, colon)) / "atc";
    rest.remove_prefix(std::min(colon + 1, rest.size()));
    if (!std::filesystem::is_regular_file(candidate, error) || access(candidate.c_str(), X_OK) != 0) continue;
    if (std::filesystem::equivalent(candidate, self, error)) continue;
    return candidate.string();
  }
  return std::nullopt;
}

bool is_foreign(std::span<const Verb* const> verbs, int argc, char** argv) {
  if (argc < 2) return true;
  return std::ranges::none_of(verbs, [&](const Verb* verb) { return verb->name == argv[1]; });
}

void hand_over(const std::string& program, char** argv) {
  setenv(kHandedOver, "1", 1);
  execv(program.c_str(), argv);
}

} // namespace prof
