// walk.hpp: the files below a folder that somebody named, who may have named anything: "/", /proc, a folder
// with pipes and devices in it.
#pragma once
#include "base/result.hpp"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace prof {

// Whether `path` lies in a file system that the kernel makes up (proc, sys, tracing, cgroup ...): its files
// have no end or wait for events, and none is a trace.
[[nodiscard]] bool is_kernel_made(const std::filesystem::path& path);

// The regular files below `folder`, sorted. A link to a file counts, one to a folder is not followed; what
// the kernel makes up is left out. Errors: io; budget when there are more than `most_entries` names.
[[nodiscard]] Result<std::vector<std::filesystem::path>> files_below(const std::filesystem::path& folder,
                                                                     std::int64_t most_entries = 200'000);

// Those of them that can be part of a trace: without what our own commands write beside a trace and no reader
// of a folder takes (reports, pages, plans with their scripts, recordings, the journal). Else a report in the
// folder of its trace would make it another trace. Errors: those of files_below.
[[nodiscard]] Result<std::vector<std::filesystem::path>>
trace_files_below(const std::filesystem::path& folder);

// Whether a file at `path`, which need not be there, would be `folder` itself or part of the trace that it
// is; or is what a link in it leads to.
[[nodiscard]] bool is_of_folder(const std::filesystem::path& path, const std::filesystem::path& folder);

} // namespace prof
