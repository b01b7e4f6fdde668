// trace_output.hpp: what a recording may take the place of.
#pragma once
#include "common/cli.hpp"

#include <filesystem>

namespace prof {

// Errors: bad_argument for a suffix that is no trace's, and for a file that is no trace of ours: it is left
// as it is; io while another recording writes it.
[[nodiscard]] Status check_trace_output(const Context& context, const std::filesystem::path& path);
// For a recording that was given no name: the one that bears the default name gets a second one,
// trace.old.pb, which it keeps when the new one takes the first. Errors: as above, for that name.
[[nodiscard]] Status keep_earlier(const Context& context, const std::filesystem::path& path);

} // namespace prof
