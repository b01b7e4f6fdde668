// journal_hook.hpp: writes what a command used and made to the workspace's journal.
#pragma once
#include "common/cli.hpp"

namespace prof {

// Appends one entry when the command named inputs or outputs and --no_journal was not given. A journal that
// cannot be written is a warning, never a failure of the command.
void record_in_journal(const Context& context, int exit_status);

} // namespace prof
