// ort_probe: runs a model a number of times through a dlopen'ed ONNX Runtime, as a service would that knows
// nothing of us.
//
//   ort_probe LIBRARY MODEL RUNS [--dim N] [--profile PREFIX] [--bytes]
//
// Prints "cpu_ns <median CPU ns of a run>" and, with --profile, "profile <file>". --bytes loads the model
// from memory.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dlfcn.h>
#include <fstream>
#include <iterator>
#include <onnxruntime_c_api.h>
#include <string>
#include <vector>

namespace {

const OrtApi* g_api = nullptr;

void check(OrtStatus* status) {
  if (status == nullptr) return;
  std::fprintf(stderr, "ort_probe: %s\n", g_api->GetErrorMessage(status));
  std::exit(1);
}

long long cpu_ns() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return t.tv_sec * 1'000'000'000LL + t.tv_nsec;
}

struct Input {
  std::string name;
  std::vector<std::int64_t> dims;
  std::vector<char> bytes;
  OrtValue* value = nullptr;
};

// A tensor for input `index`: 0.25 everywhere (16000 for integers, Silero's sample rate), open dimensions
// closed with `dim`.
Input make_input(OrtSession* session, std::size_t index, std::int64_t dim, const OrtMemoryInfo* memory,
                 OrtAllocator* allocator) {
  Input input;
  char* name = nullptr;
  check(g_api->SessionGetInputName(session, index, allocator, &name));
  input.name = name;
  OrtTypeInfo* type_info = nullptr;
  check(g_api->SessionGetInputTypeInfo(session, index, &type_info));
  const OrtTensorTypeAndShapeInfo* tensor = nullptr;
  check(g_api->CastTypeInfoToTensorInfo(type_info, &tensor));
  ONNXTensorElementDataType type{};
  check(g_api->GetTensorElementType(tensor, &type));
  std::size_t rank = 0;
  check(g_api->GetDimensionsCount(tensor, &rank));
  input.dims.resize(rank);
  check(g_api->GetDimensions(tensor, input.dims.data(), rank));
  std::size_t count = 1;
  for (std::size_t i = 0; i < rank; ++i) {
    const bool is_batch = i == 0 || (rank == 3 && i == 1);
    if (input.dims[i] <= 0) input.dims[i] = is_batch ? 1 : dim;
    count *= static_cast<std::size_t>(input.dims[i]);
  }
  const bool is_float = type == ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT;
  input.bytes.resize(count * (is_float ? 4 : 8));
  for (std::size_t i = 0; i < count; ++i) {
    const float number = 0.25F;
    const std::int64_t integer = 16000;
    if (is_float)
      std::memcpy(input.bytes.data() + i * 4, &number, 4);
    else
      std::memcpy(input.bytes.data() + i * 8, &integer, 8);
  }
  check(g_api->CreateTensorWithDataAsOrtValue(memory, input.bytes.data(), input.bytes.size(),
                                              input.dims.data(), rank, type, &input.value));
  g_api->ReleaseTypeInfo(type_info);
  return input;
}

} // namespace

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  std::int64_t dim = 32;
  const char* profile = nullptr;
  bool from_bytes = false;
  for (int i = 4; i < argc; ++i) {
    if (std::strcmp(argv[i], "--dim") == 0)
      dim = std::atoll(argv[++i]);
    else if (std::strcmp(argv[i], "--profile") == 0)
      profile = argv[++i];
    else if (std::strcmp(argv[i], "--bytes") == 0)
      from_bytes = true;
  }
  void* library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    std::fprintf(stderr, "ort_probe: %s\n", dlerror());
    return 1;
  }
  const auto get_base = reinterpret_cast<const OrtApiBase* (*)()>(dlsym(library, "OrtGetApiBase"));
  const unsigned minor = static_cast<unsigned>(std::strtoul(get_base()->GetVersionString() + 2, nullptr, 10));
  g_api = get_base()->GetApi(std::min<unsigned>(ORT_API_VERSION, minor));

  OrtEnv* env = nullptr;
  OrtSessionOptions* options = nullptr;
  OrtSession* session = nullptr;
  check(g_api->CreateEnv(ORT_LOGGING_LEVEL_ERROR, "probe", &env));
  check(g_api->CreateSessionOptions(&options));
  check(g_api->SetIntraOpNumThreads(options, 1));
  if (profile != nullptr) check(g_api->EnableProfiling(options, profile));
  if (from_bytes) {
    std::ifstream file(argv[2], std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    check(g_api->CreateSessionFromArray(env, bytes.data(), bytes.size(), options, &session));
  } else {
    check(g_api->CreateSession(env, argv[2], options, &session));
  }
  OrtAllocator* allocator = nullptr;
  OrtMemoryInfo* memory = nullptr;
  check(g_api->GetAllocatorWithDefaultOptions(&allocator));
  check(g_api->CreateCpuMemoryInfo(OrtArenaAllocator, OrtMemTypeDefault, &memory));
  std::size_t input_count = 0, output_count = 0;
  check(g_api->SessionGetInputCount(session, &input_count));
  check(g_api->SessionGetOutputCount(session, &output_count));
  std::vector<Input> inputs;
  for (std::size_t i = 0; i < input_count; ++i)
    inputs.push_back(make_input(session, i, dim, memory, allocator));
  std::vector<const char*> input_names, output_names;
  std::vector<const OrtValue*> values;
  for (const Input& input : inputs) {
    input_names.push_back(input.name.c_str());
    values.push_back(input.value);
  }
  for (std::size_t i = 0; i < output_count; ++i) {
    char* name = nullptr;
    check(g_api->SessionGetOutputName(session, i, allocator, &name));
    output_names.push_back(name);
  }
  std::vector<long long> times;
  for (long run = std::atol(argv[3]); run > 0; --run) {
    std::vector<OrtValue*> outputs(output_count, nullptr);
    const long long begin = cpu_ns();
    check(g_api->Run(session, nullptr, input_names.data(), values.data(), input_count, output_names.data(),
                     output_count, outputs.data()));
    times.push_back(cpu_ns() - begin);
    for (OrtValue* output : outputs)
      g_api->ReleaseValue(output);
  }
  if (profile != nullptr) {
    char* file = nullptr;
    check(g_api->SessionEndProfiling(session, allocator, &file));
    std::printf("profile %s\n", file);
  }
  std::sort(times.begin(), times.end());
  std::printf("cpu_ns %lld\n", times.empty() ? 0 : times[times.size() / 2]);
  g_api->ReleaseSession(session);
  return 0;
}
