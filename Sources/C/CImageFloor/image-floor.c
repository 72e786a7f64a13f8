#include "image-floor.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <turbojpeg.h>

static int compress(const unsigned char *pixels, int width, int height, int quality, unsigned char **file,
                    size_t *count) {
  tjhandle encoder = tjInitCompress();
  unsigned char *buffer = NULL;
  unsigned long size = 0;
  int failed = !encoder || tjCompress2(encoder, pixels, width, 0, height, TJPF_RGBX, &buffer, &size, TJSAMP_420, quality, 0);
  unsigned char *copy = failed ? NULL : malloc(size);
  if (copy) memcpy(copy, buffer, size);
  tjFree(buffer);
  if (encoder) tjDestroy(encoder);
  *file = copy;
  *count = size;
  return copy ? 0 : EIO;
}

int image_floor_make(int width, int height, unsigned char **file, size_t *count) {
  unsigned char *pixels = malloc((size_t)width * (size_t)height * 4), *next = pixels;
  uint32_t noise = 1;
  if (!pixels) return ENOMEM;
  for (int y = 0; y < height; y++) {
    for (int x = 0; x < width; x++) {
      noise = noise * 1664525 + 1013904223;
      int rough = (x / 64 + y / 64) % 3 == 0 ? (int)(noise >> 27) : 0;
      *next++ = (unsigned char)(x * 220 / width + rough);
      *next++ = (unsigned char)(y * 220 / height + rough);
      *next++ = (unsigned char)((x + y) * 220 / (width + height) + rough);
      *next++ = 255;
    }
  }
  int error = compress(pixels, width, height, 90, file, count);
  free(pixels);
  return error;
}

int image_floor_render(const unsigned char *file, size_t count, int width, int quality, int *result_width) {
  tjhandle decoder = tjInitDecompress();
  int full = 0, height = 0, sampling = 0, space = 0;
  if (!decoder || tjDecompressHeader3(decoder, file, count, &full, &height, &sampling, &space)) {
    if (decoder) tjDestroy(decoder);
    return EIO;
  }
  int part = 8;
  while (part > 1 && full / part < width) part /= 2;
  full = (full + part - 1) / part;
  height = (height + part - 1) / part;
  unsigned char *pixels = malloc((size_t)full * (size_t)height * 4), *result = NULL;
  size_t size = 0;
  int error = pixels ? tjDecompress2(decoder, file, count, pixels, full, 0, height, TJPF_RGBX, 0) : ENOMEM;
  tjDestroy(decoder);
  if (!error) error = compress(pixels, full, height, quality, &result, &size);
  free(pixels);
  free(result);
  *result_width = full;
  return error ? EIO : 0;
}
