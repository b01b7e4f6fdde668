// page_rows.hpp: which rows the timeline has, in which groups, and what lies on each. One row never holds
// overlapping items: nested slices get a row per depth, overlapping ones a lane each.
#pragma once
#include "report/html/block_codec.hpp"
#include "store/store.hpp"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace prof {

enum class RowKind : std::uint8_t { slices, kernels, cpu, state };

struct PageGroup {
  std::string kind; // requests, waiting, async, device, process, thread, cpus, counters
  std::string name; // of the process, thread or device; empty: the kind's own title
  int parent = -1;
  std::uint32_t process = kNoRow, thread = kNoRow;
};
struct PageRow {
  RowKind kind = RowKind::slices;
  std::uint32_t group = 0;
  std::uint32_t nest = 0; // rows of one nest hold each other's parents and children
  std::uint16_t depth = 0;
  std::string name;                  // empty: the group's name says it
  std::vector<std::uint32_t> source; // rows of slice, kernel, sched or thread_state, by ts
};
// Page names are (text, category, layer, type): what colours and labels an item.
struct PageName {
  std::string text;
  std::uint32_t category = 0, type = 0; // into PageNames::words
  std::uint8_t layer = 0;
};

class PageNames {
public:
  explicit PageNames(const Store& store) : store_(store) { words_.emplace_back(); }
  // The page name of a row of the source table behind `kind`.
  std::uint32_t of(RowKind kind, std::uint32_t source);
  [[nodiscard]] const std::vector<PageName>& names() const { return names_; }
  [[nodiscard]] const std::vector<std::string>& words() const { return words_; }

private:
  std::uint32_t of_slice(std::uint32_t slice);
  std::uint32_t of_kernel(std::uint32_t kernel);
  std::uint32_t add(const std::string& key, std::string_view text, std::string_view category,
                    std::string_view type, Layer layer);
  std::uint32_t word(std::string_view text);
  const Store& store_;
  std::vector<PageName> names_;
  std::vector<std::string> words_;
  std::unordered_map<std::string, std::uint32_t> index_, word_index_;
};

struct PageRows {
  std::vector<PageGroup> groups;
  std::vector<PageRow> rows;
  std::vector<std::uint32_t> row_of_slice, row_of_kernel; // kNoRow: not on the page
  std::vector<std::uint32_t> group_of_counter;            // by counter track
  std::int64_t items = 0;
};

[[nodiscard]] PageRows build_rows(const Store& store);
// The items of a row; `name` is the page name. Times are relative to the trace start.
[[nodiscard]] std::vector<RowItem> row_items(const Store& store, const PageRow& row, PageNames& names);
// "name [tid]".
[[nodiscard]] std::string thread_label(const Store& store, std::uint32_t thread);
[[nodiscard]] std::string process_label(const Store& store, std::uint32_t process);

} // namespace prof
