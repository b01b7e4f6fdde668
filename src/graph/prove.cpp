#include "graph/prove.hpp"

#include "base/lang.hpp"
#include "graph/element.hpp"
#include "graph/tensor_data.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <ctime>
#include <fmt/format.h>
#include <numbers>
#include <type_traits>

namespace prof {
namespace {

constexpr int kUint8 = 2, kFloat16 = 10, kBfloat16 = 16; // onnx.TensorProto.DataType
// Below this a difference is rounding whatever the scale: eight steps of a float at 1. Probabilities near 0
// need it.
constexpr double kAbsoluteFloor = 1e-6;
constexpr std::int64_t kFreeDimension = 64; // a multiple of what image networks downsample by
constexpr std::int64_t kMaxElements = std::int64_t{1} << 28;

// SplitMix64: the same numbers on every platform.
class Random {
public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15U);
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31U);
  }
  double uniform() { return static_cast<double>(next() >> 11U) * 0x1.0p-53; }
  float normal() {
    const double u = std::max(uniform(), 1e-12), v = uniform();
    return static_cast<float>(std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v));
  }

private:
  std::uint64_t state_;
};

// Floats are normal, bytes are any (pictures), other integers and truth values 0 or 1.
Status fill(EngineTensor& tensor, std::int64_t count, Random& random, const std::string& name) {
  const bool is_known = with_element(tensor.element_type, [&](auto zero) {
    using T = decltype(zero);
    tensor.data.reserve(static_cast<std::size_t>(count) * sizeof(T));
    for (std::int64_t i = 0; i < count; ++i) {
      if constexpr (std::is_integral_v<T>)
        append_element(tensor.data,
                       static_cast<T>(random.next() % (tensor.element_type == kUint8 ? 256 : 2)));
      else if constexpr (std::is_floating_point_v<T>)
        append_element(tensor.data, static_cast<T>(random.normal()));
      else
        append_element(tensor.data, T::from(random.normal()));
    }
  });
  if (is_known) return {};
  return error_said(Errc::unsupported, "error.no_random", {}, fmt::arg("type", tensor.element_type),
                    fmt::arg("name", name));
}

// All numbers of a tensor as doubles.
std::vector<double> numbers(const EngineTensor& t) {
  std::vector<double> out;
  with_element(t.element_type, [&](auto value) {
    out.reserve(t.data.size() / sizeof(value));
    for (std::size_t at = 0; at + sizeof(value) <= t.data.size(); at += sizeof(value)) {
      std::memcpy(&value, t.data.data() + at, sizeof(value));
      out.push_back(static_cast<double>(value));
    }
  });
  return out;
}

// What a number type resolves at best: four of its steps at 1. No tolerance asks for more.
double resolution(int element_type) {
  return element_type == kFloat16 ? 0x1.0p-8 : element_type == kBfloat16 ? 0x1.0p-5 : 0;
}

void compare(OutputProof& proof, const EngineTensor& a, const EngineTensor& b, double tolerance) {
  if (a.shape != b.shape || a.element_type != b.element_type) {
    proof.is_equal = false;
    proof.max_abs = proof.max_rel = INFINITY;
    return;
  }
  const auto x = numbers(a), y = numbers(b);
  double difference = 0, largest = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    // Infinities and NaNs must stand in the same places.
    if (std::isfinite(x[i]) && std::isfinite(y[i])) {
      difference = std::max(difference, std::fabs(x[i] - y[i]));
      largest = std::max(largest, std::fabs(x[i]));
    } else if (!(std::isnan(x[i]) && std::isnan(y[i])) && x[i] != y[i]) {
      difference = INFINITY;
    }
  }
  const double relative = difference == 0 ? 0 : largest > 0 ? difference / largest : INFINITY;
  proof.max_abs = std::max(proof.max_abs, difference);
  proof.max_rel = std::max(proof.max_rel, relative);
  proof.largest = std::max(proof.largest, largest);
  if (difference > kAbsoluteFloor && relative > std::max(tolerance, resolution(a.element_type)))
    proof.is_equal = false;
}

double thread_cpu_ms() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) / 1e6;
}

} // namespace

bool Proof::is_equal() const {
  return std::ranges::all_of(outputs, &OutputProof::is_equal);
}

