// output.hpp: where a command's result goes and in which form: one rule for every command.
#pragma once
#include "common/cli.hpp"

#include <span>
#include <string>
#include <string_view>

namespace prof {

// What --output and --format say.
struct OutputFlags {
  std::filesystem::path path; // empty or "-": standard output
  std::string format;         // wins over the suffix of `path`
  [[nodiscard]] bool is_terminal() const { return path.empty() || path == "-"; }
};

// The forms that a command writes, by their short names ("text", "yaml"); the first is the one without a file
// name.
using OutputKinds = std::span<const std::string_view>;

// Declares --output and --format. `help`: the text of --output.
void add_output_options(CLI::App& app, const Context& context, OutputFlags& flags, OutputKinds kinds,
                        std::string_view help = "opt.output");
// The form asked for, spelled as in `kinds`: --format, else the suffix (.yml .htm .txt .markdown .db .pftrace
// are second names), else the first. Error: bad_argument lists the forms and names the nearest.
[[nodiscard]] Result<std::string_view> output_kind(const Context& context, const OutputFlags& flags,
                                                   OutputKinds kinds);
// Writes the whole of `content`; notes a file in the journal. Errors: io, permission, bad_argument (a
// folder).
[[nodiscard]] Status deliver(Context& context, const std::filesystem::path& path, std::string_view content);
// deliver() for a verb's last step: says what went wrong, or "written: PATH".
[[nodiscard]] Exit deliver_report(Context& context, const std::filesystem::path& path,
                                  std::string_view content);
// Lets `write` make the file under a temporary name, which becomes `path` when it returns success. For
// writers that open files by name; others take AtomicFile.
[[nodiscard]] Status write_through_part(const std::filesystem::path& path,
                                        const std::function<Status(const std::filesystem::path&)>& write);

// Lets `write` fill a folder under a temporary name, which becomes `path` (that must not be there) when it
// returns success; else nothing is left.
[[nodiscard]] Status write_new_folder(const std::filesystem::path& path,
                                      const std::function<Status(const std::filesystem::path&)>& write);

} // namespace prof
