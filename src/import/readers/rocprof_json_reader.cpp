// rocprof_json_reader.cpp: JSON of rocprofv3. One object per process under "rocprofiler-sdk-tool":
//   metadata{pid, command}, agents[], strings, kernel_symbols[], buffer_records{kernel_dispatch[], hip_api[]
//   ...}
// It is read as a stream of tokens, so that a file that is cut gives what stands before the cut.
#include "import/reader.hpp"
#include "import/reader_words.hpp"
#include "import/rocprof/rows.hpp"

#include "base/file.hpp"
#include "base/yaml_writer.hpp"

#include <deque>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unordered_map>

namespace prof {
namespace {

constexpr std::string_view kRoot = "rocprofiler-sdk-tool";
constexpr std::int64_t kMaxFile = std::int64_t{2} << 30;
constexpr std::size_t kMaxKey = 256;  // of a path; what lies deeper is of no use here
constexpr std::size_t kMaxDepth = 16; // likewise

int sniff(std::string_view head, const std::filesystem::path& /*path*/, bool is_folder) {
  return !is_folder && head.find(fmt::format("\"{}\"", kRoot)) != std::string_view::npos ? 92 : 0;
}

// The scalars of one record under their paths: "correlation_id.internal".
struct Record {
  std::map<std::string, std::int64_t, std::less<>> numbers;
  std::map<std::string, std::string, std::less<>> texts;
  [[nodiscard]] std::int64_t number(std::string_view path, std::int64_t otherwise = 0) const {
    const auto at = numbers.find(path);
    return at == numbers.end() ? otherwise : at->second;
  }
  [[nodiscard]] std::string_view text(std::string_view path) const {
    const auto at = texts.find(path);
    return at == texts.end() ? std::string_view{} : std::string_view(at->second);
  }
};

// One process of the file. Records come before the names that they refer to in some versions, so they wait
// for its end.
class ProcessRecords {
public:
  explicit ProcessRecords(rocprof::Rows& rows) : rows_(rows) {}

  void take(std::string_view list, const Record& record);
  void kind_name(std::size_t kind, std::string name) { kinds_[kind].name = std::move(name); }
  void operation(std::size_t kind, std::string name) { kinds_[kind].operations.push_back(std::move(name)); }
  void metadata(const Record& record) {
    pid_ = record.number("pid");
    if (const std::string_view command = record.text("command"); !command.empty())
      rows_.process(pid_, command);
  }
  void finish();

private:
  struct Kind {
    std::string name;
    std::vector<std::string> operations;
  };
  struct CallRecord {
    std::int64_t kind = 0, operation = 0;
    rocprof::Call row;
  };
  struct DispatchRecord {
    std::int64_t kind = 0, operation = 0, kernel = 0;
    rocprof::Dispatch row;
  };
  [[nodiscard]] std::string_view name_of(std::int64_t kind, std::int64_t operation) const;

