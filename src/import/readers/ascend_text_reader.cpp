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
    PROF_TRY(const bool has_text, window.more());
    const bool is_table =
        has_text && ascend::kind_of(window.text().substr(0, 64 << 10)) == ascend::FileKind::kernels;
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
    .name = "ascend_text", .description = "import.format.ascend_text", .sniff = sniff, .read = read};

} // namespace prof
