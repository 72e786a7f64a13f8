#pragma once
#include <png.h>
#include <string.h>

/// An image of the simplified interface. `png_image` holds pointers that Swift does not initialise, and the formats are
/// macros.
static inline png_image cpng_image(void) {
  png_image image;
  memset(&image, 0, sizeof image);
  image.version = PNG_IMAGE_VERSION;
  return image;
}

static const png_uint_32 cpng_format_rgba = PNG_FORMAT_RGBA;
static const png_uint_32 cpng_format_rgb = PNG_FORMAT_RGB;
static const png_uint_32 cpng_format_rgba_colormap = PNG_FORMAT_RGBA_COLORMAP;
static const png_uint_32 cpng_format_linear_rgba = PNG_FORMAT_LINEAR_RGB_ALPHA;
static const png_uint_32 cpng_16_bits_are_srgb = PNG_IMAGE_FLAG_16BIT_sRGB;

/// The most bytes that a file of the image can have. The image has at most 2^28 pixels.
static inline size_t cpng_file_size_max(const png_image *image) {
  png_image copy = *image;
  return PNG_IMAGE_PNG_SIZE_MAX(copy);
}
