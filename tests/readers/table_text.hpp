// table_text.hpp: the tables of a store as lines of text without row ids, so that two traces can be compared
// however their rows are numbered.
#pragma once
#include "store/store.hpp"

#include <map>
#include <string>
#include <vector>

namespace prof::testing {

using Lines = std::vector<std::string>; // sorted
using TableText = std::map<std::string, Lines, std::less<>>;

// Every table with every value of it; what the store derives (depth, parents, launches, requests) too.
[[nodiscard]] TableText table_text(const Store& store);

// Only what a reader gives for each event, under names that do not change when the rest of a file is cut off:
// slices, kernels, samples, counters. `has_names`: with their names, which some formats hold at their end.
[[nodiscard]] TableText events_text(const Store& store, bool has_names);

// Empty when equal; else the first differing line of each table that differs. Tables named in `but` are left
// out.
[[nodiscard]] std::string difference(const TableText& a, const TableText& b, const Lines& but = {});

// Lines of `part` that `whole` lacks, counted over all tables.
[[nodiscard]] Lines missing(const TableText& part, const TableText& whole);

[[nodiscard]] std::size_t row_count(const TableText& tables);

} // namespace prof::testing
