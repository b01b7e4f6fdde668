// sdk_services.hpp: services that announced themselves through the annotation SDK (src/sdk), found in the
// registry folder.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace prof {

struct SdkService {
  std::int64_t pid = 0;
  std::string name;             // as announced; hostile text
  std::string ring_path;        // the shared-memory file
  std::int64_t recorded_by = 0; // the profiler that is attached to it, if any
};
// Live services of this user (all users' when root) in our pid namespace. Stale entries of dead processes are
// skipped.
[[nodiscard]] std::vector<SdkService> list_sdk_services();
// Those of other pid namespaces that share the registry (containers with one /dev/shm): they can be recorded
// over there only. Their pids are the numbers they have there; whether they still run cannot be told here.
[[nodiscard]] std::vector<SdkService> list_sdk_services_elsewhere();

// Who records: "pid 7, /data/trace.pb", with the output as its command line says; "pid 7" for what is no
// 'profiler trace'.
[[nodiscard]] std::string describe_recorder(const std::filesystem::path& proc, std::int64_t profiler);

} // namespace prof