  rocprof::Rows& rows_;
  std::int64_t pid_ = 0;
  std::map<std::size_t, Kind> kinds_;
  std::unordered_map<std::int64_t, std::string> kernels_;
  std::vector<CallRecord> calls_;
  std::vector<DispatchRecord> dispatches_;
};

void ProcessRecords::take(std::string_view list, const Record& record) {
  const auto number = [&](std::string_view path, std::int64_t otherwise = 0) {
    return record.number(path, otherwise);
  };
  const auto correlation = static_cast<std::uint64_t>(number("correlation_id.internal"));
  const std::int64_t start = number("start_timestamp"), end = number("end_timestamp");
  if (list == "agents") {
    const std::string_view product = record.text("product_name");
    rows_.agent(number("id.handle"), {.is_gpu = number("type", 2) == 2,
                                      .index = number("logical_node_type_id", number("node_id")),
                                      .name = std::string(product.empty() ? record.text("name") : product)});
  } else if (list == "kernel_symbols") {
    const std::string_view name = record.text("formatted_kernel_name");
    kernels_[number("kernel_id")] = name.empty() ? record.text("kernel_name") : name;
  } else if (list == "buffer_records.kernel_dispatch") {
    dispatches_.push_back({.kernel = number("dispatch_info.kernel_id"),
                           .row = {.agent = number("dispatch_info.agent_id.handle"),
                                   .start = start,
                                   .end = end,
                                   .queue = number("dispatch_info.queue_id.handle", -1),
                                   .stream = number("stream_id.handle", -1),
                                   .name = {},
                                   .correlation = correlation,
                                   .args = {{"workgroup_x", number("dispatch_info.workgroup_size.x")},
                                            {"workgroup_y", number("dispatch_info.workgroup_size.y")},
                                            {"workgroup_z", number("dispatch_info.workgroup_size.z")},
                                            {"grid_x", number("dispatch_info.grid_size.x")},
                                            {"grid_y", number("dispatch_info.grid_size.y")},
                                            {"grid_z", number("dispatch_info.grid_size.z")}}}});
  } else if (list == "buffer_records.memory_copy") {
    dispatches_.push_back({.kind = number("kind"),
                           .operation = number("operation"),
                           .row = {.agent = number("dst_agent_id.handle"),
                                   .start = start,
                                   .end = end,
                                   .stream = number("stream_id.handle", -1),
                                   .bytes = number("bytes"),
                                   .name = {},
                                   .correlation = correlation,
                                   .is_copy = true,
                                   .args = {{"source_agent", number("src_agent_id.handle")}}}});
  } else if (list.ends_with("_api")) {
    calls_.push_back({.kind = number("kind"),
                      .operation = number("operation"),
                      .row = {.tid = number("thread_id"),
                              .start = start,
                              .end = end,
                              .name = {},
                              .domain = {},
                              .correlation = correlation}});
  } else {
    rows_.not_read(list.substr(list.rfind('.') + 1), 1);
  }
}

std::string_view ProcessRecords::name_of(std::int64_t kind, std::int64_t operation) const {
  const auto at = kinds_.find(static_cast<std::size_t>(kind));
  if (at == kinds_.end() || operation < 0 || operation >= std::ssize(at->second.operations)) return {};
  return at->second.operations[static_cast<std::size_t>(operation)];
}

void ProcessRecords::finish() {
  for (CallRecord& call : calls_) {
    const auto kind = kinds_.find(static_cast<std::size_t>(call.kind));
    call.row.pid = pid_;
    call.row.name = name_of(call.kind, call.operation);
    call.row.domain = rocprof::category_of(kind == kinds_.end() ? std::string_view{} : kind->second.name);
    rows_.call(call.row);
  }
  for (DispatchRecord& record : dispatches_) {
    record.row.pid = pid_;
    if (record.row.is_copy) {
      record.row.name = name_of(record.kind, record.operation);
      // Work of the GPU that it goes to, or where that is the host, of the one that it comes from.
      if (record.row.name.ends_with("TO_HOST")) record.row.agent = record.row.args.front().second;
      record.row.args.clear();
    } else if (const auto name = kernels_.find(record.kernel); name != kernels_.end()) {
      record.row.name = name->second;
    }
    rows_.dispatch(record.row);
  }
}

// Follows the path of keys down the file and gathers the scalars of each record.
class Tokens final : public nlohmann::json_sax<nlohmann::json> {
public:
  explicit Tokens(TraceSink& sink) : rows_(sink, "rocprof_json") {}

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t value) override { return number(value); }
  bool number_unsigned(number_unsigned_t value) override { return number(static_cast<std::int64_t>(value)); }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool string(string_t& value) override;
  bool start_object(std::size_t) override { return open(false); }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open(true); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    if (!levels_.empty()) levels_.back().key = name.substr(0, kMaxKey);
    return true;
  }
  bool parse_error(std::size_t at, const std::string&, const nlohmann::json::exception&) override {
    error_at_ = static_cast<std::int64_t>(at);
    return false;
  }
  // Where the text ended before its end; -1 = it did not.
  [[nodiscard]] std::int64_t error_at() const { return error_at_; }
  Status finish() {
    if (process_) process_->finish();
    return rows_.finish("rocprofv3 JSON");
  }

private:
  struct Level {
    bool is_array = false;
    std::string key;
  };
  bool open(bool is_array);
  bool close();
  bool number(std::int64_t value);
  // The keys from level `from` on; elements of arrays have none.
  [[nodiscard]] std::string path(std::size_t from, std::size_t to) const;
  // root object, its array, the process's object
  static constexpr std::size_t kProcess = 2;

