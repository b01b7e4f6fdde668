// ort_api.hpp: the entries of ONNX Runtime's C API that the shim uses, by their place in the OrtApi table.
// The table is only ever appended to, so the places hold for all versions (tests/sdk checks them against the
// header of the installed engine).
#pragma once
#include <cstddef>
#include <cstdint>

namespace prof::shim {

enum ApiEntry : std::uint32_t {
  kCreateSession = 7,
  kCreateSessionFromArray = 8,
  kRun = 9,
  kIsTensor = 50,
  kGetTensorElementType = 60,
  kGetDimensionsCount = 61,
  kGetDimensions = 62,
  kGetTensorTypeAndShape = 65,
  kAllocatorFree = 76,
  kGetAllocatorWithDefaultOptions = 78,
  kKernelContextGetInputCount = 88,
  kKernelContextGetInput = 90,
  kReleaseStatus = 93,
  kReleaseSession = 95,
  kReleaseTensorTypeAndShapeInfo = 99,
  kSessionGetModelMetadata = 111,
  kModelMetadataGetGraphName = 113,
  kReleaseModelMetadata = 118,
  kRunWithBinding = 133,
  kCreateSessionWithPrepackedWeights = 168,
  kCreateSessionFromArrayWithPrepackedWeights = 169,
  kKernelInfoGetOutputName = 233,   // since 1.14
  kKernelInfoGetNodeName = 244,     // since 1.15
  kRunAsync = 260,                  // since 1.16
  kKernelInfoGetOperatorType = 393, // since 1.24
};
inline constexpr std::uint32_t kNodeNameSince = 15, kRunAsyncSince = 16, kOperatorTypeSince = 24;

struct ApiBase {
  const void* const* (*get_api)(std::uint32_t version);
  const char* (*version_string)();
};

// The library in use. `api` is its real table, in which run_hook.cpp has replaced some entries.
struct Ort {
  const void* const* api = nullptr;
  std::uint32_t minor = 0;
  char version[32] = {};
  template <class Function>
  [[nodiscard]] Function* entry(ApiEntry at) const {
    return reinterpret_cast<Function*>(const_cast<void*>(api[at]));
  }
};
extern Ort g_ort;

} // namespace prof::shim
