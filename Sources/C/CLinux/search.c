#define _GNU_SOURCE
#include "clinux/search.h"

#include <string.h>

size_t clinux_find(const void *bytes, size_t count, const void *wanted, size_t length) {
  const char *found = memmem(bytes, count, wanted, length);
  return found == NULL ? count : (size_t)(found - (const char *)bytes);
}

#if defined(__SSE2__)
#include <emmintrin.h>

// Sixteen bytes at a time. Swift's vectors do the same in a release build, and a hundred times slower in a debug build.
static size_t plain_blocks(const unsigned char *text, size_t count, int *has_high) {
  const __m128i quote = _mm_set1_epi8('"'), slash = _mm_set1_epi8('\\'), last = _mm_set1_epi8(0x1F);
  unsigned high = 0;
  size_t at = 0;
  for (; at + 16 <= count; at += 16) {
    const __m128i block = _mm_loadu_si128((const __m128i *)(text + at));
    const __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(block, last), block);
    const __m128i special = _mm_or_si128(_mm_cmpeq_epi8(block, quote), _mm_cmpeq_epi8(block, slash));
    const unsigned marks = (unsigned)_mm_movemask_epi8(_mm_or_si128(control, special));
    const unsigned above = (unsigned)_mm_movemask_epi8(block);
    if (marks) {
      const unsigned clean = (unsigned)__builtin_ctz(marks);
      high |= above & ((1u << clean) - 1);
      at += clean;
      break;
    }
    high |= above;
  }
  if (high) *has_high = 1;
  return at;
}
#else
static size_t plain_blocks(const unsigned char *text, size_t count, int *has_high) {
  (void)text, (void)count, (void)has_high;
  return 0;
}
#endif

size_t clinux_plain_bytes(const void *text, size_t count, int *has_high) {
  const unsigned char *bytes = text;
  size_t at = plain_blocks(bytes, count, has_high);
  for (; at < count; at++) {
    const unsigned char byte = bytes[at];
    if (byte == '"' || byte == '\\' || byte < 0x20) break;
    if (byte & 0x80) *has_high = 1;
  }
  return at;
}
