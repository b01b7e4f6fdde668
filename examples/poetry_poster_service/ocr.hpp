// ocr.hpp: PP-OCRv4 text detection, the published model that the service also serves: where on a picture is
// text?
#pragma once
#include "compose.hpp"
#include "ort.hpp"

#include <string>
#include <vector>

namespace poster {

struct TextBox {
  double x = 0, y = 0, width = 0, height = 0; // pixels of the given picture
  double score = 0;                           // mean text probability inside
};

class TextDetector {
public:
  TextDetector(const Runtime& runtime, const std::string& path, int intra_threads)
      : model_(runtime, path, intra_threads) {}
  // The three steps, so that the caller can time each.
  [[nodiscard]] static Tensor prepare(const Surface& picture);
  [[nodiscard]] Tensor detect(const Tensor& input) const {
    return std::move(model_.run(std::span(&input, 1))[0]);
  }
  [[nodiscard]] static std::vector<TextBox> boxes(const Tensor& probability, const Surface& picture);

private:
  Model model_;
};

} // namespace poster
