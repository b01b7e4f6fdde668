#pragma once
#include "common/cli.hpp"
#include <span>
namespace prof {
// Every verb of apps/runtime/verbs/, generated from the file names.
[[nodiscard]] std::span<const Verb* const> all_verbs();
} // namespace prof
