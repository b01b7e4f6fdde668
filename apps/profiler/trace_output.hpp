// trace_output.hpp: what a recording may take the place of.
#pragma once
#include "common/cli.hpp"

#include <filesystem>

namespace prof {

// Errors: bad_argument for a suffix that is no trace's, and for a file that is no trace of ours: it is left
// as it is; io while another recording writes it.
[[nodiscard]] Status check_trace_output(const Context& context, const std::filesystem::path& path);
// The error of a name that another recording has.
[[nodiscard]] Error output_busy(const Context& context, const std::filesystem::path& path);
// Error bad_argument: a pipe or a device, where a file is needed that can grow and be left as it is.
[[nodiscard]] Status check_grows(const Context& context, const std::filesystem::path& path);
// Whether a file may be made there, without making it. Errors: those of AtomicFile.
[[nodiscard]] Status check_writable(const std::filesystem::path& path);
// For a recording that was given no name: the one that bears the default name gets a second one,
// trace.old.pb, which it keeps when the new one takes the first. Errors: as above, for that name.
[[nodiscard]] Status keep_earlier(const Context& context, const std::filesystem::path& path);

} // namespace prof
