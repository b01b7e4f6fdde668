// flags.hpp: what goes around CLI11: values out of a list or a range, and one line, in the reader's language,
// for each way to get a command line wrong.
#pragma once
#include "common/cli.hpp"

#include <string>
#include <vector>

namespace prof {

// A value must be one of `words`; the error lists them and names the nearest.
[[nodiscard]] CLI::Validator choice(const Context& context, std::vector<std::string> words);
// A text that `parse` takes; where it does not, the text `id`, with {text} for the value, says what it takes.
template <class Parse>
[[nodiscard]] CLI::Validator read_by(const Context& context, Parse parse, std::string_view id) {
  const Lang lang = context.lang;
  return {[=](const std::string& value) -> std::string {
            if (parse(value).ok()) return {};
            return say(lang, id, fmt::arg("text", std::string_view(value).substr(0, 100)));
          },
          "", "read_by"};
}
// A number from `lowest` to `highest`, both included.
[[nodiscard]] CLI::Validator in_range(const Context& context, double lowest, double highest);

// The line for a command line that CLI11 refused. `args` is what it was given.
[[nodiscard]] std::string explain_parse_error(const Context& context, const CLI::App& app,
                                              const CLI::ParseError& error,
                                              const std::vector<std::string>& args);
// The headings of --help in the reader's language.
void translate_help(CLI::App& app, const Context& context);

} // namespace prof
