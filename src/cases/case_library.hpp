// case_library.hpp: a folder of case cards (Markdown with YAML front matter), plus those that come with the
// product.
#pragma once
#include "base/result.hpp"
#include "cases/case_card.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace prof {

struct StoredCase {
  std::string id, problem, state;
  std::vector<std::string> solution, causes; // cause ids
  std::vector<CaseFigure> figures;           // metric, unit, verdict, change
  std::string content;                       // the whole file
  std::string path;                          // empty: built in
};
struct CaseHit {
  const StoredCase* stored = nullptr; // lives as long as the library
  double score = 0;
};

// Reads one card. Errors: malformed (no front matter, wrong schema, an id that is no file name).
[[nodiscard]] Result<StoredCase> parse_case(std::string_view content, std::string_view where);

// Where a workspace keeps its cards.
[[nodiscard]] std::filesystem::path case_folder(const std::filesystem::path& workspace);

class CaseLibrary {
public:
  // A folder that is not there is an empty library. Cards that cannot be read are left out and named in
  // `unreadable`.
  [[nodiscard]] static Result<CaseLibrary> open(const std::filesystem::path& folder);
  [[nodiscard]] const std::vector<StoredCase>& cases() const { return cases_; }
  [[nodiscard]] const std::vector<std::string>& unreadable() const { return unreadable_; }
  // Best first; only cards that share a word with the query (BM25, k1 1.2, b 0.75; Chinese text by pairs of
  // characters).
  [[nodiscard]] std::vector<CaseHit> search(std::string_view query, std::size_t limit) const;
  // Writes the card as FOLDER/<id>.md. Errors: malformed, bad_argument (another card of this id, unless
  // `may_replace`), io.
  [[nodiscard]] Status add(std::string_view content, std::string_view where, bool may_replace);

private:
  std::filesystem::path folder_;
  std::vector<StoredCase> cases_;
  std::vector<std::string> unreadable_;
};

// The words that search compares, lower case.
[[nodiscard]] std::vector<std::string> search_words(std::string_view text);

} // namespace prof
