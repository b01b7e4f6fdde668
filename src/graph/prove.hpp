// prove.hpp: do two models give the same outputs? Both are run on the same random inputs.
#pragma once
#include "graph/engine.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace prof {

struct ProofOptions {
  std::uint64_t seed = 1;
  int trials = 3; // each with other numbers; a free first dimension is 1, 2, 3, ...
  // A difference is allowed up to this share of the largest absolute value of its output, and up to 1e-6 in
  // any case; for outputs in half precision up to what that resolves (2^-8, bfloat16 2^-5).
  double tolerance = 1e-4;
  int threads = 1;
  // Shapes for inputs with free dimensions: name -> dimensions. Without one, free dimensions are 64.
  std::map<std::string, std::vector<std::int64_t>> shapes;
};

struct OutputProof {
  std::string name;
  double max_abs = 0; // largest |a - b| over all trials
  double max_rel = 0; // largest of (max |a - b|) / (max |a|) of a trial
  double largest = 0; // max |a|
  bool is_equal = true;
};

struct Proof {
  std::vector<OutputProof> outputs;
  int trials = 0;
  double tolerance = 0;
  std::string engine;                    // version
  std::vector<std::string> input_shapes; // of the last trial: "latent: 2 x 16 x 32 x 24"
  [[nodiscard]] bool is_equal() const;
};

// Both models run at the engine's "disabled" level for `before` and "all" for `after`: the proof covers what
// will be run. Errors: of the engine; bad_argument (a shape for an input that does not exist); missing (an
// input of a type that random numbers make no sense for).
[[nodiscard]] Result<Proof> prove_equal(const Engine& engine, std::string_view before, std::string_view after,
                                        const ProofOptions& options);

// Random inputs for a session: floats are normal, bytes any, other integers from 0 to 1 (any vocabulary has
// these), booleans both. Error: budget (more than 2^28 elements in all).
[[nodiscard]] Result<std::vector<EngineTensor>> random_inputs(const EngineSession& session,
                                                              const ProofOptions& options, int trial);

struct Measured {
  double median_ms = 0, p10_ms = 0, p90_ms = 0; // CPU time of one run
};
// CPU time of each model under the engine's level "all" and one thread, in turn, `runs` times each after
// three warm-ups.
[[nodiscard]] Result<std::vector<Measured>> measure(const Engine& engine,
                                                    const std::vector<std::string_view>& models,
                                                    const std::vector<EngineLevel>& levels,
                                                    const ProofOptions& options, int runs);

} // namespace prof
