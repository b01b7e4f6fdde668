// chrome_json_reader.cpp: PyTorch Kineto traces and any other Chrome trace JSON.
#include "import/json/event_scanner.hpp"
#include "import/json/torch_events.hpp"
#include "import/reader.hpp"

namespace prof {
namespace {

int sniff(std::string_view head, const std::filesystem::path& /*path*/, bool is_folder) {
  if (is_folder) return 0;
  if (head.starts_with("\xef\xbb\xbf")) head.remove_prefix(3);
  head.remove_prefix(json::skip_space(head));
  if (head.empty()) return 0;
  const auto has = [&](std::string_view word) { return head.find(word) != std::string_view::npos; };
  if (head.front() == '{') {
    if (has("\"traceEvents\"")) return 60;
    if (has("\"deviceProperties\"") || has("\"schemaVersion\"") || has("\"displayTimeUnit\"")) return 50;
    return 22; // the events may stand behind a long preface; the reader looks for them
  }
  return head.front() == '[' && has("\"ph\"") ? 50 : 0;
}

} // namespace

extern const Reader chrome_json_reader;
const Reader chrome_json_reader{
    .name = "chrome_json",
    .description = "import.format.chrome_json",
    .sniff = sniff,
    .read = json::read_torch_events,
    .facts = {
        .versions =
            "Kineto of 2021 (quoted ids, old category names), of 2023 (whole us), of 2024 (us with three "
            "decimals, absolute) and later (relative to baseTimeNanoseconds); CUDA, ROCm; any Chrome trace",
        .tested_on = "real: HolisticTraceAnalysis (6 files), TraceLens on MI210, MI300 and H100 (6: vLLM, "
                     "SGLang, Qwen, torch.compile), PyTorch's TensorBoard plugin (2 of ResNet-50), PARAM (1)",
        .reads = "operators with shapes, API calls, kernels and copies with their launches, steps, "
                 "annotations, waits, memory and other counters, begin/end, instants, async spans (`b`/`e`, "
                 "`S`/`F`), names; of our own export also scheduling, units and owners of counters; damaged "
                 "JSON event by event",
        .leaves_out = "flows that are no launches (`s`, `t`, `f`: counted), object snapshots, samples (`P`), "
                      "clock syncs"}};

} // namespace prof
