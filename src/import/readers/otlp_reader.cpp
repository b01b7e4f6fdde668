// otlp_reader.cpp: spans of OpenTelemetry (serving engines, gateways), as JSON or as protobuf.
#include "base/lang.hpp"
#include "import/json/event_scanner.hpp"
#include "import/otlp/spans.hpp"
#include "import/proto/top_fields.hpp"
#include "import/reader.hpp"

#include <fstream>

namespace prof {
namespace {

constexpr std::size_t kTraceIdBytes = 16, kSpanIdBytes = 8;

bool is_json(std::string_view head) {
  return head.substr(json::skip_space(head)).starts_with('{');
}

int sniff(std::string_view head, const std::filesystem::path& /*path*/, bool is_folder) {
  if (is_folder) return 0;
  if (is_json(head)) return head.find("\"resourceSpans\"") != std::string_view::npos ? 90 : 0;
  const std::string_view scope = proto::clipped_field(proto::clipped_field(head, 1), 2);
  const std::string_view span = proto::clipped_field(scope, 2);
  const bool has_ids = proto::clipped_field(span, 1).size() == kTraceIdBytes &&
                       proto::clipped_field(span, 2).size() == kSpanIdBytes;
  return has_ids ? 97 : 0; // surer than a reader that takes any list of messages
}

Status read(const std::filesystem::path& path, TraceSink& sink) {
  otlp::Spans spans(sink);
  std::string head(1024, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(file.gcount()));
  PROF_CHECK(is_json(head) ? otlp::read_json(path, spans, sink) : otlp::read_proto(path, spans, sink));
  if (spans.size() == 0) return error_said(Errc::malformed, "error.no_spans", {});
  spans.write();
  return {};
}

} // namespace

extern const Reader otlp_reader;
const Reader otlp_reader{
    .name = "otlp",
    .description = "import.format.otlp",
    .sniff = sniff,
    .read = read,
    .facts = {.versions = "protocol 1.x: JSON (one document, or JSON lines of the collector) and protobuf",
              .tested_on = "the example of the specification; spans made by hand",
              .reads = "spans as requests and stages with attributes, links to parents, status, resources",
              .leaves_out = "events and links of spans (counted), metrics, logs"}};

} // namespace prof
