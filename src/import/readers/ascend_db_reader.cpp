// ascend_db_reader.cpp: one database of an Ascend profile alone (ascend_pytorch_profiler_*.db, msprof_*.db).
#include "import/ascend/rank.hpp"
#include "import/reader.hpp"
#include "import/sqlite/sqlite_file.hpp"

namespace prof {
namespace {

int sniff(std::string_view head, const std::filesystem::path& path, bool is_folder) {
  return !is_folder && is_sqlite(head) && ascend::is_profile_database(path) ? 90 : 0;
}

Status read(const std::filesystem::path& path, TraceSink& sink) {
  ascend::Notes notes;
  ascend::Tally tally;
  PROF_CHECK(ascend::read_database_rank(path, {}, sink, notes, tally));
  sink.metadata("format", "Ascend profile database");
  finish(sink, notes, tally);
  return {};
}

} // namespace

extern const Reader ascend_db_reader;
const Reader ascend_db_reader{
    .name = "ascend_db",
    .description = "import.format.ascend_db",
    .sniff = sniff,
    .read = read,
    .facts = {
        .versions = "ascend_pytorch_profiler and msprof databases; columns are looked up, versions are not "
                    "written in them",
        .tested_on =
            "real: AlexNet at level 1; a small hand-made msprof database (published with MindStudio's tests)",
        .reads = "tasks, communication, PyTorch and CANN calls, connections, memory, steps",
        .leaves_out = "hardware samples (HBM, PCIe, LLC)"}};

} // namespace prof
