#include "pipeline.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numbers>

namespace poster {
namespace {

std::string model_path(const Config& config, const std::string& name) {
  const auto found = config.overrides.find(name);
  return found != config.overrides.end() ? found->second : config.models + "/" + name + ".onnx";
}

std::int64_t shape_value(const Config& config, const char* key) {
  std::ifstream file(config.models + "/models.json");
  const auto json = nlohmann::json::parse(file, nullptr, false);
  if (!json.is_object() || !json.contains(key))
    throw OrtFailure{config.models + "/models.json is missing or damaged: build the models"};
  return json[key].get<std::int64_t>();
}

// SplitMix64 and Box-Muller: the same noise for the same seed on every platform and library.
class Noise {
public:
  explicit Noise(std::uint64_t seed) : state_(seed) {}
  float normal() {
    const double u = std::max(uniform(), 1e-12), v = uniform();
    return static_cast<float>(std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v));
  }

private:
  double uniform() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15U);
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    return static_cast<double>((z ^ (z >> 31U)) >> 11U) * 0x1.0p-53;
  }
  std::uint64_t state_;
};

// Rows `kept` of a batched tensor.
Tensor select(const Tensor& from, const std::vector<std::size_t>& kept) {
  const std::size_t row = from.f32.size() / static_cast<std::size_t>(from.shape[0]);
  Tensor to{.shape = from.shape, .f32 = {}, .i64 = {}};
  to.shape[0] = static_cast<std::int64_t>(kept.size());
  for (const std::size_t i : kept)
    to.f32.insert(to.f32.end(), from.f32.begin() + static_cast<std::ptrdiff_t>(i * row),
                  from.f32.begin() + static_cast<std::ptrdiff_t>((i + 1) * row));
  return to;
}

} // namespace

std::vector<std::int64_t> tokenise(std::string_view text, std::size_t count) {
  std::vector<std::int64_t> ids{0};
  for (const char c : text.substr(0, count - 2))
    ids.push_back(2 + static_cast<unsigned char>(c));
  ids.resize(count, 1);
  return ids;
}

Pipeline::Pipeline(const Runtime& runtime, const Config& config)
    : tokens_(shape_value(config, "tokens")), channels_(shape_value(config, "latent")),
      rows_(shape_value(config, "height")), columns_(shape_value(config, "columns")),
      text_encoder_(runtime, model_path(config, "text_encoder"), config.intra_threads),
      denoiser_(runtime, model_path(config, "denoiser"), config.intra_threads),
      decoder_(runtime, model_path(config, "decoder"), config.intra_threads) {}

std::vector<Tensor> Pipeline::encode(std::span<const Job> jobs) const {
  Tensor ids{.shape = {static_cast<std::int64_t>(jobs.size()), tokens_}, .f32 = {}, .i64 = {}};
  for (const Job& job : jobs) {
    const auto one = tokenise(job.text, static_cast<std::size_t>(tokens_));
    ids.i64.insert(ids.i64.end(), one.begin(), one.end());
  }
  return text_encoder_.run(std::span(&ids, 1));
}

Tensor Pipeline::denoise(std::span<const Job> jobs, const std::vector<Tensor>& text) const {
  const auto size = static_cast<std::size_t>(channels_ * rows_ * columns_);
  Tensor latent{
      .shape = {static_cast<std::int64_t>(jobs.size()), channels_, rows_, columns_}, .f32 = {}, .i64 = {}};
  int longest = 0;
  for (const Job& job : jobs) {
    Noise noise(job.seed);
    for (std::size_t i = 0; i < size; ++i)
      latent.f32.push_back(noise.normal());
    longest = std::max(longest, job.steps);
  }
  // Euler steps of the rectified flow: from t = 1 (noise) to t = 0, velocity predicted by the model.
  for (int step = 0; step < longest; ++step) {
    std::vector<std::size_t> active;
    Tensor t{.shape = {}, .f32 = {}, .i64 = {}};
    for (std::size_t j = 0; j < jobs.size(); ++j) {
      if (step >= jobs[j].steps) continue;
      active.push_back(j);
      t.f32.push_back(1.0F - static_cast<float>(step) / static_cast<float>(jobs[j].steps));
    }
    t.shape = {static_cast<std::int64_t>(active.size())};
    const std::array<Tensor, 4> inputs{select(latent, active), std::move(t), select(text[0], active),
                                       select(text[1], active)};
    const Tensor velocity = std::move(denoiser_.run(inputs)[0]);
    for (std::size_t k = 0; k < active.size(); ++k) {
      const float dt = 1.0F / static_cast<float>(jobs[active[k]].steps);
      for (std::size_t i = 0; i < size; ++i)
        latent.f32[active[k] * size + i] -= dt * velocity.f32[k * size + i];
    }
  }
  return latent;
}

std::vector<Picture> Pipeline::generate(std::span<const Job> jobs, const StageRunner& stage) const {
  std::vector<Tensor> text;
  Tensor latent, image;
  stage("text_encode", [&] { text = encode(jobs); });
  stage("denoise", [&] { latent = denoise(jobs, text); });
  stage("decode", [&] { image = std::move(decoder_.run(std::span(&latent, 1))[0]); });
  std::vector<Picture> pictures;
  const std::size_t row = image.f32.size() / jobs.size();
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    const auto begin = image.f32.begin() + static_cast<std::ptrdiff_t>(j * row);
    pictures.push_back({static_cast<int>(image.shape[3]),
                        static_cast<int>(image.shape[2]),
                        {begin, begin + static_cast<std::ptrdiff_t>(row)}});
  }
  return pictures;
}

} // namespace poster
