// target.hpp: from what the user calls the service to its processes.
#pragma once
#include "capture/sdk_services.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace prof {

enum class TargetKind : std::uint8_t { sdk, pid, process, word, cgroup };

// One service: a process tree, or everything in one cgroup.
struct TargetService {
  TargetKind kind = TargetKind::process;
  std::string name{};               // as announced, or the name of its first process; hostile text
  std::string cmdline{};            // of its first process
  std::vector<std::int64_t> pids{}; // sorted, descendants included
};

struct TargetWorld {
  std::filesystem::path proc_root = "/proc";
  std::vector<SdkService> sdk_services{}; // list_sdk_services()
  std::int64_t self = 0; // our own pid: we and our parents are never meant by a command-line word
};

// The services that `spec` names, found in the first of these ways that gives any: "pid:N"; the exact name of
// an SDK service; the name of a process (kernel name, or last part of argv[0]); a systemd unit, container id
// (12 or more digits) or cgroup folder; a word of a command line (whole, or its last path part).
[[nodiscard]] std::vector<TargetService> find_target(std::string_view spec, const TargetWorld& world);
// Names that a user could have meant, without doubles: SDK services first, then processes.
[[nodiscard]] std::vector<std::string> known_target_names(const TargetWorld& world);

// Why the kernel does not let us look into a process, as a text id: it is of another user; it is ours, but
// keeps everybody out; we are root, but of a container that lacks the right.
[[nodiscard]] std::string_view refusal_of(const std::filesystem::path& proc, std::int64_t pid, uid_t self);

} // namespace prof
