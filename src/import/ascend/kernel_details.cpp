#include "import/ascend/kernel_details.hpp"

#include "base/lang.hpp"
#include "trace/conventions.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace prof::ascend {
namespace {

// "32,3,224,224" with quotes of its own -> 32,3,224,224.
std::string_view without_quotes(std::string_view text) {
  text = trimmed(text);
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') return text.substr(1, text.size() - 2);
  return text;
}

bool has_any(const std::vector<std::string>& titles, std::initializer_list<std::string_view> names) {
  return std::ranges::any_of(
      titles, [&](const std::string& title) { return std::ranges::find(names, title) != names.end(); });
}

} // namespace

bool KernelDetails::is_header(std::string_view head) {
  const std::vector<std::string> titles = header_cells(head);
  return has_any(titles, {"Name", "Op Name"}) && has_any(titles, {"Start Time(us)", "Task Start Time(us)"}) &&
         has_any(titles, {"Duration(us)", "Task Duration(us)"});
}

KernelDetails::Column KernelDetails::column_of(std::string_view title) {
  struct Known {
    std::string_view title;
    Use use;
    std::string_view key;
  };
  static constexpr std::array<Known, 30> kKnown{{
      {"Name", Use::name, ""},
      {"Op Name", Use::name, ""},
      {"Type", Use::type, ""},
      {"OP Type", Use::type, ""},
      {"Accelerator Core", Use::core, "core"},
      {"Task Type", Use::core, "core"},
      {"Start Time(us)", Use::ts, ""},
      {"Task Start Time(us)", Use::ts, ""},
      {"Duration(us)", Use::dur, ""},
      {"Task Duration(us)", Use::dur, ""},
      {"Wait Time(us)", Use::wait, "wait_ns"},
      {"Task Wait Time(us)", Use::wait, "wait_ns"},
      {"Step Id", Use::step, "step"},
      {"Device_id", Use::device, ""},
      {"Stream ID", Use::stream, ""},
      {"Task ID", Use::task, "task_id"},
      {"Model ID", Use::value, "model_id"},
      {"Context ID", Use::value, "context_id"},
      {"OP State", Use::value, "op_state"},
      {"HF32 Eligible", Use::value, "hf32_eligible"},
      {"Block Dim", Use::value, "block_dim"},
      {"Block Num", Use::value, "block_dim"},
      {"Mix Block Dim", Use::value, "mix_block_dim"},
      {"Mix Block Num", Use::value, "mix_block_dim"},
      {"Input Shapes", Use::shapes, words::kArgInputShapes},
      {"Input Data Types", Use::shapes, "input_dtypes"},
      {"Input Formats", Use::shapes, "input_formats"},
      {"Output Shapes", Use::shapes, words::kArgOutputShapes},
      {"Output Data Types", Use::shapes, "output_dtypes"},
      {"Output Formats", Use::shapes, "output_formats"},
  }};
  const auto known = std::ranges::find(kKnown, title, &Known::title);
  if (known != kKnown.end()) return {.use = known->use, .key = std::string(known->key)};
  return {.use = Use::value,
          .key = std::string(title),
          .is_aic = title.starts_with("aic_") || title == "aicore_time(us)",
          .is_aiv = title.starts_with("aiv_")};
}

Result<KernelDetails> KernelDetails::open(const std::filesystem::path& path) {
  PROF_TRY(CsvFile file, CsvFile::open(path));
  PROF_TRY(const bool has_header, file.next());
  KernelDetails table(std::move(file));
  for (std::size_t i = 0; has_header && i < table.file_.size(); ++i) {
    const std::string_view title = trimmed(table.file_.cell(i));
    if (title == "aic_total_cycles") table.aic_cycles_ = i;
    if (title == "aiv_total_cycles") table.aiv_cycles_ = i;
    table.columns_.push_back(column_of(title));
  }
  const auto has = [&](Use use) { return std::ranges::find(table.columns_, use, &Column::use); };
  for (const Use use : {Use::name, Use::ts, Use::dur})
    if (has(use) == table.columns_.end()) return error_said(Errc::malformed, "error.no_kernel_table", {});
  return table;
}

std::string_view KernelDetails::first(Use use) const {
  const auto found = std::ranges::find(columns_, use, &Column::use);
  if (found == columns_.end()) return {};
  return trimmed(file_.cell(static_cast<std::size_t>(found - columns_.begin())));
}

Result<bool> KernelDetails::next(KernelRow& row, Notes& notes) {
  for (;;) {
    PROF_TRY(const bool is_there, file_.next());
    if (!is_there) return false;
    const std::string where = fmt::format("offset {}", file_.offset());
    if (file_.is_cut() && file_.size() < columns_.size()) {
      notes.count("note.csv.cut", Severity::data_loss, where);
      continue;
    }
    const auto ts = ns_of(first(Use::ts));
    const auto dur = ns_of(first(Use::dur));
    if (!ts || !dur || *ts <= 0 || *dur < 0) {
      notes.count("note.ascend.row_without_time", Severity::data_loss, where);
      continue;
    }
    const auto core = first(Use::core);
    const auto type = first(Use::type);
    row = {.name = first(Use::name),
           .type = is_missing(type) ? std::string_view{} : type,
           .core = is_missing(core) ? std::string_view{} : core,
           .ts = {*ts},
           .dur = {*dur},
           .step = integer_of(first(Use::step)),
           .device = integer_of(first(Use::device)),
           .stream = integer_of(first(Use::stream)),
           .task = integer_of(first(Use::task))};
    return true;
  }
}

void KernelDetails::add_args(std::vector<Arg>& args, json::TextCache& texts) const {
  constexpr std::int64_t kNoId = 4294967295; // 2^32 - 1 stands for "none" in every id column
  // The columns of a core that did not run are all zero.
  const auto did_not_run = [&](std::size_t cycles) {
    return cycles != kNone && real_of(file_.cell(cycles)).value_or(0) == 0;
  };
  const bool no_aic = did_not_run(aic_cycles_), no_aiv = did_not_run(aiv_cycles_);
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const Column& column = columns_[i];
    const std::string_view cell = trimmed(file_.cell(i));
    if (column.key.empty() || is_missing(cell) || (column.is_aic && no_aic) || (column.is_aiv && no_aiv))
      continue;
    ArgValue value;
    if (column.use == Use::shapes) {
      value = texts.intern(without_quotes(cell));
    } else if (column.use == Use::wait) {
      const auto ns = ns_of(cell);
      if (!ns) continue;
      value = *ns;
    } else if (const auto number = integer_of(cell)) {
      if (*number == kNoId) continue;
      value = *number;
    } else if (const auto real = real_of(cell)) {
      value = *real;
    } else {
      value = texts.intern(cell);
    }
    args.push_back({.key = texts.intern(column.key), .value = value});
  }
}

} // namespace prof::ascend
