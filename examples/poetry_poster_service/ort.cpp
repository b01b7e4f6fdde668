#include "ort.hpp"

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <fmt/format.h>

namespace poster {
namespace {

// "1.28.2" -> 28: the newest API that the library knows.
std::uint32_t newest_api(const std::string& version) {
  const auto dot = version.find('.');
  const int minor = dot == std::string::npos ? 1 : std::atoi(version.c_str() + dot + 1);
  return std::min<std::uint32_t>(ORT_API_VERSION, static_cast<std::uint32_t>(std::max(1, minor)));
}

struct Values {
  const OrtApi* api;
  std::vector<OrtValue*> items;
  Values(const OrtApi* a, std::size_t n) : api(a), items(n, nullptr) {}
  Values(const Values&) = delete;
  Values& operator=(const Values&) = delete;
  ~Values() {
    for (OrtValue* item : items)
      if (item != nullptr) api->ReleaseValue(item);
  }
};

} // namespace

Runtime::Runtime(const std::string& library) {
  const char* named = std::getenv("POSTER_ENGINE");
  const std::string path = !library.empty() ? library : named != nullptr ? named : POSTER_ENGINE_LIBRARY;
  if (dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL) == nullptr)
    throw OrtFailure{
        fmt::format("{}: run tools/install_engine.sh, or name the library with --engine", dlerror())};
  using GetBase = const OrtApiBase* (*)();
  const auto get_base = reinterpret_cast<GetBase>(dlsym(RTLD_DEFAULT, "OrtGetApiBase"));
  if (get_base == nullptr) throw OrtFailure{path + " has no OrtGetApiBase"};
  version = get_base()->GetVersionString();
  api = get_base()->GetApi(newest_api(version));
  if (api == nullptr) throw OrtFailure{path + " is too old"};
  check(api->CreateEnv(ORT_LOGGING_LEVEL_ERROR, "poetry_poster_service", &env));
}

Runtime::~Runtime() {
  api->ReleaseEnv(env);
}

void Runtime::check(OrtStatus* status) const {
  if (status == nullptr) return;
  OrtFailure failure{api->GetErrorMessage(status)};
  api->ReleaseStatus(status);
  throw failure;
}

Model::Model(const Runtime& runtime, const std::string& path, int intra_threads) : runtime_(runtime) {
  const OrtApi* api = runtime_.api;
  OrtSessionOptions* options = nullptr;
  runtime_.check(api->CreateSessionOptions(&options));
  const std::shared_ptr<OrtSessionOptions> owner(
      options, [api](OrtSessionOptions* o) { api->ReleaseSessionOptions(o); });
  runtime_.check(api->SetSessionGraphOptimizationLevel(options, ORT_ENABLE_ALL));
  runtime_.check(api->SetIntraOpNumThreads(options, intra_threads));
  runtime_.check(api->SetInterOpNumThreads(options, 1));
  runtime_.check(api->CreateSession(runtime_.env, path.c_str(), options, &session_));
  runtime_.check(api->CreateCpuMemoryInfo(OrtArenaAllocator, OrtMemTypeDefault, &memory_));
  input_names_ = names(true);
  output_names_ = names(false);
}

Model::~Model() {
  if (memory_ != nullptr) runtime_.api->ReleaseMemoryInfo(memory_);
  if (session_ != nullptr) runtime_.api->ReleaseSession(session_);
}

std::vector<std::string> Model::names(bool is_input) const {
  const OrtApi* api = runtime_.api;
  std::size_t count = 0;
  runtime_.check(is_input ? api->SessionGetInputCount(session_, &count)
                          : api->SessionGetOutputCount(session_, &count));
  OrtAllocator* allocator = nullptr;
  runtime_.check(api->GetAllocatorWithDefaultOptions(&allocator));
  std::vector<std::string> result;
  for (std::size_t i = 0; i < count; ++i) {
    char* name = nullptr;
    runtime_.check(is_input ? api->SessionGetInputName(session_, i, allocator, &name)
                            : api->SessionGetOutputName(session_, i, allocator, &name));
    result.emplace_back(name);
    runtime_.check(api->AllocatorFree(allocator, name));
  }
  return result;
}

std::vector<Tensor> Model::run(std::span<const Tensor> inputs) const {
  const OrtApi* api = runtime_.api;
  Values in(api, inputs.size());
  Values out(api, output_names_.size());
  std::vector<const char*> in_names, out_names;
  for (const std::string& name : input_names_)
    in_names.push_back(name.c_str());
  for (const std::string& name : output_names_)
    out_names.push_back(name.c_str());
  if (inputs.size() != in_names.size())
    throw OrtFailure{fmt::format("the model takes {} inputs, not {}", in_names.size(), inputs.size())};
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Tensor& t = inputs[i];
    const bool is_float = !t.f32.empty();
    // The engine only reads inputs; its C API wants a mutable pointer.
    void* data = is_float ? static_cast<void*>(const_cast<float*>(t.f32.data()))
                          : const_cast<std::int64_t*>(t.i64.data());
    const std::size_t bytes = is_float ? t.f32.size() * sizeof(float) : t.i64.size() * sizeof(std::int64_t);
    runtime_.check(api->CreateTensorWithDataAsOrtValue(
        memory_, data, bytes, t.shape.data(), t.shape.size(),
        is_float ? ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT : ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64, &in.items[i]));
  }
  runtime_.check(api->Run(session_, nullptr, in_names.data(), in.items.data(), in.items.size(),
                          out_names.data(), out_names.size(), out.items.data()));
  std::vector<Tensor> results(out.items.size());
  for (std::size_t i = 0; i < out.items.size(); ++i) {
    OrtTensorTypeAndShapeInfo* info = nullptr;
    std::size_t rank = 0, count = 0;
    runtime_.check(api->GetTensorTypeAndShape(out.items[i], &info));
    const std::shared_ptr<OrtTensorTypeAndShapeInfo> owner(
        info, [api](OrtTensorTypeAndShapeInfo* o) { api->ReleaseTensorTypeAndShapeInfo(o); });
    runtime_.check(api->GetDimensionsCount(info, &rank));
    results[i].shape.resize(rank);
    runtime_.check(api->GetDimensions(info, results[i].shape.data(), rank));
    runtime_.check(api->GetTensorShapeElementCount(info, &count));
    ONNXTensorElementDataType type{};
    runtime_.check(api->GetTensorElementType(info, &type));
    if (type != ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT) throw OrtFailure{"an output is not float"};
    void* data = nullptr;
    runtime_.check(api->GetTensorMutableData(out.items[i], &data));
    results[i].f32.assign(static_cast<const float*>(data), static_cast<const float*>(data) + count);
  }
  return results;
}

} // namespace poster
