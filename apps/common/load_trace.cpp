#include "common/load_trace.hpp"

namespace prof {

Result<Store> load_trace(const std::filesystem::path& path, ImportInfo* info) {
  StoreBuilder builder;
  PROF_CHECK(import_trace(path, builder, info));
  return builder.seal();
}

} // namespace prof
