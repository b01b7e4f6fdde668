// sql_tables.hpp: the one place that says which tables and columns SQL sees. docs/sql.md, .schema and the
// virtual tables are all made from it.
#pragma once
#include "store/device_gap.hpp"
#include "store/device_time.hpp"
#include "store/off_cpu.hpp"
#include "store/request_time.hpp"
#include "store/store.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

namespace prof {

// What a connection reads: the store, and what is derived from it at first use.
class SqlData {
public:
  explicit SqlData(const Store& store);
  [[nodiscard]] const Store& store() const { return store_; }
  [[nodiscard]] const Tables& t() const { return store_.tables(); }
  [[nodiscard]] const RequestTime& request_time();
  [[nodiscard]] const ThreadTime& thread_time();
  // (row of thread_time(), class) of the non-zero classes, in order.
  [[nodiscard]] const std::vector<std::pair<std::uint32_t, std::uint8_t>>& thread_time_rows();
  [[nodiscard]] const std::vector<CallTime>& call_time();
  [[nodiscard]] const std::vector<std::int64_t>& op_waits(); // by row of op, ns
  [[nodiscard]] const OffCpuReasons& off_cpu();
  [[nodiscard]] const std::vector<DeviceTime>& device_time();
  [[nodiscard]] const std::vector<DeviceGap>& device_gaps();
  [[nodiscard]] const std::vector<IdleCall>& idle_calls();
  // (unit row, class) of the non-zero classes, in order.
  [[nodiscard]] const std::vector<std::pair<std::uint32_t, std::uint8_t>>& request_time_rows();
  // The op row that a slice lies in (itself or the nearest enclosing one); kNoRow = none.
  [[nodiscard]] std::uint32_t op_around(std::uint32_t slice) const;
  // The op rows before and after one on its thread, inside the same stage (without a stage: inside the same
  // parent slice), in order of start; kNoRow = none.
  struct OpNeighbours {
    std::vector<std::uint32_t> previous, next;
  };
  [[nodiscard]] const OpNeighbours& op_neighbours();
  [[nodiscard]] StrId text_arg(std::uint32_t arg_set, StrId key) const;

  StrId op_word, input_shapes, output_shapes, input_formats, input_dtypes;

private:
  const Store& store_;
  std::optional<RequestTime> request_time_;
  std::optional<ThreadTime> thread_time_;
  std::optional<std::vector<std::int64_t>> op_waits_;
  std::optional<OffCpuReasons> off_cpu_;
  std::optional<std::vector<DeviceTime>> device_time_;
  std::optional<std::vector<DeviceGap>> device_gaps_;
  std::optional<std::vector<IdleCall>> idle_calls_;
  std::optional<OpNeighbours> op_neighbours_;
  std::optional<std::vector<std::pair<std::uint32_t, std::uint8_t>>> request_time_rows_, thread_time_rows_;
};

enum class ColumnKind : std::uint8_t {
  integer,  // kSqlNull = NULL
  optional, // an integer where -1 means NULL
  id,       // a row number of some table; kNoRow = NULL. Indexed.
  text,     // a StrId; kSqlNull = NULL. Indexed.
  word,     // one of a few fixed words, by number
  real,     // a double, bit for bit
};
inline constexpr std::int64_t kSqlNull = std::numeric_limits<std::int64_t>::min();

struct ColumnDef {
  std::string_view name;
  ColumnKind kind = ColumnKind::integer;
  std::string_view description; // with the unit
  std::int64_t (*value)(SqlData& data, std::uint32_t row) = nullptr;
  std::string_view (*word)(std::int64_t number) = nullptr; // for kind word
};
struct TableDef {
  std::string_view name;
  std::string_view description;
  std::span<const ColumnDef> columns; // column 0 is `id` (the row number) where has_id
  std::size_t (*rows)(SqlData& data) = nullptr;
  bool has_id = true;
  bool is_derived = false; // counting rows may compute something
  int group_column = -1;   // rows are sorted by this column, and by ts within it
  int ts_column = -1;      // with group_column -1: rows are sorted by ts alone; -1 = not sorted
};
struct ViewDef {
  std::string_view name, description, sql;
  bool calls_ours = false; // a function of docs/sql.md, which other SQLites do not have
};
// One cell as SQL shows it; monostate = NULL. The view lives as long as the store.
using SqlCell = std::variant<std::monostate, std::int64_t, double, std::string_view>;
[[nodiscard]] SqlCell cell_of(SqlData& data, const ColumnDef& column, std::uint32_t row);
[[nodiscard]] std::string_view sql_type(ColumnKind kind); // "INTEGER", "REAL", "TEXT"

[[nodiscard]] std::span<const TableDef> sql_tables();
[[nodiscard]] std::span<const ViewDef> sql_views();

namespace detail { // one span per file of definitions
[[nodiscard]] std::span<const TableDef> sql_timeline_tables();
[[nodiscard]] std::span<const TableDef> sql_work_tables();
[[nodiscard]] std::span<const TableDef> sql_cpu_tables();
[[nodiscard]] std::span<const TableDef> sql_ledger_tables();
} // namespace detail

} // namespace prof
