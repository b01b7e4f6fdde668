// export_view.hpp: a trace in other people's formats.
#pragma once
#include "base/result.hpp"
#include "store/store.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string_view>

namespace prof {

using ByteSink = std::function<Status(std::string_view bytes)>;
inline constexpr std::size_t kExportFlushBytes = 1 << 20; // handed to the sink at a time

// Chrome's trace event format (JSON object form), for chrome://tracing, Perfetto and Speedscope: slices,
// kernels, counters, flows, what ran on each CPU and what threads did off it, samples with their stacks.
// Kernels, operators and launches carry Kineto's categories and args (device, stream, correlation), so that
// HTA and our own reader find the devices again. Async tracks become threads of their own, named after the
// track. What the format has no place for stands under keys of trace/chrome_words.hpp, which other readers
// pass over.
[[nodiscard]] Status export_chrome_json(const Store& store, const ByteSink& out);
// Rows that a file of a foreign format does not hold.
struct NotCarried {
  std::int64_t samples = 0;       // without a call stack
  std::int64_t places = 0;        // in code, whose file, source line or address is known
  std::int64_t other_samples = 0; // of other events than `event`, the one that the format takes
  std::string_view event{};
  std::int64_t for_others = 0; // samples that other viewers show and our reader leaves out
  [[nodiscard]] bool is_any() const { return samples + places + other_samples > 0; }
};
[[nodiscard]] NotCarried left_out_of_chrome_json(const Store& store);
// Call-stack samples for flamegraph.pl, speedscope and inferno: "process;thread;request;stage;operator;
// outermost;...;innermost WEIGHT" a line. CPU samples (weight in ns) where there are any, else the commonest
// event; of switches the time off the CPU in ns, where the scheduler's data says it.
[[nodiscard]] Status export_collapsed(const Store& store, const ByteSink& out);
[[nodiscard]] bool has_stacks_to_export(const Store& store); // else the stacks' exports are empty
// Of the stacks' formats: `event` lives as long as the store.
[[nodiscard]] NotCarried left_out_of_stacks(const Store& store);
// The same samples as a gzipped profile.proto for pprof; request, stage, operator and thread are labels.
[[nodiscard]] Status export_pprof(const Store& store, const ByteSink& out);
// Error: bad_argument when docs/sql.md has no such table; names the nearest.
[[nodiscard]] Status check_export_table(std::string_view table);
// One table of docs/sql.md as CSV with a header line. Error: bad_argument for an unknown table.
[[nodiscard]] Status export_csv(const Store& store, std::string_view table, const ByteSink& out);
// Every table and view as a table of a new SQLite file, with indexes on ids. Appears whole or not at all.
[[nodiscard]] Status export_sqlite(const Store& store, const std::filesystem::path& path);

} // namespace prof
