#include "cases/case_library.hpp"

#include "base/file.hpp"
#include "base/lang.hpp"
#include "cases/yaml_reading.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace prof {
namespace {

constexpr std::int64_t kMostCardBytes = 1 << 20;
constexpr std::size_t kMostCards = 100'000;
constexpr double kSaturation = 1.2, kLength = 0.75; // Robertson & Zaragoza 2009, usual values

} // namespace

Result<StoredCase> parse_case(std::string_view content, std::string_view where) {
  const auto bad = [&](std::string_view id) { return error_said(Errc::malformed, id, std::string(where)); };
  if (!content.starts_with("---\n")) return bad("cases.no_front_matter");
  const std::size_t end = content.find("\n---\n", 3);
  if (end == std::string_view::npos) return bad("cases.front_matter_open");
  PROF_TRY(const YAML::Node head, detail::parse_yaml(content.substr(4, end - 3), where));
  if (detail::text_at(head, "schema") != "cann-profiler/case/1") return bad("cases.other_schema");
  StoredCase out;
  out.id = detail::text_at(head, "id"), out.problem = detail::text_at(head, "problem"),
  out.state = detail::text_at(head, "state");
  if (out.id.empty() || slug(out.id) != out.id) return bad("cases.bad_id");
  out.solution = detail::list_at(head, "solution");
  for (const YAML::Node& cause : detail::items_at(head, "causes"))
    out.causes.push_back(detail::text_at(cause, "id"));
  for (const YAML::Node& metric : detail::items_at(head, "metrics"))
    out.figures.push_back({.metric = detail::text_at(metric, "id"),
                           .unit = detail::text_at(metric, "unit"),
                           .verdict = detail::text_at(metric, "verdict"),
                           .change = detail::number_at(metric, "change")});
  out.content = std::string(content);
  return out;
}

std::filesystem::path case_folder(const std::filesystem::path& workspace) {
  return workspace / ".profiler" / "cases";
}

Result<CaseLibrary> CaseLibrary::open(const std::filesystem::path& folder) {
  CaseLibrary out;
  out.folder_ = folder;
  for (const KnowledgeFile& file : knowledge_files())
    if (file.path.starts_with("cases/") && file.path.ends_with(".md"))
      if (auto card = parse_case(file.content, file.path)) out.cases_.push_back(*std::move(card));
  std::error_code error;
  std::vector<std::filesystem::path> paths;
  if (std::filesystem::is_directory(folder, error)) {
    for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
      if (at->path().extension() == ".md" && paths.size() < kMostCards) paths.push_back(at->path());
    if (error)
      return Error{error == std::errc::permission_denied ? Errc::permission : Errc::io, error.message(),
                   folder.string()};
  }
  std::ranges::sort(paths);
  for (const auto& path : paths) {
    const auto content = read_file(path, kMostCardBytes);
    auto card = content ? parse_case(*content, path.string()) : Result<StoredCase>(content.error());
    if (card) {
      card->path = path.string();
      out.cases_.push_back(*std::move(card));
    } else {
      out.unreadable_.push_back(path.filename().string() + ": " + card.error().what);
    }
  }
  return out;
}

std::vector<std::string> search_words(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  std::string
      wide; // the character before, when it was a wide one: CJK text has no blanks, pairs stand for words
  const auto end_word = [&] {
    if (!word.empty()) words.push_back(std::move(word));
    word.clear();
  };
  for (std::size_t i = 0; i < text.size();) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c < 0x80) {
      wide.clear();
      if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
        word += text[i];
      else if (c >= 'A' && c <= 'Z')
        word += static_cast<char>(c + 32);
      else
        end_word();
      if (word.size() > 64) end_word();
      ++i;
      continue;
    }
    end_word();
    const std::size_t length = std::min<std::size_t>(c >= 0xF0   ? 4
                                                     : c >= 0xE0 ? 3
                                                     : c >= 0xC0 ? 2
                                                                 : 1,
                                                     text.size() - i);
    const std::string character(text.substr(i, length));
    if (!wide.empty()) words.push_back(wide + character);
    wide = character;
    i += length;
  }
  end_word();
  return words;
}

std::vector<CaseHit> CaseLibrary::search(std::string_view query, std::size_t limit) const {
  std::vector<std::map<std::string, double>> counts(cases_.size());
  std::vector<double> lengths(cases_.size());
  double total = 0;
  for (std::size_t i = 0; i < cases_.size(); ++i) {
    const auto words = search_words(cases_[i].content);
    for (const std::string& word : words)
      counts[i][word] += 1;
    total += lengths[i] = static_cast<double>(words.size());
  }
  const double average = cases_.empty() ? 1 : std::max(1.0, total / static_cast<double>(cases_.size()));
  const auto asked = search_words(query);
  std::vector<CaseHit> hits;
  for (std::size_t i = 0; i < cases_.size(); ++i)
    hits.push_back({&cases_[i], 0});
  for (const std::string& word : std::set<std::string>(asked.begin(), asked.end())) {
    const double holders =
        static_cast<double>(std::ranges::count_if(counts, [&](const auto& c) { return c.contains(word); }));
    const double rarity =
        std::log(1 + (static_cast<double>(cases_.size()) - holders + 0.5) / (holders + 0.5));
    for (std::size_t i = 0; i < cases_.size(); ++i) {
      const auto found = counts[i].find(word);
      if (found == counts[i].end()) continue;
      hits[i].score += rarity * found->second * (kSaturation + 1) /
                       (found->second + kSaturation * (1 - kLength + kLength * lengths[i] / average));
    }
  }
  std::erase_if(hits, [](const CaseHit& hit) { return hit.score <= 0; });
  std::ranges::stable_sort(hits, [](const CaseHit& a, const CaseHit& b) { return a.score > b.score; });
  if (hits.size() > limit) hits.resize(limit);
  return hits;
}

Status CaseLibrary::add(std::string_view content, std::string_view where, bool may_replace) {
  PROF_TRY(StoredCase card, parse_case(content, where));
  const auto path = folder_ / (card.id + ".md");
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  if (error)
    return Error{error == std::errc::permission_denied ? Errc::permission : Errc::io, error.message(),
                 folder_.string()};
  if (!may_replace && std::filesystem::exists(path, error))
    if (const auto old = read_file(path, kMostCardBytes); !old || *old != content)
      return error_said(Errc::bad_argument, "cases.same_id", path.string());
  PROF_CHECK(write_file(path, content));
  card.path = path.string();
  std::erase_if(cases_, [&](const StoredCase& c) { return c.id == card.id; });
  cases_.push_back(std::move(card));
  return {};
}

} // namespace prof
