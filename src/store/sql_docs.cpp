#include "store/sql_docs.hpp"

#include "store/sql_tables.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace prof {
namespace {

constexpr std::string_view kHead =
    R"(<!-- Generated from src/store/sql_tables_*.cpp by `profiler query --reference`. Do not edit. -->
# SQL over a trace

`profiler query --trace t.pb "select name, sum(dur) from span group by 1 order by 2 desc limit 10"` runs one statement of
[SQLite's SQL](https://www.sqlite.org/lang_select.html) over the tables below. The columns are read in place; nothing is copied.

- Times and lengths are whole nanoseconds on the trace clock. Ids are row numbers. Unknown = `NULL`; unknown text = `''`. A blob is shown as the
  digits that `hex()` gives, in every format.
- Everything is read-only: no `ATTACH`, no `PRAGMA`, no writes, no files. One statement runs for at most five minutes,
  in at most 2 GiB of memory, and gives at most 1 GiB of rows; more ends it with exit status 3.
- Fast: equality on `id`, on every `..._id` column and on every text column; ranges of `ts` together with the column that a table
  is sorted by, or alone. An overlap join is `b.ts < a.ts + a.dur and b.ts + b.dur > a.ts` with equality on the owner.
- Names are never renamed without a new major version; columns may be added.

## Functions

| function | gives |
|---|---|
| `percentile(x, p)` | aggregate: the p-th percentile (0 to 100), linear between closest ranks (type 7, as numpy) |
| `median(x)` | aggregate: `percentile(x, 50)` |
| `stddev(x)` | aggregate: sample standard deviation (n - 1); NULL below two values |
| `union_ns(ts, dur)` | aggregate: length of the union of intervals, so that overlapping time counts once |
| `overlap_ns(ts1, dur1, ts2, dur2)` | common length of two intervals |
| `beside_ns(ts, dur, key)` | aggregate: for each key (a whole number) how long the intervals without one (NULL) lay beside its own, once for each of them; JSON `{"key": ns}`, as `json_each` reads it |
| `span_join(left, right)` | table: where the intervals of two queries meet, a row for every pair; see below |

`span_join` takes two queries as texts. Each gives `ts`, `dur` and an id (columns 1 to 3, by position), and both or none an
owner (column 4): then only intervals of one owner meet. All are whole numbers; a row without `ts`, `dur` or owner meets nothing.
Its columns are `ts` and `dur` of what the two have in common, `left_id`, `right_id` and `owner`, in order of owner, then
`ts`. Intervals that only touch do not meet; one without length is a point and meets what it lies in, its beginning included;
a length below zero counts as none. It reads both queries once and sorts them: n log n, however long the intervals are; both are
kept in the memory that the statement may use. Who ran on the CPUs while thread 3 waited for one:

```sql
select t.name, j.ts, j.dur, r.cpu
from span_join('select ts, dur, id from runnable where thread_id = 3', 'select ts, dur, id from sched') j
join sched r on r.id = j.right_id join thread t on t.id = r.thread_id
```

How long each thread slept inside its own slices, by their name, the thread being the owner:

```sql
select s.name, sum(j.dur)
from span_join('select s.ts, s.dur, s.id, t.thread_id from slice s join track t on t.id = s.track_id',
               'select ts, dur, id, thread_id from thread_state where state = ''sleeping''') j
join slice s on s.id = j.left_id group by 1
```

SQLite's own functions and its mathematical ones (`sqrt`, `ln`, `pow` ...) are there too.

## Words

Producers and analysis agree on these; other words may stand beside them.

| where | word | meaning |
|---|---|---|
| `slice.category` | `request` | one user-visible unit of work, on an async track |
| | `stage` | a phase of one or more requests; on an async track nobody runs it (a queue) |
| | `run` | one run of a model |
| | `op` | one operator of a model graph |
| | `lock` | a thread waited for a mutex |
| | `span` | any other interval |
| | `mark` | a point in time set by the profiler itself |
| `request.status` | `ok` | answered |
| | `error` | failed |
| | `timeout` | its deadline passed |
| | `rejected` | refused on arrival |
| | `cancelled` | taken back by the client |
| | `unfinished` | the recording ended first: `dur` is what was seen of it |
| `args.key` | `request_id` | number of the request; on a stage once per request served |
| | `status` | of a request, as above |
| | `sampled` | `0` on a request of which only the total was recorded (`--sampling_rate` below 100 %); absent = recorded in detail |
| | `wait_class` | of a stage that waits: `queue_wait`, `batch_wait`, `device_wait`, `network` |
| | `op_type`, `model`, `provider`, `input_shapes`, `output_shapes` | of an operator |
| | `address`, `owner_tid` | of a lock |
| `sample.event` | `cpu-clock` | CPU time; `weight` in ns |
| | `page-faults` | a page fault |
| | `context-switches` | the thread blocked |
)";

std::string markdown_cell(std::string_view text) {
  std::string cell;
  for (const char c : text) {
    if (c == '|') cell += '\\';
    cell += c;
  }
  return cell;
}

} // namespace

std::string sql_reference_markdown() {
  std::string out(kHead);
  out += "\n## Tables\n";
  for (const TableDef& table : sql_tables()) {
    out += fmt::format("\n### {}\n\n{}\n\n| column | type | meaning |\n|---|---|---|\n", table.name,
                       table.description);
    for (const ColumnDef& column : table.columns)
      out += fmt::format("| `{}` | {} | {} |\n", column.name, sql_type(column.kind),
                         markdown_cell(column.description));
  }
  out += "\n## Views\n\n| view | meaning | definition |\n|---|---|---|\n";
  for (const ViewDef& view : sql_views())
    out += fmt::format("| `{}` | {} | `{}` |\n", view.name, view.description, markdown_cell(view.sql));
  return out;
}

std::vector<std::string> sql_table_names() {
  std::vector<std::string> names;
  for (const TableDef& table : sql_tables())
    names.emplace_back(table.name);
  for (const ViewDef& view : sql_views())
    names.emplace_back(view.name);
  std::ranges::sort(names);
  return names;
}

std::string sql_schema_of(std::string_view name) {
  for (const ViewDef& view : sql_views())
    if (view.name == name)
      return fmt::format("CREATE VIEW {} AS {}; -- {}\n", view.name, view.sql, view.description);
  for (const TableDef& table : sql_tables()) {
    if (table.name != name) continue;
    std::string out = fmt::format("CREATE TABLE {}( -- {}\n", table.name, table.description);
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const ColumnDef& column = table.columns[i];
      out += fmt::format("  \"{}\" {}{} -- {}\n", column.name, sql_type(column.kind),
                         i + 1 < table.columns.size() ? "," : "", column.description);
    }
    return out + ");\n";
  }
  return {};
}

} // namespace prof
