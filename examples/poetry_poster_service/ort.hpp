// ort.hpp: the few calls of ONNX Runtime's C API that the service makes, behind owning types.
#pragma once
#include <cstdint>
#include <memory>
#include <onnxruntime_c_api.h>
#include <span>
#include <string>
#include <vector>

namespace poster {

// Thrown with the engine's own words; main() prints it, a request answers 500 with it.
struct OrtFailure {
  std::string what;
};

// A dense tensor: f32 or i64 by which vector is filled.
struct Tensor {
  std::vector<std::int64_t> shape;
  std::vector<float> f32;
  std::vector<std::int64_t> i64;
};

// The engine, found by dlopen so that one binary runs with any ONNX Runtime from 1.17 on.
class Runtime {
public:
  // `library` is a path, or empty for the engine that the project installed. The entry point is looked up in
  // the global scope, so that a preloaded wrapper of OrtGetApiBase is seen as it would be by a program linked
  // to the engine.
  explicit Runtime(const std::string& library);
  ~Runtime();
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;
  const OrtApi* api = nullptr;
  OrtEnv* env = nullptr;
  std::string version;
  void check(OrtStatus* status) const;
};

// One model. run() may be called from several threads.
class Model {
public:
  Model(const Runtime& runtime, const std::string& path, int intra_threads);
  ~Model();
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;
  // Inputs in the order of the model. Returns every output; all must be f32.
  std::vector<Tensor> run(std::span<const Tensor> inputs) const;

private:
  std::vector<std::string> names(bool is_input) const;
  const Runtime& runtime_;
  OrtSession* session_ = nullptr;
  OrtMemoryInfo* memory_ = nullptr;
  std::vector<std::string> input_names_, output_names_;
};

} // namespace poster
