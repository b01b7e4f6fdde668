// torch_events.hpp: Kineto (torch.profiler) and plain Chrome trace events as rows of the model.
#pragma once
#include "base/result.hpp"
#include "trace/sink.hpp"

#include <filesystem>

namespace prof::json {

// Errors: those of stream_events.
[[nodiscard]] Status read_torch_events(const std::filesystem::path& path, TraceSink& sink);

} // namespace prof::json