  rocprof::Rows rows_;
  std::unique_ptr<ProcessRecords> process_;
  std::deque<Level> levels_;
  std::size_t too_deep_ = 0;
  std::size_t record_level_ = 0; // of the object whose scalars are gathered; 0 = none
  std::string list_;
  Record record_;
  std::size_t kind_ = 0; // of strings.buffer_records
  std::int64_t error_at_ = -1;
};

std::string Tokens::path(std::size_t from, std::size_t to) const {
  std::string out;
  for (std::size_t i = from; i < to && i < levels_.size(); ++i)
    if (!levels_[i].is_array && !levels_[i].key.empty())
      out.append(out.empty() ? "" : ".").append(levels_[i].key);
  return out.substr(0, kMaxKey);
}

bool Tokens::open(bool is_array) {
  if (levels_.size() >= kMaxDepth) {
    ++too_deep_;
    return true;
  }
  const std::size_t level = levels_.size();
  levels_.push_back({.is_array = is_array, .key = {}});
  if (level == kProcess && !is_array) {
    kind_ = 0;
    if (process_) process_->finish();
    process_ = std::make_unique<ProcessRecords>(rows_);
    return true;
  }
  if (!process_ || is_array || record_level_ != 0) return true;
  list_ = path(kProcess, level);
  const bool is_list = levels_[level - 1].is_array &&
                       (list_ == "agents" || list_ == "kernel_symbols" ||
                        (list_.starts_with("buffer_records.") && list_.find('.') == list_.rfind('.')));
  if (!is_list && list_ != "metadata") return true;
  record_level_ = level;
  record_ = {};
  return true;
}

bool Tokens::close() {
  if (too_deep_ > 0) {
    --too_deep_;
    return true;
  }
  if (levels_.empty()) return true;
  levels_.pop_back();
  const std::size_t level = levels_.size();
  if (record_level_ != 0 && level == record_level_) {
    record_level_ = 0;
    if (list_ == "metadata")
      process_->metadata(record_);
    else
      process_->take(list_, record_);
  }
  // The elements of strings.buffer_records are the kinds, in their order.
  if (process_ && level > 0 && levels_.back().is_array && path(kProcess, level) == "strings.buffer_records")
    ++kind_;
  return true;
}

bool Tokens::number(std::int64_t value) {
  if (record_level_ != 0 && too_deep_ == 0) record_.numbers[path(record_level_, levels_.size())] = value;
  return true;
}

bool Tokens::string(string_t& value) {
  if (too_deep_ > 0 || !process_) return true;
  if (record_level_ != 0) {
    std::string& text = record_.texts[path(record_level_, levels_.size())];
    text.append(text.empty() ? "" : " ").append(value); // a command is a list of words
    return true;
  }
  const std::string at = path(kProcess, levels_.size());
  if (at == "strings.buffer_records.kind") process_->kind_name(kind_, value);
  if (at == "strings.buffer_records.operations") process_->operation(kind_, value);
  return true;
}

Status read(const std::filesystem::path& path, TraceSink& sink) {
  PROF_TRY(std::string text, read_file(path, kMaxFile));
  std::string valid = valid_utf8(text); // names of kernels may hold any bytes
  const bool is_repaired = valid != text;
  text = std::move(valid);
  Tokens tokens(sink);
  (void)nlohmann::json::sax_parse(text, &tokens);
  const Status status = tokens.finish();
  if (!status) return status;
  say_note(sink, Severity::data_loss, "note.json.cut", tokens.error_at() >= 0 ? 1 : 0,
           fmt::format("offset {}", tokens.error_at()));
  say_note(sink, Severity::notice, "note.json.repaired", is_repaired ? 1 : 0);
  return {};
}

} // namespace

extern const Reader rocprof_json_reader;
const Reader rocprof_json_reader{
    .name = "rocprof_json",
    .description = "import.format.rocprof_json",
    .sniff = sniff,
    .read = read,
    .facts = {.versions = "rocprofiler-sdk-tool of ROCm 6 and 7",
              .tested_on = "no real file: a made-up run with the fields of the published ones "
                           "(`make_rocprof.py`). Whole files in memory, 2 GiB at most",
              .reads = "kernels with grid, API calls, copies with sizes, agents, command, several processes",
              .leaves_out = "callback records, counters, allocations, scratch, PC samples"}};

} // namespace prof
