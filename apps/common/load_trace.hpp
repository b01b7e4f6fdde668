// load_trace.hpp: any trace the product imports -> a sealed store. The one place where import and store meet.
#pragma once
#include "base/result.hpp"
#include "common/cli.hpp"
#include "import/reader.hpp"
#include "store/store.hpp"
#include "tracefile/writer.hpp"

#include <filesystem>

namespace prof {

// Errors: those of import_trace.
[[nodiscard]] Result<Store> load_trace(const std::filesystem::path& path, ImportInfo* info = nullptr);

// Says in one line, next to the command's result, that the trace was cut, damaged or lost records. Under
// --strict such a result is a partial one: Exit::partial, else Exit::ok.
Exit tell_losses(const Context& context, const std::filesystem::path& path, const Store& store);

// Says in one line what a written .pb file could not take.
void tell_unwritten(const Context& context, const WriterStats& stats);

} // namespace prof
