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
const Reader ascend_pytorch_reader{.name = "ascend_pytorch",
                                   .description = "import.format.ascend_pytorch",
                                   .sniff = sniff,
                                   .read = ascend::read_folder};

} // namespace prof
