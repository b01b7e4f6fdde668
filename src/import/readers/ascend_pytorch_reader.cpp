// ascend_pytorch_reader.cpp: folders that torch_npu.profiler, MindSpore or msprof leave, of one rank or many.
#include "import/ascend/folder.hpp"
#include "import/reader.hpp"

namespace prof {
namespace {

int sniff(std::string_view /*head*/, const std::filesystem::path& path, bool is_folder) {
  return is_folder && !ascend::find_ranks(path, true).empty() ? 80 : 0;
}

} // namespace

extern const Reader ascend_pytorch_reader;
const Reader ascend_pytorch_reader{
    .name = "ascend_pytorch",
    .description = "import.format.ascend_pytorch",
    .sniff = sniff,
    .read = ascend::read_folder,
    .facts = {.versions = "torch_npu 2.7.1 with CANN 8.3 and older ones that do not name themselves, levels "
                          "0 to 2; MindSpore and msprof by their documentation",
              .tested_on = "real: AlexNet training at level 0, level 1 (text) and level 1 (database), one "
                           "step of Qwen3-0.6B at level 2. Several ranks: the same files twice",
              .reads = "all that the readers of single files below give, joined; steps, memory, versions, "
                       "options; several ranks",
              .leaves_out =
                  "communication bandwidths, L2 cache rates, sizes of single allocations (named in a note)"}};

} // namespace prof
