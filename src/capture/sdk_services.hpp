// sdk_services.hpp: services that announced themselves through the annotation SDK (src/sdk), found in the
// registry folder.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace prof {

struct SdkService {
  std::int64_t pid = 0;
  std::string name;      // as announced; hostile text
  std::string ring_path; // the shared-memory file
};
// Live services of this user (all users' when root). Stale entries of dead processes are skipped.
[[nodiscard]] std::vector<SdkService> list_sdk_services();

} // namespace prof
