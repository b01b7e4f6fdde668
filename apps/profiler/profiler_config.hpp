// profiler_config.hpp: profiler.yaml of the current folder.
#pragma once
#include "common/cli.hpp"

#include <map>
#include <string>

namespace prof {

struct ProfilerConfig {
  std::string target;                             // empty: not named
  std::map<std::string, std::string> time_ranges; // name -> "19:30-22:30@Asia/Shanghai"
};

// No file is an empty configuration. A file that says anything we do not understand is refused as a whole: to
// record something else than what was meant would be worse. Errors: bad_argument with file, line and the
// nearest key; those of read_file.
[[nodiscard]] Result<ProfilerConfig> read_profiler_config(const Context& context);

} // namespace prof
