// kernel_details.hpp: rows of kernel_details.csv and of op_summary_*.csv, which are the same table under
// other column names. Columns are found by their header, never by position.
#pragma once
#include "import/ascend/csv.hpp"
#include "import/ascend/notes.hpp"
#include "import/json/event_args.hpp"

#include <optional>

namespace prof::ascend {

// One task that ran on the device. Text is valid until the next row.
struct KernelRow {
  std::string_view name, type, core;
  Ts ts{};
  Dur dur{};
  std::optional<std::int64_t> step, device, stream, task;
};

class KernelDetails {
public:
  // Is this the header line of such a table?
  [[nodiscard]] static bool is_header(std::string_view head);
  // Errors: io; malformed without the columns that is_header() wants.
  [[nodiscard]] static Result<KernelDetails> open(const std::filesystem::path& path);

  // Rows that have no usable time, and half a row at the end, become notes.
  [[nodiscard]] Result<bool> next(KernelRow& row, Notes& notes);
  // Everything else that the row says: shapes, formats, types, wait time, counters of the cores.
  void add_args(std::vector<Arg>& args, json::TextCache& texts) const;

private:
  enum class Use : std::uint8_t {
    name,
    type,
    core,
    ts,
    dur,
    wait,
    step,
    device,
    stream,
    task,
    shapes,
    value
  };
  struct Column {
    Use use = Use::value;
    std::string key; // of the argument
    bool is_aic = false, is_aiv = false;
  };
  explicit KernelDetails(CsvFile file) : file_(std::move(file)) {}
  [[nodiscard]] static Column column_of(std::string_view title);
  [[nodiscard]] std::string_view first(Use use) const;

  CsvFile file_;
  std::vector<Column> columns_;
  std::size_t aic_cycles_ = kNone, aiv_cycles_ = kNone;
  static constexpr std::size_t kNone = ~std::size_t{0};
};

} // namespace prof::ascend
