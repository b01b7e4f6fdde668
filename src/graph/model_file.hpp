// model_file.hpp: models in files: ONNX, our .om container, and what is neither.
#pragma once
#include "base/result.hpp"

#include <cstdint>
#include <filesystem>
#include <onnx/onnx_pb.h>
#include <string>
#include <string_view>

namespace prof {

// The container that atc writes for --output x.om. Text in its first bytes, so that anyone who looks sees
// what it is:
//   "CANN-PROFILER-OM/1\n"  one line of JSON ending in '\n'  the serialised ONNX ModelProto, to the end of
//   the file
// The JSON holds format "onnx", bytes and sha256 of what follows, and producer. It is not Huawei's .om
// format.
inline constexpr std::string_view kContainerMagic = "CANN-PROFILER-OM/1\n";
inline constexpr std::int64_t kMaxModelBytes = (std::int64_t{1} << 31) - 1; // protobuf's own limit

[[nodiscard]] std::string to_container(std::string_view onnx_bytes);
// The ONNX bytes inside. Errors: malformed (damaged, wrong checksum).
[[nodiscard]] Result<std::string> from_container(std::string_view file);

// Parses a model out of the bytes of an ONNX file or of our container, by content. Errors: unsupported (a
// file of Huawei's .om format, weights outside the file, an operator set that is newer than this build
// knows), malformed (no model, or one that breaks ONNX' rules), budget.
[[nodiscard]] Result<onnx::ModelProto> parse_model(std::string_view file);
[[nodiscard]] Result<onnx::ModelProto> read_model(const std::filesystem::path& path);
// Deterministic. Error: budget (over 2 GiB).
[[nodiscard]] Result<std::string> serialise(const onnx::ModelProto& model);

} // namespace prof
