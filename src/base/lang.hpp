// lang.hpp: the message catalogue. Every text a person reads stands once, in knowledge/texts/*.yaml, in each
// language.
#pragma once
#include "base/result.hpp"

#include <cstdint>
#include <fmt/core.h>
#include <fmt/format.h>
#include <span>
#include <string>
#include <string_view>

namespace prof {

enum class Lang : std::uint8_t { en, zh };

// The language named by a LANG-like value ("zh_CN.UTF-8" -> zh); anything else is English.
[[nodiscard]] Lang lang_from(std::string_view value);

struct TextRow {
  std::string_view id; // "diagnose.no_cause"
  std::string_view en;
  std::string_view zh;
};
// All texts, sorted by id. Generated from knowledge/texts by tools/embed_knowledge.py.
[[nodiscard]] std::span<const TextRow> all_texts();

// The text `id` in `lang`. An unknown id comes back as itself, so that a gap is visible and not a crash
// (tests/base/texts_test.cpp keeps the catalogue complete). Lives for the whole program.
[[nodiscard]] std::string_view text(Lang lang, std::string_view id);

// `pattern` with the places "{n#request|requests}" replaced by the first word where the named value is 1 (or
// "1"), else by the second; the other places stay. The views and the rules read the same places (fill_in).
[[nodiscard]] std::string choose_words(std::string_view pattern, const fmt::format_args& args);

// text() with {named} or {} places filled in fmt syntax, and words that go with a number:
// say(lang, "trace.lost", fmt::arg("n", 3)) with "{n} {n#record|records} lost".
template <class... Args>
[[nodiscard]] std::string say(Lang lang, std::string_view id, const Args&... args) {
  const std::string_view pattern = text(lang, id);
  if (pattern.find('#') == std::string_view::npos) return fmt::format(fmt::runtime(pattern), args...);
  return fmt::format(fmt::runtime(choose_words(pattern, fmt::make_format_args(args...))), args...);
}

// An error whose words stand in the catalogue: each reader gets those of his language.
template <class... Args>
[[nodiscard]] Error error_said(Errc code, std::string_view id, std::string where, const Args&... args) {
  return {code, say(Lang::en, id, args...), std::move(where), say(Lang::zh, id, args...)};
}

[[nodiscard]] inline const std::string& said_in(const Error& error, Lang lang) {
  return lang == Lang::zh && !error.zh.empty() ? error.zh : error.what;
}

// A data file of knowledge/ (calls, rules, actions, metrics, cases), embedded in the program.
struct KnowledgeFile {
  std::string_view path; // "rules/queueing.yaml", relative to knowledge/
  std::string_view content;
};
// All embedded files, sorted by path. Generated, as above.
[[nodiscard]] std::span<const KnowledgeFile> knowledge_files();

} // namespace prof
