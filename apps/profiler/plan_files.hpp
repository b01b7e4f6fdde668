// plan_files.hpp: puts a plan and the files beside it into their folder, whole or not at all, and leaves what
// somebody wrote or edited there.
#pragma once
#include "common/cli.hpp"
#include "plan/plan.hpp"

#include <filesystem>
#include <vector>

namespace prof {

// `files`: the plan itself first, then those beside it; names within `folder`. What an earlier plan wrote and
// nobody changed is replaced, and removed where this plan has no such file; what was edited stays: with
// `may_replace` false and one of its names needed, nothing is written. Errors: bad_argument then; those of
// AtomicFile.
[[nodiscard]] Status write_plan_files(const std::vector<PlanFile>& files, const std::filesystem::path& folder,
                                      bool may_replace, Context& context);

} // namespace prof
