#include "graph/model_file.hpp"

#include "base/file.hpp"
#include "base/lang.hpp"
#include "base/sha256.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <nlohmann/json.hpp>
#include <onnx/checker.h>

namespace prof {
namespace {

constexpr std::int64_t kNewestOpset = 17, kNewestIr = 8; // of the ONNX library in Debian 12
// Before it, operators broadcast by attributes that no pass looks at; ONNX Runtime promises nothing below it
// either.
constexpr std::int64_t kOldestOpset = 7;
// Huawei's offline model header begins with the little-endian number 0x444F4D49.
constexpr std::string_view kHuaweiMagic = "IMOD";

// A checker message without its dump of the node, on one line.
std::string first_line(std::string_view text) {
  return std::string(text.substr(0, std::min(text.find('\n'), std::size_t{300})));
}

Status check_version(const onnx::ModelProto& model) {
  for (const auto& set : model.opset_import())
    if ((set.domain().empty() || set.domain() == "ai.onnx") &&
        (set.version() > kNewestOpset || set.version() < kOldestOpset))
      return error_said(Errc::unsupported, "error.onnx_opset", {}, fmt::arg("opset", set.version()),
                        fmt::arg("oldest", kOldestOpset), fmt::arg("newest", kNewestOpset));
  if (model.ir_version() > 64 || model.ir_version() < 1)
    return error_said(Errc::malformed, "error.no_onnx", {});
  return {};
}

// The checker knows the operators of ONNX only. ONNX Runtime has some of its own in the same domain, which
// its saved models and ours use: for the time of the check they stand in a domain that the checker does not
// look into.
void set_engine_domain(onnx::GraphProto& graph, const std::string& from, const std::string& to) {
  for (auto& node : *graph.mutable_node())
    if (node.op_type() == "SimplifiedLayerNormalization" && node.domain() == from) node.set_domain(to);
}

Status run_checker(onnx::ModelProto& model) {
  const std::int64_t ir = model.ir_version();
  // A newer IR version only adds fields that these operator sets do not use.
  model.set_ir_version(std::min(ir, kNewestIr));
  auto* set = model.add_opset_import();
  set->set_domain("atc.engine");
  set->set_version(1);
  set_engine_domain(*model.mutable_graph(), "", "atc.engine");
  Status status;
  try {
    onnx::checker::check_model(model);
  } catch (const std::exception& e) {
    status = error_said(Errc::malformed, "error.onnx_rules", {}, fmt::arg("why", first_line(e.what())));
  }
  set_engine_domain(*model.mutable_graph(), "atc.engine", "");
  model.mutable_opset_import()->RemoveLast();
  model.set_ir_version(ir);
  return status;
}

bool is_outside(const onnx::TensorProto& tensor) {
  return tensor.data_location() == onnx::TensorProto::EXTERNAL || tensor.external_data_size() > 0;
}

bool is_outside(const onnx::SparseTensorProto& tensor) {
  return is_outside(tensor.values()) || is_outside(tensor.indices());
}

// Does any tensor, at any depth, lie in another file? Nested graphs are put on a list, as nesting is the
// file's choice.
bool has_outside_data(const onnx::ModelProto& model) {
  const auto any = [](const auto& tensors) {
    return std::ranges::any_of(tensors, [](const auto& t) { return is_outside(t); });
  };
  std::vector<const onnx::GraphProto*> open{&model.graph()};
  bool is_found = false;
  const auto look = [&](const auto& nodes) {
    for (const auto& node : nodes)
      for (const auto& a : node.attribute()) {
        is_found = is_found || is_outside(a.t()) || is_outside(a.sparse_tensor()) || any(a.tensors()) ||
                   any(a.sparse_tensors());
        if (a.has_g()) open.push_back(&a.g());
        for (const auto& graph : a.graphs())
          open.push_back(&graph);
      }
  };
  for (const auto& function : model.functions())
    look(function.node());
  while (!open.empty() && !is_found) {
    const onnx::GraphProto& graph = *open.back();
    open.pop_back();
    is_found = any(graph.initializer()) || any(graph.sparse_initializer());
    look(graph.node());
  }
  return is_found;
}

Status check_model(onnx::ModelProto& model) {
  if (!model.has_graph() || model.opset_import_size() == 0)
    return error_said(Errc::malformed, "error.no_onnx", {});
  PROF_CHECK(check_version(model));
  // Before the checker, which would look for those files wherever the model says they are.
  if (has_outside_data(model)) return error_said(Errc::unsupported, "error.onnx_external", {});
  return run_checker(model);
}

} // namespace

std::string to_container(std::string_view bytes) {
  const nlohmann::json head{{"format", "onnx"},
                            {"bytes", bytes.size()},
                            {"sha256", sha256_hex(bytes)},
                            {"producer", "atc (CANN Profiler)"}};
  return std::string(kContainerMagic) + head.dump() + "\n" + std::string(bytes);
}

Result<std::string> from_container(std::string_view file) {
  const std::string_view rest = file.substr(std::min(kContainerMagic.size(), file.size()));
  const auto end = rest.substr(0, 4096).find('\n');
  if (!file.starts_with(kContainerMagic) || end == std::string_view::npos)
    return error_said(Errc::malformed, "error.om_header", {});
  const auto head = nlohmann::json::parse(rest.substr(0, end), nullptr, false);
  const std::string_view bytes = rest.substr(end + 1);
  if (!head.is_object() || !head.contains("bytes") || !head["bytes"].is_number_unsigned() ||
      !head.contains("sha256") || !head["sha256"].is_string())
    return error_said(Errc::malformed, "error.om_header", {});
  if (head["bytes"].get<std::uint64_t>() != bytes.size() ||
      head["sha256"].get<std::string>() != sha256_hex(bytes))
    return error_said(Errc::malformed, "error.om_changed", {});
  return std::string(bytes);
}

Result<onnx::ModelProto> parse_model(std::string_view file) {
  if (file.starts_with(kHuaweiMagic)) return error_said(Errc::unsupported, "error.om_huawei", {});
  std::string inner;
  if (file.starts_with(kContainerMagic)) {
    PROF_TRY(inner, from_container(file));
    file = inner;
  }
  if (file.empty()) return error_said(Errc::malformed, "error.empty_file", {});
  if (static_cast<std::int64_t>(file.size()) > kMaxModelBytes)
    return error_said(Errc::budget, "error.model_large", {});
  onnx::ModelProto model;
  google::protobuf::io::ArrayInputStream array(file.data(), static_cast<int>(file.size()));
  google::protobuf::io::CodedInputStream coded(&array);
  coded.SetTotalBytesLimit(static_cast<int>(kMaxModelBytes));
  if (!model.ParseFromCodedStream(&coded) || !coded.ConsumedEntireMessage())
    return error_said(Errc::malformed, "error.no_onnx_or_cut", {});
  PROF_CHECK(check_model(model));
  return model;
}

Result<onnx::ModelProto> read_model(const std::filesystem::path& path) {
  PROF_TRY(const std::string bytes, read_file(path, kMaxModelBytes));
  auto model = parse_model(bytes);
  if (!model) return std::move(model).error().at(path.string());
  return model;
}

Result<std::string> serialise(const onnx::ModelProto& model) {
  if (static_cast<std::int64_t>(model.ByteSizeLong()) > kMaxModelBytes)
    return error_said(Errc::budget, "error.model_large", {});
  std::string bytes;
  {
    google::protobuf::io::StringOutputStream stream(&bytes);
    google::protobuf::io::CodedOutputStream coded(&stream);
    coded.SetSerializationDeterministic(true);
    if (!model.SerializeToCodedStream(&coded))
      return error_said(Errc::internal, "error.model_not_written", {});
  }
  return bytes;
}

} // namespace prof
