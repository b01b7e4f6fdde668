// nearest.hpp: "did you mean": the known word that a misspelt one was probably meant to be.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace prof {

// Levenshtein distance: single-character insertions, deletions and replacements. O(|a| |b|) time, O(|b|)
// memory.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);
// The nearest of `known`, the first of equals; empty when none is within max(2, a third of the word). Words
// are compared by their first 100 bytes, so that hostile lengths cost nothing.
[[nodiscard]] std::string nearest(std::string_view word, std::span<const std::string> known);
// The nearest `most` of them, nearest first, as "a, b, c"; empty when there is none.
[[nodiscard]] std::string nearest_names(std::string_view word, std::vector<std::string> known,
                                        std::size_t most);

} // namespace prof
