#include "common/journal_hook.hpp"

namespace prof {

void record_in_journal(const Context&, int) {}

} // namespace prof
