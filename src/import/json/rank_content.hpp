// rank_content.hpp: which kinds of rows each rank of a job has, and what one lacks that others have: a rank
// whose recording was set up otherwise or cut looks as if it did less.
#pragma once
#include "trace/sink.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace prof {

struct RankContent {
  std::int64_t rank = 0;
  std::map<std::string, std::int64_t> categories, kernels, collectives, steps; // name -> how many
};

// Notes for each rank that has nothing of a category, a step or fewer calls of a collective than another
// (something is missing: all ranks take part in those), and for kernels that not all ranks ran (they may do
// different work).
void say_rank_differences(TraceSink& sink, const std::vector<RankContent>& ranks);

} // namespace prof
