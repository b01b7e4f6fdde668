#include "graph/engine.hpp"
#include "base/lang.hpp"

#ifdef PROF_HAS_ENGINE_HEADERS
#include "graph/element.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <dlfcn.h>
#include <fmt/format.h>
#include <numeric>
#include <onnxruntime_c_api.h>

namespace prof {

struct Engine::Library {
  const OrtApi* api = nullptr;
  OrtEnv* env = nullptr;
  std::string version;
  Library() = default;
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  ~Library() {
    if (env != nullptr) api->ReleaseEnv(env);
    // The library itself stays loaded: its thread-local destructors may still run.
  }
};

struct EngineSession::State {
  std::shared_ptr<const Engine::Library> library;
  OrtSession* session = nullptr;
  OrtMemoryInfo* memory = nullptr;
  std::vector<EngineValueInfo> inputs, outputs;
  ~State() {
    if (memory != nullptr) library->api->ReleaseMemoryInfo(memory);
    if (session != nullptr) library->api->ReleaseSession(session);
  }
};

namespace {

// The engine's own words, and its status released.
Status check(const OrtApi* api, OrtStatus* status) {
  if (status == nullptr) return {};
  Error error =
      error_said(Errc::unsupported, "error.engine_says", {}, fmt::arg("why", api->GetErrorMessage(status)));
  api->ReleaseStatus(status);
  return error;
}

std::size_t element_size(int type) {
  std::size_t size = 0;
  with_element(type, [&size](auto zero) { size = sizeof(zero); });
  return size;
}

Result<EngineValueInfo> describe(const OrtApi* api, OrtTypeInfo* info, std::string name) {
  EngineValueInfo value{.name = std::move(name), .element_type = 0, .shape = {}};
  const OrtTensorTypeAndShapeInfo* tensor = nullptr;
  PROF_CHECK(check(api, api->CastTypeInfoToTensorInfo(info, &tensor)));
  if (tensor == nullptr) return error_said(Errc::unsupported, "error.no_tensor", value.name);
  ONNXTensorElementDataType type{};
  std::size_t rank = 0;
  PROF_CHECK(check(api, api->GetTensorElementType(tensor, &type)));
  PROF_CHECK(check(api, api->GetDimensionsCount(tensor, &rank)));
  value.element_type = static_cast<int>(type);
  value.shape.resize(rank);
  PROF_CHECK(check(api, api->GetDimensions(tensor, value.shape.data(), rank)));
  return value;
}

Result<std::vector<EngineValueInfo>> values_of(const OrtApi* api, const OrtSession* session, bool is_input) {
  std::size_t count = 0;
  PROF_CHECK(check(api, is_input ? api->SessionGetInputCount(session, &count)
                                 : api->SessionGetOutputCount(session, &count)));
  OrtAllocator* allocator = nullptr;
  PROF_CHECK(check(api, api->GetAllocatorWithDefaultOptions(&allocator)));
  std::vector<EngineValueInfo> values;
  for (std::size_t i = 0; i < count; ++i) {
    char* name = nullptr;
    OrtTypeInfo* info = nullptr;
    PROF_CHECK(check(api, is_input ? api->SessionGetInputName(session, i, allocator, &name)
                                   : api->SessionGetOutputName(session, i, allocator, &name)));
    const std::string text = name;
    PROF_CHECK(check(api, api->AllocatorFree(allocator, name)));
    PROF_CHECK(check(api, is_input ? api->SessionGetInputTypeInfo(session, i, &info)
                                   : api->SessionGetOutputTypeInfo(session, i, &info)));
    auto value = describe(api, info, text);
    api->ReleaseTypeInfo(info);
    if (!value) return std::move(value).error();
    values.push_back(*std::move(value));
  }
  return values;
}

Result<EngineTensor> read_back(const OrtApi* api, OrtValue* value) {
  EngineTensor tensor;
  OrtTensorTypeAndShapeInfo* info = nullptr;
  PROF_CHECK(check(api, api->GetTensorTypeAndShape(value, &info)));
  ONNXTensorElementDataType type{};
  std::size_t rank = 0, count = 0;
  auto status = check(api, api->GetTensorElementType(info, &type));
  if (status) status = check(api, api->GetDimensionsCount(info, &rank));
  tensor.shape.resize(rank);
  if (status) status = check(api, api->GetDimensions(info, tensor.shape.data(), rank));
  if (status) status = check(api, api->GetTensorShapeElementCount(info, &count));
  api->ReleaseTensorTypeAndShapeInfo(info);
  PROF_CHECK(std::move(status));
  tensor.element_type = static_cast<int>(type);
  void* data = nullptr;
  PROF_CHECK(check(api, api->GetTensorMutableData(value, &data)));
  if (element_size(tensor.element_type) == 0) return error_said(Errc::unsupported, "error.no_numbers", {});
  tensor.data.assign(static_cast<const char*>(data), count * element_size(tensor.element_type));
  return tensor;
}

// Owns the OrtValues of one run.
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

std::vector<std::string> candidates(const std::filesystem::path& library) {
  std::vector<std::string> names;
  if (!library.empty()) {
    if (std::filesystem::is_directory(library))
      names.push_back((library / "lib" / "libonnxruntime.so.1").string());
    else
      names.push_back(library.string());
    return names;
  }
  if (const char* path = std::getenv("PROF_ENGINE"); path != nullptr && *path != '\0')
    return candidates(path);
  return {PROF_ENGINE_DIR "/lib/libonnxruntime.so.1", "third_party/engine/lib/libonnxruntime.so.1",
          "libonnxruntime.so.1"};
}

// The newest API version that both the headers and the library know: "1.28.2" knows 28.
std::uint32_t api_version(std::string_view library_version) {
  const auto dot = library_version.find('.');
  std::uint32_t minor = 0;
  if (dot == std::string_view::npos) return 1;
  std::from_chars(library_version.data() + dot + 1, library_version.data() + library_version.size(), minor);
  return std::min<std::uint32_t>(ORT_API_VERSION, minor);
}

} // namespace

Engine::Engine(std::shared_ptr<const Library> library) : library_(std::move(library)) {}

Result<Engine> Engine::open(const std::filesystem::path& path) {
  void* handle = nullptr;
  for (const std::string& name : candidates(path)) {
    handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle != nullptr) break;
  }
  if (handle == nullptr) return error_said(Errc::missing, "error.ort_missing", path.string());
  using GetBase = const OrtApiBase* (*)();
  const auto get_base = reinterpret_cast<GetBase>(dlsym(handle, "OrtGetApiBase"));
  if (get_base == nullptr) return error_said(Errc::unsupported, "error.ort_no_base", path.string());
  auto library = std::make_shared<Library>();
  library->version = get_base()->GetVersionString();
  library->api = get_base()->GetApi(api_version(library->version));
  if (library->api == nullptr) return error_said(Errc::unsupported, "error.ort_old", path.string());
  PROF_CHECK(check(library->api, library->api->CreateEnv(ORT_LOGGING_LEVEL_FATAL, "atc", &library->env)));
  return Engine(std::move(library));
}

