#include "import/json/kineto_ranks.hpp"

#include "base/lang.hpp"
#include "import/decompress.hpp"
#include "import/json/event_lanes.hpp"
#include "import/json/event_scanner.hpp"
#include "import/json/torch_events.hpp"
#include "import/json/trace_event.hpp"
#include "import/one_job.hpp"
#include "import/rank_sink.hpp"
#include "import/reader.hpp"
#include "import/reader_words.hpp"
#include "trace/chrome_words.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <fstream>
#include <optional>

namespace prof::json {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kHead = std::size_t{64} * 1024;
constexpr std::size_t kEnds =
    std::size_t{256} * 1024; // of a file, where its facts stand: before or behind the events
constexpr std::size_t kLongestPreface = std::size_t{4} << 20;
constexpr std::string_view kChromeJson = "chrome_json"; // the reader of a file alone
constexpr std::string_view kEvents = "\"traceEvents\"";
constexpr std::array<std::string_view, 2> kKinetoWords = {"\"schemaVersion\"", "\"distributedInfo\""};
constexpr int kMaxDepth = 3; // TensorBoard: plugins/profile/RUN/*.pt.trace.json
constexpr int kMaxEntries = 20'000;
constexpr std::size_t kMaxRanks = 1024;
constexpr std::size_t kFewestPairs = 3;           // of collectives, for a difference of clocks
constexpr std::int64_t kClockApartNs = 1'000'000; // more than collectives of one machine end apart

// Bytes of the file from `from` on.
std::string bytes_of(const fs::path& path, std::int64_t from, std::size_t size) {
  std::ifstream file(path, std::ios::binary);
  file.seekg(from);
  std::string bytes(size, '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  return bytes;
}

bool has(std::string_view text, std::string_view word) {
  return text.find(word) != std::string_view::npos;
}

std::string beginning_of(const fs::path& path, std::size_t size) {
  std::string head = bytes_of(path, 0, size);
  const Packing packing = packing_of(head);
  return packing == Packing::none ? head : unpacked_head(head, packing, size);
}

// Whether the file alone would be read as Kineto's. Nearly any JSON object may be, as events may stand behind
// a long preface: here they have to be seen.
bool is_kineto(const fs::path& path) {
  const std::string head = beginning_of(path, kHead);
  const Reader* reader = reader_of(head, path, false);
  if (reader == nullptr || reader->name != kChromeJson) return false;
  if (has(head, fmt::format("\"{}\"", words::kLedger))) return false; // an export of ours is no rank
  if (head[head.find_first_of("[{")] == '[') return true; // events alone, and their reader has seen one
  return std::ranges::any_of(kKinetoWords, [&](std::string_view word) { return has(head, word); }) ||
         has(beginning_of(path, kLongestPreface), kEvents);
}

void find_in(const fs::path& folder, int depth, int& left, bool first_only, std::vector<fs::path>& out) {
  std::error_code error;
  std::vector<fs::path> folders;
  for (fs::directory_iterator at(folder, error), end; !error && at != end && left > 0; at.increment(error)) {
    --left;
    const fs::file_status status = at->symlink_status(error);
    if (fs::is_directory(status)) folders.push_back(at->path());
    if (!fs::is_regular_file(status)) continue;
    if (is_kineto(at->path())) out.push_back(at->path());
    if (first_only && !out.empty()) return;
  }
  std::ranges::sort(folders);
  for (const fs::path& next : folders)
    if (depth < kMaxDepth && left > 0 && !(first_only && !out.empty()))
      find_in(next, depth + 1, left, first_only, out);
}

// What stands behind `key` in the text; nullopt: no number does.
std::optional<std::int64_t> number_behind(std::string_view text, std::string_view key) {
  const std::size_t at = text.find(key);
  std::int64_t number = 0;
  if (at == std::string_view::npos || !number_in(text.substr(at + key.size(), 40), number))
    return std::nullopt;
  return number;
}

std::optional<std::int64_t> first_time(std::string_view text) {
  constexpr std::string_view kKey = "\"ts\":";
  for (std::size_t at = text.find(kKey); at != std::string_view::npos; at = text.find(kKey, at + 1)) {
    const std::size_t begin = text.find_first_not_of(" \"", at + kKey.size());
    if (begin == std::string_view::npos) return std::nullopt;
    const std::size_t end = text.find_first_not_of("0123456789.", begin);
    std::int64_t ns = 0;
    if (ns_from_us(text.substr(begin, end - begin), ns) && ns > 0) return ns;
  }
  return std::nullopt;
}

struct File {
  fs::path path;                        // as the user has it
  std::optional<UnpackedFile> unpacked; // of a packed one
  std::optional<std::int64_t> rank, first_ns;
  std::int64_t base_ns = 0; // of its times
  [[nodiscard]] const fs::path& plain() const { return unpacked ? unpacked->file.path() : path; }
};

void read_facts(File& file) {
  std::error_code error;
  const auto size = static_cast<std::int64_t>(fs::file_size(file.plain(), error));
  if (error) return;
  std::string text = bytes_of(file.plain(), 0, kEnds);
  const auto behind = std::max<std::int64_t>(std::ssize(text), size - static_cast<std::int64_t>(kEnds));
  file.first_ns = first_time(text);
  text += '\n' + bytes_of(file.plain(), behind, kEnds);
  if (const std::size_t at = text.find("\"distributedInfo\""); at != std::string::npos)
    file.rank = number_behind(std::string_view(text).substr(at, 4096), "\"rank\"");
  file.base_ns = number_behind(text, "\"baseTimeNanoseconds\"").value_or(0);
  if (file.first_ns && __builtin_add_overflow(*file.first_ns, file.base_ns, &*file.first_ns))
    file.first_ns = {};
}

Result<File> opened(const fs::path& path) {
  File file{.path = path, .unpacked = {}, .rank = {}, .first_ns = {}};
  const Packing packing = packing_of(bytes_of(path, 0, 16));
  if (packing != Packing::none) {
    std::error_code error;
    const auto size = static_cast<std::int64_t>(fs::file_size(path, error));
    PROF_TRY(file.unpacked, decompress_to_temp(path, packing, most_unpacked(error ? 0 : size)));
  }
  read_facts(file);
  return file;
}

Status read_one(const File& file, TraceSink& sink) {
  PROF_CHECK(read_torch_events(file.plain(), sink));
  say_note(sink, Severity::data_loss, "note.import.packed_cut",
           file.unpacked && file.unpacked->is_cut ? 1 : 0, file.path.filename().string());
  return {};
}

// --- clocks

using Ends = std::map<std::string, std::vector<std::int64_t>>;

// How much later the n-th collective of a name ended on one rank than on another; only where both have as
// many.
std::vector<std::int64_t> differences(const Ends& of, const Ends& from) {
  std::vector<std::int64_t> out;
  for (const auto& [name, ends] : of) {
    const auto other = from.find(name);
    if (other == from.end() || other->second.size() != ends.size()) continue;
    std::vector<std::int64_t> a = ends, b = other->second;
    std::ranges::sort(a);
    std::ranges::sort(b);
    for (std::size_t i = 0; i < a.size(); ++i)
      if (std::int64_t ns = 0; !__builtin_sub_overflow(a[i], b[i], &ns)) out.push_back(ns);
  }
  std::ranges::sort(out);
  return out;
}

// Each file's times are its host's clock. Collectives end on all ranks at about the same time: how far apart
// they end says how well the clocks agree. Nothing is moved by it: a rank that was slow to notice the end
// looks the same.
void compare_clocks(TraceSink& sink, std::int64_t rank, const Ends& of, const Ends& first) {
  const std::vector<std::int64_t> apart = differences(of, first);
  const auto say = [&](std::string_view key, std::int64_t value) {
    sink.metadata(fmt::format("kineto.rank{}.{}", rank, key), fmt::format("{}", value));
  };
  say("clock_pairs", std::ssize(apart));
  if (apart.size() < kFewestPairs)
    return say_note(sink, Severity::info, "note.kineto.clock_unchecked", 1, fmt::format("rank {}", rank));
  const std::int64_t median = apart[apart.size() / 2];
  const std::int64_t spread = apart[apart.size() * 3 / 4] - apart[apart.size() / 4];
  say("clock_difference_ns", median);
  say("clock_difference_spread_ns", spread);
  if (std::abs(median) > std::max(kClockApartNs, spread))
    say_note(sink, Severity::notice, "note.kineto.clocks_apart", 1,
             fmt::format("rank {}: {} ns", rank, median));
}

Status read_ranks(std::vector<File>& files, TraceSink& sink) {
  std::ranges::sort(files, {}, [](const File& file) { return *file.rank; });
  RankNumbers taken;
  std::optional<Ends> first;
  std::vector<RankContent> contents;
  std::optional<std::int64_t> start_realtime_ns;
  Status failure;
  std::int64_t read = 0;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const std::int64_t number = *files[i].rank;
    std::int64_t shift = 0;
    if (__builtin_sub_overflow(files[i].base_ns, files.front().base_ns, &shift)) shift = 0;
    RankSink rank(sink, taken, {.number = number, .order = static_cast<std::int64_t>(i), .shift_ns = shift});
    Status status = read_one(files[i], rank);
    rank.finish();
    const std::string name = files[i].path.filename().string();
    files[i].unpacked.reset(); // gives the room back
    if (!status) {
      say_note(sink, Severity::data_loss, "note.kineto.rank_not_read", 1, name);
      if (failure) failure = std::move(status).error().at(name);
      continue;
    }
    ++read;
    contents.push_back(rank.content());
    sink.metadata(fmt::format("kineto.rank{}.file", number), name);
    if (rank.start_realtime_ns())
      start_realtime_ns =
          std::min(start_realtime_ns.value_or(*rank.start_realtime_ns()), *rank.start_realtime_ns());
    if (first)
      compare_clocks(sink, number, rank.collective_ends(), *first);
    else
      first = rank.collective_ends();
  }
  if (read == 0) return failure;
  say_rank_differences(sink, contents);
  if (start_realtime_ns) sink.metadata("start_realtime_ns", fmt::format("{}", *start_realtime_ns));
  sink.metadata("kineto.ranks", fmt::format("{}", read));
  sink.metadata("kineto.clock", "each file's own host clock (baseTimeNanoseconds + ts), not moved");
  return {};
}

} // namespace

