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
