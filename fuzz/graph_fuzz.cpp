// Two ways in: any bytes as a model file, and bytes that choose a graph made of what the passes look for. The
// first must end in an answer; the second always converts, and what comes out is a model that is read again.
#include "../tests/graph/random_graph.hpp"
#include "graph/border.hpp"
#include "graph/model_file.hpp"
#include "graph/optimise.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace {

void must_be(bool is_true) {
  if (!is_true) std::abort();
}

void convert(const onnx::ModelProto& model, bool must_work) {
  const auto result = prof::optimise(model, {});
  must_be(result.ok() || !must_work);
  if (!result.ok()) return;
  const auto bytes = prof::serialise(result->model);
  must_be(bytes.ok());
  must_be(prof::parse_model(*bytes).ok() || !must_work);
  auto turned = model;
  (void)prof::change_border_layout(turned, prof::Layout::nchw, prof::Layout::nhwc);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::span<const std::uint8_t> rest(data + 1, size - 1);
  if (data[0] == 'G') { // no model begins so
    convert(prof::test::RandomGraph(rest).make(), true);
    return 0;
  }
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  (void)prof::parse_fusion_config(bytes);
  if (const auto model = prof::parse_model(bytes)) convert(*model, false);
  return 0;
}
