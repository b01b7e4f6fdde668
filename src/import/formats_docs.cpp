#include "import/formats_docs.hpp"

#include "import/reader.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

namespace prof {
namespace {

constexpr std::string_view kHead =
    R"(<!-- Generated from src/import/readers/*_reader.cpp by `profiler import --reference`. Do not edit. -->
# Formats that are read

A file is known by its content; its name does not matter. `.gz` and `.zst` files are unpacked into the temporary folder
first: at most 250 times their own size, 1 GiB for small ones, and nothing whose beginning no reader knows; one whose first
128 MiB promise twice that is refused there. Nothing is written beside the user's files, and no link is followed out of a
folder.

| format | versions seen | tested on | what is read | what is not |
|---|---|---|---|---|
)";

constexpr std::string_view kTail = R"(
## What holds for all of them

`tests/readers/every_reader_test.cpp` checks each of these on every file of `tests/readers/data`, and on the real files
that may not be passed on where they are at hand:

- **Pieces.** A file gives the same rows whatever the pieces in which it arrives: 1, 61 or 4093 bytes at a time.
- **Packing.** Packed with gzip or zstd it gives the same rows.
- **Cuts.** Cut at any of 63 places it gives every row that stands whole before the cut, no row that the whole file does
  not have, and a note that says so. One row may differ: a slice that is still open at the cut, a step that spans the
  others, or a last number that lost digits (collapsed stacks, tables). A cut between two lines of a table cannot be told.
  A database keeps its rows in no order: what is left of it is read, names may be missing, and a note counts the pages;
  one of which SQLite itself opens nothing is refused as a damaged database.
  An OTLP document of one line and the JSON of rocprofv3 give what stands before the cut.
- **`.pb`.** Written as `.pb` and read back, all tables are equal, their ledger included: processes, threads, devices,
  streams, tracks, slices with depth, parents and arguments, flows, kernels with their launches, requests, stages,
  operators, counters, samples with their stacks, scheduling (what nobody knows where switches were lost too), mappings,
  signals, notes, gaps and metadata. Only row ids may differ.
- **Hostile files.** Lengths and times of 2^63, Infinity and NaN, a million levels, circles, repeated ids, negative
  durations, texts of 10 MB and names that are no text end in rows and notes or in one line
  (`tests/readers/hostile_test.cpp`).
)";

} // namespace

std::string format_reference_markdown() {
  const auto registered = all_readers();
  std::vector<const Reader*> readers(registered.begin(), registered.end());
  std::ranges::sort(readers, {}, &Reader::name);
  std::string out(kHead);
  for (const Reader* reader : readers) {
    const FormatFacts& facts = reader->facts;
    out += fmt::format("| `{}` | {} | {} | {} | {} |\n", reader->name, facts.versions, facts.tested_on,
                       facts.reads, facts.leaves_out);
  }
  return out.append(kTail);
}

} // namespace prof
