// The floor of renditions: libjpeg-turbo called from C.
#pragma once

#include <stddef.h>

/// Makes a JPEG of a picture that is smooth here and rough there. Returns 0 or a positive errno; who asked for the file
/// frees it.
int image_floor_make(int width, int height, unsigned char **file, size_t *count);

/// Reads a JPEG in a fraction of its size, as near to the width as the library can, and writes what that gives. Returns 0
/// or a positive errno, and how wide the result is.
int image_floor_render(const unsigned char *file, size_t count, int width, int quality, int *result_width);
