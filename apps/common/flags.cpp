#include "common/flags.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <utility>

namespace prof {
namespace {

std::string list_of(const std::vector<std::string>& words) {
  std::string list;
  for (const std::string& word : words)
    list += (list.empty() ? "" : ", ") + word;
  return list;
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames())
      names.push_back("--" + name);
  return names;
}

std::string unknown_option(const Context& context, const std::string& option,
                           const std::vector<std::string>& known) {
  const std::string near = nearest(option, known);
  return near.empty() ? say(context.lang, "cli.unknown_option", fmt::arg("option", option))
                      : say(context.lang, "cli.unknown_option_near", fmt::arg("option", option),
                            fmt::arg("near", near));
}

// "A: B" -> {"A", "B"}: how CLI11 puts the option's name before what is wrong with it.
std::pair<std::string, std::string> split_message(const std::string& message, std::string_view mark) {
  const auto at = message.find(mark);
  if (at == std::string::npos) return {message, {}};
  return {message.substr(0, at), message.substr(at + mark.size())};
}

std::string explain_mismatch(Lang lang, const std::string& message) {
  const auto [option, what] = split_message(message, ": ");
  const bool is_surplus = what.starts_with("At Most");
  return say(lang, is_surplus ? "cli.given_twice" : "cli.no_value", fmt::arg("option", option));
}

std::string explain_conversion(Lang lang, const std::string& message) {
  constexpr std::string_view kOpening = "Could not convert: ";
  if (!message.starts_with(kOpening)) return message;
  const auto [option, value] = split_message(message.substr(kOpening.size()), " = ");
  return say(lang, "cli.no_number", fmt::arg("option", option), fmt::arg("value", value));
}

} // namespace

CLI::Validator choice(const Context& context, std::vector<std::string> words) {
  const std::string list = list_of(words);
  const Lang lang = context.lang;
  return {[known = std::move(words), lang](const std::string& value) -> std::string {
            if (std::ranges::find(known, value) != known.end()) return {};
            const std::string near = nearest(value, known);
            return say(lang, near.empty() ? "cli.bad_choice" : "cli.bad_choice_near",
                       fmt::arg("value", value), fmt::arg("near", near), fmt::arg("known", list_of(known)));
          },
          "{" + list + "}", "choice"};
}

CLI::Validator in_range(const Context& context, double lowest, double highest) {
  const Lang lang = context.lang;
  return {[=](const std::string& text) -> std::string {
            double value = 0;
            const char* end = text.data() + text.size();
            const auto [stop, error] = std::from_chars(text.data(), end, value);
            if (error == std::errc{} && stop == end && value >= lowest && value <= highest) return {};
            return say(lang, "cli.bad_range", fmt::arg("value", text), fmt::arg("lowest", lowest),
                       fmt::arg("highest", highest));
          },
          fmt::format("{}..{}", lowest, highest), "range"};
}

std::string explain_parse_error(const Context& context, const CLI::App& app, const CLI::ParseError& error,
                                const std::vector<std::string>& args) {
  const auto known = option_names(app);
  for (const std::string& arg : args) {
    if (arg == "--") break;
    const std::string name = arg.substr(0, arg.find('='));
    if (name.starts_with("--") && std::ranges::find(known, name) == known.end())
      return unknown_option(context, name, known);
  }
  const std::string message = error.what();
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    const auto extra = app.remaining();
    const std::string word = extra.empty() ? "" : extra.front();
    if (word.starts_with('-')) return unknown_option(context, word, known);
    return say(context.lang, "cli.surplus", fmt::arg("word", word));
  }
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr)
    return say(context.lang, "cli.required",
               fmt::arg("option", split_message(message, " is required").first));
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr)
    return explain_mismatch(context.lang, message);
  if (dynamic_cast<const CLI::ConversionError*>(&error) != nullptr)
    return explain_conversion(context.lang, message);
  return message;
}

void translate_help(CLI::App& app, const Context& context) {
  const auto formatter = std::make_shared<CLI::Formatter>();
  for (const char* label :
       {"Usage", "OPTIONS", "Positionals", "REQUIRED", "TEXT", "INT", "UINT", "FLOAT", "BOOLEAN"})
    formatter->label(label, std::string(text(context.lang, fmt::format("cli.help.{}", label))));
  app.formatter(formatter);
  app.option_defaults()->group(std::string(text(context.lang, "cli.help.Options")));
}

} // namespace prof
