// similar_cases.hpp: what became of a cause when it was met before.
#pragma once
#include "base/lang.hpp"
#include "cases/case_library.hpp"
#include "rules/diagnosis.hpp"

#include <cstddef>

namespace prof {

// Fills `similar_cases` of each cause with the cards that name that cause, at most `limit`: validated cards
// first, then measured ones, then drafts; among equals by how much they share with the title of the cause and
// with the target and problem of the diagnosis. `outcome` gives the card's state and the measured changes.
void add_similar_cases(Diagnosis& diagnosis, const CaseLibrary& library, Lang lang, std::size_t limit = 3);

} // namespace prof
