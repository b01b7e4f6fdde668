#include "common/load_trace.hpp"

#include "import/reader.hpp"

namespace prof {

Result<Store> load_trace(const std::filesystem::path& path) {
  StoreBuilder builder;
  PROF_CHECK(import_trace(path, builder));
  return builder.seal();
}

} // namespace prof