std::string Engine::version() const {
  return library_->version;
}

Result<EngineSession> Engine::load(std::string_view model, EngineLevel level, int threads) const {
  const OrtApi* api = library_->api;
  OrtSessionOptions* options = nullptr;
  PROF_CHECK(check(api, api->CreateSessionOptions(&options)));
  auto state = std::make_unique<EngineSession::State>();
  state->library = library_;
  auto status = check(api, api->SetSessionGraphOptimizationLevel(
                               options, level == EngineLevel::all ? ORT_ENABLE_ALL : ORT_DISABLE_ALL));
  if (status) status = check(api, api->SetIntraOpNumThreads(options, threads));
  if (status)
    status = check(api, api->CreateSessionFromArray(library_->env, model.data(), model.size(), options,
                                                    &state->session));
  api->ReleaseSessionOptions(options);
  PROF_CHECK(std::move(status));
  PROF_CHECK(check(api, api->CreateCpuMemoryInfo(OrtArenaAllocator, OrtMemTypeDefault, &state->memory)));
  PROF_TRY(state->inputs, values_of(api, state->session, true));
  PROF_TRY(state->outputs, values_of(api, state->session, false));
  return EngineSession(std::move(state));
}

EngineSession::EngineSession(std::unique_ptr<State> state) : state_(std::move(state)) {}
EngineSession::EngineSession(EngineSession&&) noexcept = default;
EngineSession& EngineSession::operator=(EngineSession&&) noexcept = default;
EngineSession::~EngineSession() = default;
const std::vector<EngineValueInfo>& EngineSession::inputs() const {
  return state_->inputs;
}
const std::vector<EngineValueInfo>& EngineSession::outputs() const {
  return state_->outputs;
}

Result<std::vector<EngineTensor>> EngineSession::run(std::span<const EngineTensor> values) {
  const OrtApi* api = state_->library->api;
  if (values.size() != state_->inputs.size())
    return error_said(Errc::bad_argument, "error.inputs_differ", {});
  Values in(api, values.size());
  std::vector<const char*> in_names, out_names;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const EngineTensor& value = values[i];
    in_names.push_back(state_->inputs[i].name.c_str());
    // The engine reads inputs only, but its C API takes a mutable pointer.
    PROF_CHECK(check(api, api->CreateTensorWithDataAsOrtValue(
                              state_->memory, const_cast<char*>(value.data.data()), value.data.size(),
                              value.shape.data(), value.shape.size(),
                              static_cast<ONNXTensorElementDataType>(value.element_type), &in.items[i])));
  }
  for (const EngineValueInfo& output : state_->outputs)
    out_names.push_back(output.name.c_str());
  Values out(api, out_names.size());
  PROF_CHECK(check(api, api->Run(state_->session, nullptr, in_names.data(), in.items.data(), in_names.size(),
                                 out_names.data(), out_names.size(), out.items.data())));
  std::vector<EngineTensor> results;
  for (OrtValue* item : out.items) {
    PROF_TRY(EngineTensor tensor, read_back(api, item));
    results.push_back(std::move(tensor));
  }
  return results;
}

} // namespace prof

#else // built where the engine's headers were not installed

namespace prof {
struct Engine::Library {};
struct EngineSession::State {
  std::vector<EngineValueInfo> inputs, outputs;
};
namespace {
Error absent() {
  return error_said(Errc::missing, "error.no_engine", {});
}
} // namespace
Engine::Engine(std::shared_ptr<const Library> library) : library_(std::move(library)) {}
Result<Engine> Engine::open(const std::filesystem::path&) {
  return absent();
}
std::string Engine::version() const {
  return {};
}
Result<EngineSession> Engine::load(std::string_view, EngineLevel, int) const {
  return absent();
}
EngineSession::EngineSession(std::unique_ptr<State> state) : state_(std::move(state)) {}
EngineSession::EngineSession(EngineSession&&) noexcept = default;
EngineSession& EngineSession::operator=(EngineSession&&) noexcept = default;
EngineSession::~EngineSession() = default;
const std::vector<EngineValueInfo>& EngineSession::inputs() const {
  return state_->inputs;
}
const std::vector<EngineValueInfo>& EngineSession::outputs() const {
  return state_->outputs;
}
Result<std::vector<EngineTensor>> EngineSession::run(std::span<const EngineTensor>) {
  return absent();
}
} // namespace prof
#endif
