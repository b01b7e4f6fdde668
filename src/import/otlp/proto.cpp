// OTLP protobuf: TracesData, which is also the ExportTraceServiceRequest of the wire.
#include "import/otlp/spans.hpp"
#include "import/proto/top_fields.hpp"
#include "tracefile/proto_message.hpp"

#include <fmt/format.h>

namespace prof::otlp {
namespace {

using detail::Message;
using nlohmann::json;

// Field numbers of opentelemetry/proto/trace/v1/trace.proto and common/v1/common.proto.
constexpr std::uint32_t kResourceSpans = 1;
constexpr std::uint32_t kResource = 1, kScopeSpans = 2; // ResourceSpans
constexpr std::uint32_t kResourceAttributes = 1;        // Resource
constexpr std::uint32_t kSpans = 2;                     // ScopeSpans
constexpr int kMaxDepth = 32;                           // of lists in lists

std::string hex(std::string_view bytes) {
  std::string out;
  bool is_zero = true;
  for (const char c : bytes.substr(0, 64)) { // 16 and 8 bytes; hostile ones are longer
    out += fmt::format("{:02x}", static_cast<unsigned char>(c));
    is_zero = is_zero && c == 0;
  }
  return is_zero ? std::string() : out;
}

json plain(Message any, int depth);

void pair_into(Message pair, json& out, int depth) {
  std::string key;
  json value;
  while (pair.next()) {
    if (pair.tag() == 1)
      key = pair.bytes();
    else if (pair.tag() == 2)
      value = plain(pair.message(), depth);
    else
      pair.skip();
  }
  out[key] = std::move(value);
}

json plain_list(Message list, bool has_keys, int depth) {
  json out = has_keys ? json::object() : json::array();
  if (depth > kMaxDepth) return out;
  while (list.next(1)) {
    if (has_keys)
      pair_into(list.message(), out, depth + 1);
    else
      out.push_back(plain(list.message(), depth + 1));
  }
  return out;
}

json plain(Message any, int depth) {
  json value;
  while (any.next()) {
    switch (any.tag()) {
    case 1:
    case 7:
      value = std::string(any.bytes());
      break;
    case 2:
      value = any.number() != 0;
      break;
    case 3:
      value = any.integer();
      break;
    case 4:
      value = any.real();
      break;
    case 5:
    case 6: {
      const bool has_keys = any.tag() == 6;
      value = plain_list(any.message(), has_keys, depth);
      break;
    }
    default:
      any.skip();
    }
  }
  return value;
}

void status_into(Message status, Span& span) {
  while (status.next()) {
    if (status.tag() == 2)
      span.status_message = status.bytes();
    else if (status.tag() == 3)
      span.status = static_cast<int>(status.number32());
    else
      status.skip();
  }
}

void span_into(Message from, Spans& spans) {
  Span span;
  while (from.next()) {
    switch (from.tag()) {
    case 1:
      span.trace_id = hex(from.bytes());
      break;
    case 2:
      span.id = hex(from.bytes());
      break;
    case 4:
      span.parent_id = hex(from.bytes());
      break;
    case 5:
      span.name = from.bytes();
      break;
    case 6:
      span.kind = static_cast<int>(from.number32());
      break;
    case 7:
      span.start = from.number();
      break;
    case 8:
      span.end = from.number();
      break;
    case 9:
      pair_into(from.message(), span.attributes, 0);
      break;
    case 11:
    case 13:
      spans.count_not_read(1);
      from.skip();
      break;
    case 15:
      status_into(from.message(), span);
      break;
    default:
      from.skip();
    }
  }
  spans.add(span);
}

void resource_spans(Message group, Spans& spans) {
  spans.begin_resource();
  while (group.next()) {
    if (group.tag() == kResource) {
      json attributes = json::object();
      Message resource = group.message();
      while (resource.next(kResourceAttributes))
        pair_into(resource.message(), attributes, 0);
      spans.resource(std::move(attributes));
    } else if (group.tag() == kScopeSpans) {
      Message scope = group.message();
      while (scope.next(kSpans))
        span_into(scope.message(), spans);
    } else {
      group.skip();
    }
  }
}

} // namespace

Status read_proto(const std::filesystem::path& path, Spans& spans, TraceSink& sink) {
  PROF_TRY(const proto::FieldReport report,
           proto::each_top_field(path, [&](std::uint32_t tag, std::string_view bytes) {
             if (tag == kResourceSpans) resource_spans(Message(bytes), spans);
           }));
  proto::note_losses(report, sink);
  return {};
}

} // namespace prof::otlp
