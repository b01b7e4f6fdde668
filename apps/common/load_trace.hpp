// load_trace.hpp: any trace the product imports -> a sealed store. The one place where import and store meet.
#pragma once
#include "base/result.hpp"
#include "import/reader.hpp"
#include "store/store.hpp"

#include <filesystem>

namespace prof {

// Errors: those of import_trace.
[[nodiscard]] Result<Store> load_trace(const std::filesystem::path& path, ImportInfo* info = nullptr);

} // namespace prof
