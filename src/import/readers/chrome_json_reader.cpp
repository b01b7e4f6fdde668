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
const Reader chrome_json_reader{.name = "chrome_json",
                                .description = "import.format.chrome_json",
                                .sniff = sniff,
                                .read = json::read_torch_events};

} // namespace prof