Result<std::vector<EngineTensor>> random_inputs(const EngineSession& session, const ProofOptions& options,
                                                int trial) {
  std::vector<EngineTensor> inputs;
  std::int64_t elements_left = kMaxElements; // for all inputs together
  for (const auto& [name, shape] : options.shapes)
    if (std::ranges::none_of(session.inputs(), [&](const EngineValueInfo& i) { return i.name == name; }))
      return error_said(Errc::bad_argument, "error.no_input", {}, fmt::arg("name", name));
  Random random(options.seed * 1000 + static_cast<std::uint64_t>(trial));
  for (const EngineValueInfo& info : session.inputs()) {
    EngineTensor tensor{.element_type = info.element_type, .shape = info.shape, .data = {}};
    const auto given = options.shapes.find(info.name);
    if (given != options.shapes.end()) {
      if (given->second.size() != info.shape.size())
        return error_said(Errc::bad_argument, "error.input_dimensions", {}, fmt::arg("name", info.name),
                          fmt::arg("n", info.shape.size()));
      tensor.shape = given->second;
    }
    for (std::size_t k = 0; k < tensor.shape.size(); ++k)
      if (tensor.shape[k] < 0) tensor.shape[k] = k == 0 ? 1 + trial : kFreeDimension;
    const std::int64_t count = element_count(tensor.shape);
    if (count < 0 || count > elements_left)
      return error_said(Errc::budget, "error.input_large", {}, fmt::arg("name", info.name));
    elements_left -= count;
    PROF_CHECK(fill(tensor, count, random, info.name));
    inputs.push_back(std::move(tensor));
  }
  return inputs;
}

Result<Proof> prove_equal(const Engine& engine, std::string_view before, std::string_view after,
                          const ProofOptions& options) {
  auto a = engine.load(before, EngineLevel::none, options.threads);
  if (!a) return std::move(a).error().at("the given model");
  // Run once first: a model that only fails when it runs is reported as the given one's fault.
  PROF_TRY(const auto probe, random_inputs(*a, options, 0));
  if (auto ran = a->run(probe); !ran) return std::move(ran).error().at("the given model");
  auto b = engine.load(after, EngineLevel::all, options.threads);
  if (!b) return std::move(b).error().at("the converted model");
  Proof proof{.outputs = {},
              .trials = options.trials,
              .tolerance = options.tolerance,
              .engine = engine.version(),
              .input_shapes = {}};
  for (const EngineValueInfo& output : a->outputs())
    proof.outputs.push_back({.name = output.name});
  for (int trial = 0; trial < options.trials; ++trial) {
    PROF_TRY(const auto inputs, random_inputs(*a, options, trial));
    auto x = a->run(inputs);
    if (!x) return std::move(x).error().at("the given model");
    auto y = b->run(inputs);
    if (!y) return std::move(y).error().at("the converted model");
    if (y->size() != x->size()) return error_said(Errc::internal, "error.outputs_differ", {});
    for (std::size_t i = 0; i < x->size(); ++i)
      compare(proof.outputs[i], (*x)[i], (*y)[i], options.tolerance);
    proof.input_shapes.clear();
    for (std::size_t i = 0; i < inputs.size(); ++i)
      proof.input_shapes.push_back(
          fmt::format("{}: {}", a->inputs()[i].name, fmt::join(inputs[i].shape, " x ")));
  }
  return proof;
}

Result<std::vector<Measured>> measure(const Engine& engine, const std::vector<std::string_view>& models,
                                      const std::vector<EngineLevel>& levels, const ProofOptions& options,
                                      int runs) {
  constexpr int kWarm = 3;
  std::vector<EngineSession> sessions;
  for (std::size_t i = 0; i < models.size(); ++i) {
    PROF_TRY(EngineSession session, engine.load(models[i], levels[i], 1));
    sessions.push_back(std::move(session));
  }
  PROF_TRY(const auto inputs, random_inputs(sessions[0], options, 0));
  std::vector<std::vector<double>> times(models.size());
  for (int run = 0; run < runs + kWarm; ++run) {
    for (std::size_t i = 0; i < sessions.size(); ++i) {
      const double start = thread_cpu_ms();
      auto outputs = sessions[i].run(inputs);
      if (!outputs) return std::move(outputs).error();
      if (run >= kWarm) times[i].push_back(thread_cpu_ms() - start);
    }
  }
  std::vector<Measured> result;
  for (auto& t : times) {
    std::ranges::sort(t);
    const auto at = [&t](double p) {
      return t[static_cast<std::size_t>(p * static_cast<double>(t.size() - 1))];
    };
    result.push_back({at(0.5), at(0.1), at(0.9)});
  }
  return result;
}

} // namespace prof
