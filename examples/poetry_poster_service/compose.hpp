// compose.hpp: the poem drawn on the picture, and PNG in and out.
#pragma once
#include "pipeline.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

typedef struct _cairo_surface cairo_surface_t;

namespace poster {

using Surface = std::shared_ptr<cairo_surface_t>;

inline constexpr int kPosterWidth = 480, kPosterHeight = 640;

// The poster of a picture: scaled to 480 x 640, darkened below, with the poem fitted into the lower part. Any
// script that an installed font covers. Thread-safe.
Surface compose(const Picture& picture, std::string_view poem);
std::string encode_png(const Surface& surface);
// Empty when the bytes are no PNG, or one of more than 4096 x 4096 pixels.
std::optional<Surface> decode_png(std::string_view bytes);
// Planar RGB of a surface scaled to width x height, values in [0, 1].
std::vector<float> planes_of(const Surface& surface, int width, int height);
bool is_utf8(std::string_view text);

} // namespace poster
