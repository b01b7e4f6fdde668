#include "import/ascend/folder.hpp"

#include "base/file.hpp"
#include "base/lang.hpp"
#include "base/walk.hpp"
#include "import/ascend/kernel_details.hpp"
#include "import/json/event_lanes.hpp"
#include "import/json/event_scanner.hpp"
#include "import/one_job.hpp"
#include "import/sqlite/sqlite_file.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <system_error>

namespace prof::ascend {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxDepth = 5;          // parent of ranks / rank / PROF_* / mindstudio_profiler_output
constexpr int kMaxEntries = 20'000;   // raw data beside the results comes in thousands of slices
constexpr std::size_t kHead = 16'384; // a header line of 60 columns takes 1.2 KiB

std::string head_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string head(kHead, '\0');
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(file.gcount()));
  return head;
}

bool is_trace(std::string_view head) {
  const auto has = [&](std::string_view word) { return head.find(word) != std::string_view::npos; };
  if (!has("\"ph\"") || !has("\"ts\"")) return has("\"process_name\"") && has("Ascend Hardware");
  // Times are text in this format, and in no other that is known.
  const bool has_text_times = has("\"ts\": \"") || has("\"ts\":\"");
  constexpr std::array<std::string_view, 9> kMarks{"Fwd thread id", "Ascend Hardware", "AscendCL@",
                                                   "async_npu",     "Dequeue@",        "Task Type",
                                                   "HostToDevice",  "Node@launch",     "\"CANN\""};
  return has_text_times && std::ranges::any_of(kMarks, has);
}

FileKind kind_of_table(std::string_view head) {
  const std::vector<std::string> titles = header_cells(head);
  const auto has = [&](std::string_view title) { return std::ranges::find(titles, title) != titles.end(); };
  if (KernelDetails::is_header(head)) return FileKind::kernels;
  const auto has_memory = [&](std::string_view title) {
    return has(fmt::format("{}(MB)", title)) || has(fmt::format("{}(KB)", title));
  };
  if (has("Component") && has("Timestamp(us)") && has_memory("Total Reserved")) return FileKind::memory;
  if (has("Step") && has("Computing") && has("Communication(Not Overlapped)")) return FileKind::steps;
  if (has("Host Self Duration(us)") || has("API Name") || has("Core Type")) return FileKind::summary;
  return has("Hit Rate") || has("Allocation Time(us)") ? FileKind::extra : FileKind::unknown;
}

// The link leads to a file inside `root`: people gather files by links, but what lies outside was not given
// to us to read.
bool stays_inside(const fs::path& link, const fs::path& root) {
  std::error_code error;
  const fs::path target = fs::canonical(link, error);
  if (error || !fs::is_regular_file(target, error)) return false;
  const fs::path way = target.lexically_relative(fs::canonical(root, error));
  return !error && !way.empty() && *way.begin() != "..";
}

// Goes through the folders below `root` without following links to folders: a link to a parent would never
// end.
template <class Take>
void walk(const fs::path& root, const fs::path& folder, int depth, int& left, Take take) {
  std::error_code error;
  std::vector<fs::path> folders, files;
  for (fs::directory_iterator at(folder, error), end; !error && at != end && left > 0; at.increment(error)) {
    --left;
    const fs::file_status status = at->symlink_status(error);
    if (fs::is_directory(status) && !is_kernel_made(at->path())) folders.push_back(at->path());
    const bool is_file =
        fs::is_regular_file(status) || (fs::is_symlink(status) && stays_inside(at->path(), root));
    if (is_file) files.push_back(at->path());
    error.clear();
  }
  std::ranges::sort(files);
  std::ranges::sort(folders);
  if (!take(folder, files)) {
    left = 0;
    return;
  }
  for (const fs::path& next : folders)
    if (depth < kMaxDepth && left > 0) walk(root, next, depth + 1, left, take);
}

void add(RankFolder& rank, FileKind kind, const fs::path& file) {
  RankFiles& files = rank.files;
  const auto once = [&](fs::path& slot) {
    if (slot.empty())
      slot = file;
    else
      rank.repeated.push_back(file.filename().string());
  };
  switch (kind) {
  case FileKind::kernels:
    files.kernels.push_back(file);
    break;
  case FileKind::trace:
    files.traces.push_back(file);
    break;
  case FileKind::memory:
    files.memory.push_back(file);
    break;
  case FileKind::steps:
    once(files.steps);
    break;
  case FileKind::info:
    once(files.info);
    break;
  case FileKind::metadata:
    once(files.metadata);
    break;
  case FileKind::database:
    if (is_profile_database(file))
      once(files.database);
    else
      rank.repeated.push_back(file.filename().string());
    break;
  case FileKind::summary:
    rank.repeated.push_back(file.filename().string());
    break;
  case FileKind::extra:
    rank.not_read.push_back(file.filename().string());
    break;
  case FileKind::unknown:
    break;
  }
}

bool has_data(const RankFiles& files) {
  return !files.kernels.empty() || !files.traces.empty() || !files.database.empty();
}

