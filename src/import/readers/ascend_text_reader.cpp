// ascend_text_reader.cpp: one file of an Ascend profile alone: the table of kernels (kernel_details.csv,
// op_summary_*.csv) or the timeline (trace_view.json, msprof_*.json), under any name.
#include "import/ascend/folder.hpp"
#include "import/json/text_window.hpp"
#include "import/reader.hpp"

namespace prof {
namespace {

int sniff(std::string_view head, const std::filesystem::path& /*path*/, bool is_folder) {
  if (is_folder) return 0;
  const ascend::FileKind kind = ascend::kind_of(head);
  return kind == ascend::FileKind::kernels || kind == ascend::FileKind::trace ? 85 : 0;
}

Status read(const std::filesystem::path& path, TraceSink& sink) {
  ascend::RankFiles files;
  {
    PROF_TRY(json::TextWindow window, json::TextWindow::open(path));
    constexpr std::size_t kHead = std::size_t{64} << 10; // what the sniffing saw
    PROF_TRY([[maybe_unused]] const bool is_long, window.fill(kHead));
    const bool is_table = ascend::kind_of(window.text().substr(0, kHead)) == ascend::FileKind::kernels;
    (is_table ? files.kernels : files.traces).push_back(path);
  }
  ascend::Notes notes;
  ascend::Tally tally;
  PROF_CHECK(read_text_rank(files, {}, sink, notes, tally));
  sink.metadata("format", files.traces.empty() ? "Ascend kernel table" : "Ascend timeline");
  finish(sink, notes, tally);
  return {};
}

} // namespace

extern const Reader ascend_text_reader;
const Reader ascend_text_reader{
    .name = "ascend_text",
    .description = "import.format.ascend_text",
    .sniff = sniff,
    .read = read,
    .facts = {
        .versions = "kernel_details of 2023 and 2025, op_summary; trace_view of January 2024 and of 2025",
        .tested_on =
            "real: the tables and timelines of the folders above, a table of 2023 and a timeline of 2024",
        .reads = "kernels with type, core, shapes and counters; streams, launches, Python and CANN calls, "
                 "communication",
        .leaves_out = "columns that a tool computes from others"}};

} // namespace prof
