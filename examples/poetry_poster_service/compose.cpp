#include "compose.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <pango/pangocairo.h>
#include <png.h>

namespace poster {
namespace {

constexpr int kMargin = 30;
constexpr int kLargestPt = 36, kSmallestPt = 8;

Surface own(cairo_surface_t* surface) {
  return {surface, cairo_surface_destroy};
}

std::uint32_t byte_of(float value) {
  const float scaled = (std::clamp(value, -1.0F, 1.0F) + 1.0F) * 127.5F;
  return static_cast<std::uint32_t>(scaled + 0.5F);
}

Surface surface_of(const Picture& picture) {
  Surface surface = own(cairo_image_surface_create(CAIRO_FORMAT_RGB24, picture.width, picture.height));
  unsigned char* data = cairo_image_surface_get_data(surface.get());
  const int stride = cairo_image_surface_get_stride(surface.get());
  const std::size_t plane =
      static_cast<std::size_t>(picture.width) * static_cast<std::size_t>(picture.height);
  for (int y = 0; y < picture.height; ++y) {
    for (int x = 0; x < picture.width; ++x) {
      const std::size_t i =
          static_cast<std::size_t>(y) * static_cast<std::size_t>(picture.width) + static_cast<std::size_t>(x);
      const std::uint32_t pixel = byte_of(picture.planes[i]) << 16U |
                                  byte_of(picture.planes[plane + i]) << 8U |
                                  byte_of(picture.planes[2 * plane + i]);
      std::memcpy(data + static_cast<std::ptrdiff_t>(y) * stride + static_cast<std::ptrdiff_t>(x) * 4, &pixel,
                  4);
    }
  }
  cairo_surface_mark_dirty(surface.get());
  return surface;
}

void draw_scaled(cairo_t* cr, cairo_surface_t* source, double width, double height) {
  cairo_save(cr);
  cairo_scale(cr, width / cairo_image_surface_get_width(source),
              height / cairo_image_surface_get_height(source));
  cairo_set_source_surface(cr, source, 0, 0);
  cairo_pattern_set_filter(cairo_get_source(cr), CAIRO_FILTER_BILINEAR);
  cairo_pattern_set_extend(cairo_get_source(cr), CAIRO_EXTEND_PAD);
  cairo_paint(cr);
  cairo_restore(cr);
}

void draw_shade(cairo_t* cr) {
  cairo_pattern_t* shade = cairo_pattern_create_linear(0, kPosterHeight * 0.45, 0, kPosterHeight);
  cairo_pattern_add_color_stop_rgba(shade, 0, 0, 0, 0, 0);
  cairo_pattern_add_color_stop_rgba(shade, 1, 0, 0, 0, 0.75);
  cairo_set_source(cr, shade);
  cairo_paint(cr);
  cairo_pattern_destroy(shade);
}

// The largest size, in steps, at which the poem fits the lower 45 % of the poster.
void fit(PangoLayout* layout) {
  constexpr int kRoom = kPosterHeight * 45 / 100 - kMargin;
  for (int size = kLargestPt; size >= kSmallestPt; size -= 4) {
    PangoFontDescription* font = pango_font_description_from_string("Noto Serif CJK SC, Noto Serif, serif");
    pango_font_description_set_absolute_size(font, size * PANGO_SCALE);
    pango_layout_set_font_description(layout, font);
    pango_font_description_free(font);
    int width = 0, height = 0;
    pango_layout_get_pixel_size(layout, &width, &height);
    if (height <= kRoom) return;
  }
}

void draw_poem(cairo_t* cr, std::string_view poem) {
  const std::unique_ptr<PangoLayout, decltype(&g_object_unref)> layout(pango_cairo_create_layout(cr),
                                                                       g_object_unref);
  pango_layout_set_width(layout.get(), (kPosterWidth - 2 * kMargin) * PANGO_SCALE);
  pango_layout_set_wrap(layout.get(), PANGO_WRAP_WORD_CHAR);
  pango_layout_set_alignment(layout.get(), PANGO_ALIGN_CENTER);
  pango_layout_set_text(layout.get(), poem.data(), static_cast<int>(poem.size()));
  fit(layout.get());
  int width = 0, height = 0;
  pango_layout_get_pixel_size(layout.get(), &width, &height);
  const double top = std::max(kPosterHeight * 0.5, static_cast<double>(kPosterHeight - kMargin - height));
  cairo_move_to(cr, kMargin + 2, top + 2);
  cairo_set_source_rgba(cr, 0, 0, 0, 0.8);
  pango_cairo_show_layout(cr, layout.get());
  cairo_move_to(cr, kMargin, top);
  cairo_set_source_rgb(cr, 1, 1, 0.96);
  pango_cairo_show_layout(cr, layout.get());
}

cairo_status_t take(void* closure, unsigned char* data, unsigned int length) {
  auto* rest = static_cast<std::string_view*>(closure);
  if (rest->size() < length) return CAIRO_STATUS_READ_ERROR;
  std::memcpy(data, rest->data(), length);
  rest->remove_prefix(length);
  return CAIRO_STATUS_SUCCESS;
}

std::uint32_t big_endian(std::string_view bytes) {
  std::uint32_t value = 0;
  for (const char c : bytes.substr(0, 4))
    value = value << 8U | static_cast<unsigned char>(c);
  return value;
}

} // namespace

Surface compose(const Picture& picture, std::string_view poem) {
  const Surface source = surface_of(picture);
  Surface target = own(cairo_image_surface_create(CAIRO_FORMAT_RGB24, kPosterWidth, kPosterHeight));
  cairo_t* cr = cairo_create(target.get());
  draw_scaled(cr, source.get(), kPosterWidth, kPosterHeight);
  draw_shade(cr);
  draw_poem(cr, poem);
  cairo_destroy(cr);
  return target;
}

// libpng's fast setting: cairo's own writer takes zlib's default level, which takes four times as long for
// half the bytes (measured, 2026-11).
std::string encode_png(const Surface& surface) {
  cairo_surface_flush(surface.get());
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(cairo_image_surface_get_width(surface.get()));
  image.height = static_cast<png_uint_32>(cairo_image_surface_get_height(surface.get()));
  image.format = PNG_FORMAT_RGB;
  image.flags = PNG_IMAGE_FLAG_FAST;
  const auto stride = static_cast<std::size_t>(cairo_image_surface_get_stride(surface.get()));
  const unsigned char* data = cairo_image_surface_get_data(surface.get());
  std::string rgb;
  rgb.reserve(std::size_t{3} * image.width * image.height);
  for (std::size_t y = 0; y < image.height; ++y)
    for (std::size_t x = 0; x < image.width; ++x) {
      const unsigned char* pixel = data + y * stride + x * 4; // B, G, R, unused
      for (const int channel : {2, 1, 0})
        rgb.push_back(static_cast<char>(pixel[channel]));
    }
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::string bytes(size, '\0');
  if (png_image_write_to_memory(&image, bytes.data(), &size, 0, rgb.data(), 0, nullptr) == 0) return {};
  bytes.resize(size);
  return bytes;
}

std::optional<Surface> decode_png(std::string_view bytes) {
  // Signature, then IHDR with width and height: looked at before anything is allocated for the pixels.
  constexpr std::uint32_t kMaxSide = 4096;
  if (bytes.size() < 33 || !bytes.starts_with("\x89PNG\r\n\x1a\n") || bytes.substr(12, 4) != "IHDR")
    return std::nullopt;
  if (big_endian(bytes.substr(16)) > kMaxSide || big_endian(bytes.substr(20)) > kMaxSide) return std::nullopt;
  Surface surface = own(cairo_image_surface_create_from_png_stream(take, &bytes));
  if (cairo_surface_status(surface.get()) != CAIRO_STATUS_SUCCESS) return std::nullopt;
  return surface;
}

std::vector<float> planes_of(const Surface& surface, int width, int height) {
  const Surface scaled = own(cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height));
  cairo_t* cr = cairo_create(scaled.get());
  draw_scaled(cr, surface.get(), width, height);
  cairo_destroy(cr);
  cairo_surface_flush(scaled.get());
  const unsigned char* data = cairo_image_surface_get_data(scaled.get());
  const int stride = cairo_image_surface_get_stride(scaled.get());
  const std::size_t plane = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  std::vector<float> planes(3 * plane);
  for (std::size_t i = 0; i < plane; ++i) {
    const std::size_t x = i % static_cast<std::size_t>(width), y = i / static_cast<std::size_t>(width);
    const unsigned char* pixel = data + y * static_cast<std::size_t>(stride) + x * 4; // B, G, R, unused
    for (std::size_t c = 0; c < 3; ++c)
      planes[c * plane + i] = static_cast<float>(pixel[2 - c]) / 255.0F;
  }
  return planes;
}

bool is_utf8(std::string_view text) {
  return g_utf8_validate(text.data(), static_cast<gssize>(text.size()), nullptr) != FALSE;
}

} // namespace poster
