// engine.hpp: runs a model in ONNX Runtime, loaded at run time. For the proof that a pass changed no output,
// and to measure.
#pragma once
#include "base/result.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace prof {

// An input or output of a model as the engine sees it. -1 stands for a dimension that is free.
struct EngineValueInfo {
  std::string name;
  int element_type = 0; // onnx.TensorProto.DataType
  std::vector<std::int64_t> shape;
};

// A dense tensor of any element type with fixed size; data is row-major and little-endian.
struct EngineTensor {
  int element_type = 0;
  std::vector<std::int64_t> shape;
  std::string data;
};

// How the engine itself optimises: its "disabled" and "all".
enum class EngineLevel : std::uint8_t { none, all };

// A loaded model. Not thread-safe. Keeps the engine alive.
class EngineSession {
public:
  EngineSession(EngineSession&&) noexcept;
  EngineSession& operator=(EngineSession&&) noexcept;
  ~EngineSession();
  [[nodiscard]] const std::vector<EngineValueInfo>& inputs() const;
  [[nodiscard]] const std::vector<EngineValueInfo>& outputs() const;
  // One run; `values` in the order of inputs(). Errors: unsupported with the engine's words.
  [[nodiscard]] Result<std::vector<EngineTensor>> run(std::span<const EngineTensor> values);
  struct State;

private:
  friend class Engine;
  explicit EngineSession(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// The library. Cheap to copy. Errors of open: missing (no library; the message says how to install it),
// unsupported.
class Engine {
public:
  // Empty path: $PROF_ENGINE, then third_party/engine beside the sources, then what the loader finds.
  [[nodiscard]] static Result<Engine> open(const std::filesystem::path& library);
  [[nodiscard]] std::string version() const;
  // `model` is a serialised ModelProto. `threads` is the number of intra-op threads.
  [[nodiscard]] Result<EngineSession> load(std::string_view model, EngineLevel level, int threads) const;
  struct Library;

private:
  explicit Engine(std::shared_ptr<const Library> library);
  std::shared_ptr<const Library> library_; // shared: sessions outlive the Engine value they came from
};

} // namespace prof