void add_info_in(const fs::path& folder, RankFolder& rank) {
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const bool is_file = fs::is_regular_file(at->symlink_status(error));
    if (!is_file || at->path().extension() != ".json") continue;
    const FileKind kind = kind_of(head_of(at->path()));
    if (kind == FileKind::info && rank.files.info.empty()) rank.files.info = at->path();
    if (kind == FileKind::metadata && rank.files.metadata.empty()) rank.files.metadata = at->path();
  }
}

// profiler_info stands one or two folders above the results; above what the user named, one at most.
void add_info(const fs::path& root, RankFolder& rank) {
  std::error_code error;
  fs::path folder = fs::absolute(rank.path, error);
  const fs::path top = fs::absolute(root, error).parent_path();
  for (int up = 0; up < 3 && rank.files.info.empty() && folder != top && folder.has_relative_path(); ++up) {
    folder = folder.parent_path();
    add_info_in(folder, rank);
  }
}

int completeness(const RankFiles& files) {
  return (files.kernels.empty() ? 0 : 1) + (files.traces.empty() ? 0 : 1) + (files.database.empty() ? 0 : 1);
}

// msprof puts its database above the folder with its text.
bool is_other_half(const RankFolder& outer, const RankFolder& inner) {
  return inner.path.parent_path() == outer.path && outer.files.kernels.empty() &&
         outer.files.traces.empty() && inner.files.database.empty() && inner.files.info.empty();
}

// One process may leave its results twice, once more under a folder of the lower-level tool.
void add_rank(std::vector<RankFolder>& kept, RankFolder rank) {
  for (RankFolder& other : kept) {
    if (is_other_half(other, rank)) {
      other.files.kernels = std::move(rank.files.kernels);
      other.files.traces = std::move(rank.files.traces);
      other.files.memory = std::move(rank.files.memory);
      other.not_read.insert(other.not_read.end(), rank.not_read.begin(), rank.not_read.end());
      return;
    }
    if (rank.files.info.empty() || other.files.info != rank.files.info) continue;
    if (completeness(rank.files) > completeness(other.files)) std::swap(rank, other);
    other.repeated.push_back(rank.path.filename().string());
    return;
  }
  kept.push_back(std::move(rank));
}

// What profiler_info and profiler_metadata say.
struct Facts {
  std::optional<std::int64_t> rank;
  std::optional<std::int64_t> end_ns; // when its recording ended, on the clock of the day
  std::vector<std::pair<std::string, std::string>> metadata;
};

std::string plain(const nlohmann::json& value) {
  return value.is_string() ? value.get<std::string>()
                           : value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

nlohmann::json object_in(const fs::path& path) {
  constexpr std::int64_t kMax = std::int64_t{16} << 20;
  if (path.empty()) return {};
  constexpr int kMaxNesting = 64; // writing a value out again recurses
  const auto text = read_file(path, kMax);
  const auto is_shallow = [](int depth, nlohmann::json::parse_event_t, nlohmann::json&) {
    return depth < kMaxNesting;
  };
  return text ? nlohmann::json::parse(*text, is_shallow, false) : nlohmann::json{};
}

Facts facts_of(const RankFiles& files) {
  Facts facts;
  const auto keep = [&](const nlohmann::json& from, const char* key, const char* as) {
    constexpr std::size_t kMaxText = 4096;
    if (!from.is_object() || !from.contains(key)) return;
    std::string text = plain(from[key]);
    if (text.size() <= kMaxText) facts.metadata.emplace_back(as, std::move(text));
  };
  const nlohmann::json info = object_in(files.info);
  if (info.is_object()) {
    if (info.contains("rank_id")) {
      std::int64_t number = 0; // an int in older files, text in newer ones; -1 = the only one
      const std::string text = plain(info["rank_id"]);
      if (!text.starts_with('-') && json::number_in(text, number)) facts.rank = number;
    }
    if (const auto end = info.find("end_info"); end != info.end() && end->is_object())
      if (const auto ns = end->find("collectionTimeEnd"); ns != end->end() && ns->is_number_integer())
        facts.end_ns = ns->get<std::int64_t>();
    keep(info, "torch_npu_version", "torch_npu_version");
    keep(info, "cann_version", "cann_version");
    const nlohmann::json none;
    const nlohmann::json& config = info.contains("config") ? info["config"] : none;
    if (config.is_object() && config.contains("experimental_config")) {
      keep(config["experimental_config"], "_profiler_level", "profiler_level");
      keep(config["experimental_config"], "_aic_metrics", "aic_metrics");
    }
  }
  const nlohmann::json more = object_in(files.metadata);
  keep(more, "distributed_args", "distributed_args");
  keep(more, "parallel_group_info", "parallel_group_info");
  keep(more, "ENV_VARIABLES", "env");
  return facts;
}

// Where a rank left both text and a database, they say the same: the more complete of them is read.
bool prefers_database(const RankFiles& files) {
  if (files.database.empty()) return false;
  if (files.kernels.empty() && files.traces.empty()) return true;
  const bool has_host = rows_in_database(files.database, "PYTORCH_API") > 0;
  const bool has_tasks = rows_in_database(files.database, "TASK") > 0;
  return has_tasks && (files.traces.empty() || files.kernels.empty()) && (has_host || files.traces.empty());
}

Status read_rank(const RankFolder& folder, Rank rank, const Facts& facts, TraceSink& sink, Notes& notes,
                 Tally& tally) {
  for (const auto& [key, value] : facts.metadata)
    sink.metadata(rank.prefix + key, value);
  if (facts.rank) sink.metadata(rank.prefix + "rank", std::to_string(*facts.rank));
  const auto joined = [](const std::vector<std::string>& names) {
    std::string list;
    for (const std::string& name : names)
      list.append(list.empty() ? "" : ", ").append(name);
    return list;
  };
  if (!folder.repeated.empty()) sink.metadata(rank.prefix + "repeated", joined(folder.repeated));
  if (!folder.not_read.empty())
    notes.count("note.ascend.kind_not_read", Severity::info, joined(folder.not_read),
                std::ssize(folder.not_read));
  const bool has_text = !folder.files.kernels.empty() || !folder.files.traces.empty();
  const bool takes_database = prefers_database(folder.files);
  if (has_text && !folder.files.database.empty())
    notes.count("note.ascend.text_and_database", Severity::info, takes_database ? "database" : "text");
  if (!takes_database) return read_text_rank(folder.files, rank, sink, notes, tally);
  Status status = read_database_rank(folder.files.database, rank, sink, notes, tally);
  if (status || !has_text) return status;
  return read_text_rank(folder.files, rank, sink, notes, tally);
}

} // namespace