std::vector<fs::path> find_kineto_files(const fs::path& folder, bool first_only) {
  std::vector<fs::path> out;
  int left = kMaxEntries;
  find_in(folder, 0, left, first_only, out);
  std::ranges::sort(out);
  return out;
}

Status read_kineto_folder(const fs::path& folder, TraceSink& sink) {
  const std::vector<fs::path> paths = find_kineto_files(folder, false);
  if (paths.empty()) return error_said(Errc::malformed, "error.no_kineto", {});
  std::vector<std::string> names;
  for (const fs::path& path : paths)
    names.push_back(path.lexically_relative(folder).string());
  if (paths.size() > kMaxRanks) return not_one_job({names.begin(), names.begin() + kMaxRanks});
  std::vector<File> files;
  std::vector<RankClaim> claims;
  bool are_stated = true;
  for (const fs::path& path : paths) {
    PROF_TRY(File file, opened(path));
    are_stated = are_stated && file.rank;
    claims.push_back({.rank = file.rank, .at_ns = file.first_ns});
    files.push_back(std::move(file));
  }
  if (files.size() == 1) return read_one(files.front(), sink);
  if (!are_stated || !are_of_one_job(claims)) return not_one_job(names);
  return read_ranks(files, sink);
}

} // namespace prof::json
