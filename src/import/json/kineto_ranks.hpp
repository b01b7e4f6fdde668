// kineto_ranks.hpp: a folder with Kineto traces, one file for each rank of a job.
#pragma once
#include "base/result.hpp"
#include "trace/sink.hpp"

#include <filesystem>
#include <vector>

namespace prof::json {

// Files below `folder` that would each be read as a Kineto trace alone, packed or not. Links are not
// followed.
[[nodiscard]] std::vector<std::filesystem::path> find_kineto_files(const std::filesystem::path& folder,
                                                                   bool first_only);

// One file as it is; several as one trace, when they are ranks of one job: each states its rank
// (distributedInfo), no two the same, and they were recorded within an hour. Errors: bad_argument names the
// files that do not belong together; malformed when there are none; else that of the first file, when none
// was readable.
[[nodiscard]] Status read_kineto_folder(const std::filesystem::path& folder, TraceSink& sink);

} // namespace prof::json