FileKind kind_of(std::string_view head) {
  if (is_sqlite(head)) return FileKind::database;
  if (head.starts_with("\xef\xbb\xbf")) head.remove_prefix(3);
  const std::size_t begin = json::skip_space(head);
  if (begin >= head.size()) return FileKind::unknown;
  const auto has = [&](std::string_view word) { return head.find(word) != std::string_view::npos; };
  if (head[begin] == '[') return is_trace(head) ? FileKind::trace : FileKind::unknown;
  if (head[begin] != '{') return kind_of_table(head.substr(begin));
  if (has("\"experimental_config\"") && has("\"config\"")) return FileKind::info;
  if (has("\"ENV_VARIABLES\"") || has("\"distributed_args\"")) return FileKind::metadata;
  return has("Communication Time Info") || has("Transport Type") ? FileKind::extra : FileKind::unknown;
}

std::vector<RankFolder> find_ranks(const fs::path& path, bool first_only) {
  std::vector<RankFolder> ranks;
  int left = kMaxEntries;
  walk(path, path, 0, left, [&](const fs::path& folder, const std::vector<fs::path>& files) {
    RankFolder rank{.path = folder, .files = {}, .repeated = {}, .not_read = {}};
    for (const fs::path& file : files)
      if (const FileKind kind = kind_of(head_of(file)); kind != FileKind::unknown) add(rank, kind, file);
    if (!has_data(rank.files)) return true;
    if (!first_only) add_info(path, rank);
    add_rank(ranks, std::move(rank));
    return !first_only;
  });
  return ranks;
}

Status read_folder(const fs::path& path, TraceSink& sink) {
  const std::vector<RankFolder> folders = find_ranks(path, false);
  if (folders.empty()) return error_said(Errc::malformed, "error.no_ascend", {});
  std::vector<Facts> all_facts;
  for (const RankFolder& folder : folders)
    all_facts.push_back(facts_of(folder.files));
  std::vector<RankClaim> claims;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < folders.size(); ++i) {
    claims.push_back({.rank = all_facts[i].rank, .at_ns = all_facts[i].end_ns});
    names.push_back(folders[i].path.lexically_relative(path).string());
  }
  if (!are_of_one_job(claims)) return not_one_job(names);
  Notes notes;
  Tally tally;
  Status failure;
  std::size_t read = 0;
  std::set<std::int64_t> numbers;
  for (std::size_t i = 0; i < folders.size(); ++i) {
    const Facts& facts = all_facts[i];
    if (folders.size() > 1 && !facts.rank)
      notes.count("note.ascend.rank_not_stated", Severity::notice, folders[i].path.filename().string());
    Rank rank;
    rank.order = static_cast<std::int64_t>(i);
    rank.number = facts.rank.value_or(folders.size() > 1 ? rank.order : 0);
    while (!numbers.insert(rank.number).second)
      ++rank.number; // given to one that does not state its own
    if (folders.size() > 1) {
      rank.device = rank.number; // devices of several hosts have the same numbers
      rank.label = fmt::format(" (rank {})", rank.number);
      rank.prefix = fmt::format("ascend.rank{}.", rank.number);
    }
    Status status = read_rank(folders[i], rank, facts, sink, notes, tally);
    if (status) {
      ++read;
      continue;
    }
    notes.count("note.ascend.file_not_read", Severity::data_loss, folders[i].path.filename().string());
    if (failure) failure = std::move(status).error().at(folders[i].path.filename().string());
  }
  if (read == 0) return failure;
  sink.metadata("format", "Ascend profile");
  sink.metadata("ascend.ranks", std::to_string(folders.size()));
  finish(sink, notes, tally);
  return {};
}

} // namespace prof::ascend
