// pipeline.hpp: text -> tokens -> text states -> denoised latent -> picture, for a batch of requests.
#pragma once
#include "config.hpp"
#include "ort.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace poster {

struct Job {
  std::string text;
  std::uint64_t seed = 0;
  int steps = 8;
};

// Planar RGB, values in [-1, 1].
struct Picture {
  int width = 0, height = 0;
  std::vector<float> planes;
};

// The token ids of a text: its bytes + 2, between a start (0) and an end (1), padded with 1, cut to `count`.
std::vector<std::int64_t> tokenise(std::string_view text, std::size_t count);

// Thread-safe: several workers call generate() on one Pipeline.
class Pipeline {
public:
  Pipeline(const Runtime& runtime, const Config& config);
  // Around each model: stage("denoise", work) runs work(). One entry per job is returned, in order.
  // Jobs of a batch may ask for different numbers of steps: one that is finished leaves the batch.
  using StageRunner = std::function<void(const char*, const std::function<void()>&)>;
  std::vector<Picture> generate(std::span<const Job> jobs, const StageRunner& stage) const;

private:
  std::vector<Tensor> encode(std::span<const Job> jobs) const;
  Tensor denoise(std::span<const Job> jobs, const std::vector<Tensor>& text) const;
  std::int64_t tokens_, channels_, rows_, columns_;
  Model text_encoder_, denoiser_, decoder_;
};

} // namespace poster
