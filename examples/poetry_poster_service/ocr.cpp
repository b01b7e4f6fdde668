#include "ocr.hpp"

#include <algorithm>
#include <array>
#include <cairo.h>

namespace poster {
namespace {

constexpr int kSide = 320; // the model takes multiples of 32; 320 keeps a detection near 20 ms on one core
constexpr float kPixelThreshold = 0.3F,
                kBoxThreshold = 0.5F; // PP-OCR's own defaults: det_db_thresh, box threshold 0.5
constexpr std::size_t kMinPixels = 12;
// Means and deviations of ImageNet, which the model was trained with.
constexpr std::array<float, 3> kMean{0.485F, 0.456F, 0.406F}, kDeviation{0.229F, 0.224F, 0.225F};

struct Region {
  int left = kSide, top = kSide, right = 0, bottom = 0;
  double sum = 0;
  std::size_t pixels = 0;
};

// Four-connected region of text pixels around `start`; marks what it visits.
Region grow(const std::vector<float>& map, std::vector<char>& seen, int start) {
  Region r;
  std::vector<int> open{start};
  seen[static_cast<std::size_t>(start)] = 1;
  while (!open.empty()) {
    const int at = open.back();
    open.pop_back();
    const int x = at % kSide, y = at / kSide;
    r.left = std::min(r.left, x);
    r.right = std::max(r.right, x);
    r.top = std::min(r.top, y);
    r.bottom = std::max(r.bottom, y);
    r.sum += map[static_cast<std::size_t>(at)];
    ++r.pixels;
    const std::array<std::array<int, 2>, 4> around{{{x - 1, y}, {x + 1, y}, {x, y - 1}, {x, y + 1}}};
    for (const auto& [nx, ny] : around) {
      if (nx < 0 || ny < 0 || nx >= kSide || ny >= kSide) continue;
      const auto next = static_cast<std::size_t>(ny * kSide + nx);
      if (seen[next] != 0 || map[next] < kPixelThreshold) continue;
      seen[next] = 1;
      open.push_back(static_cast<int>(next));
    }
  }
  return r;
}

} // namespace

Tensor TextDetector::prepare(const Surface& picture) {
  Tensor input{.shape = {1, 3, kSide, kSide}, .f32 = planes_of(picture, kSide, kSide), .i64 = {}};
  constexpr std::size_t kPlane = static_cast<std::size_t>(kSide) * kSide;
  for (std::size_t i = 0; i < input.f32.size(); ++i)
    input.f32[i] = (input.f32[i] - kMean[i / kPlane]) / kDeviation[i / kPlane];
  return input;
}

std::vector<TextBox> TextDetector::boxes(const Tensor& probability, const Surface& picture) {
  std::vector<TextBox> found;
  std::vector<char> seen(probability.f32.size(), 0);
  const double sx = cairo_image_surface_get_width(picture.get()) / static_cast<double>(kSide);
  const double sy = cairo_image_surface_get_height(picture.get()) / static_cast<double>(kSide);
  for (int i = 0; i < kSide * kSide && static_cast<std::size_t>(i) < seen.size(); ++i) {
    if (seen[static_cast<std::size_t>(i)] != 0 ||
        probability.f32[static_cast<std::size_t>(i)] < kPixelThreshold)
      continue;
    const Region r = grow(probability.f32, seen, i);
    const double score = r.sum / static_cast<double>(r.pixels);
    if (r.pixels < kMinPixels || score < kBoxThreshold) continue;
    found.push_back(
        {r.left * sx, r.top * sy, (r.right - r.left + 1) * sx, (r.bottom - r.top + 1) * sy, score});
  }
  return found;
}

} // namespace poster
