// kineto_folder_reader.cpp: folders with PyTorch Kineto traces, one file for each rank.
#include "import/json/kineto_ranks.hpp"
#include "import/reader.hpp"

namespace prof {
namespace {

int sniff(std::string_view /*head*/, const std::filesystem::path& path, bool is_folder) {
  return is_folder && !json::find_kineto_files(path, true).empty() ? 70 : 0;
}

} // namespace

extern const Reader kineto_folder_reader;
const Reader kineto_folder_reader{
    .name = "kineto_folder",
    .description = "import.format.kineto_folder",
    .sniff = sniff,
    .read = json::read_kineto_folder,
    .facts = {
        .versions =
            "as `chrome_json`; every file must state its rank (`distributedInfo`), no two the same, and be "
            "recorded within an hour of the others",
        .tested_on = "real: 2 of 128 ranks of HolisticTraceAnalysis' tests; made: files with and without "
                     "`baseTimeNanoseconds`, of equal process numbers, packed, cut",
        .reads = "all that `chrome_json` reads; a rank for each process and device (SQL: `process.rank`, "
                 "`device.rank`, view `rank_work`); how far apart collectives end on the ranks' clocks",
        .leaves_out =
            "a shift between the hosts' clocks (told, not taken out); files that state no rank are listed, "
            "not merged"}};

} // namespace prof
