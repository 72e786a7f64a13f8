#define _GNU_SOURCE
#include "clinux/search.h"

#include <string.h>

size_t clinux_find(const void *bytes, size_t count, const void *wanted, size_t length) {
  const char *found = memmem(bytes, count, wanted, length);
  return found == NULL ? count : (size_t)(found - (const char *)bytes);
}

#if defined(__SSE2__)
#include <emmintrin.h>

static unsigned equal(__m128i block, char wanted) {
  return (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(block, _mm_set1_epi8(wanted)));
}

// Which of sixteen bytes say where a value ends: quotes, backslashes and brackets. `[` and `{`, `]` and `}` differ in one
// bit; that two other characters look like brackets without it does no harm.
static unsigned structure(const unsigned char *text) {
  const __m128i block = _mm_loadu_si128((const __m128i *)text);
  const __m128i folded = _mm_or_si128(block, _mm_set1_epi8(0x20));
  return equal(block, '"') | equal(block, '\\') | equal(folded, '{') | equal(folded, '}');
}

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
static unsigned structure(const unsigned char *text) {
  (void)text;
  return 0xFFFF;
}

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

long clinux_json_extent(const void *text, size_t count, long limit, size_t *where) {
  const unsigned char *bytes = text;
  long open = 0;
  int in_string = 0;
  size_t escaped = count;
  for (size_t at = 0; at < count; at += 16) {
    const size_t rest = count - at;
    unsigned marks = rest >= 16 ? structure(bytes + at) : (1u << rest) - 1;
    for (; marks; marks &= marks - 1) {
      const size_t place = at + (size_t)__builtin_ctz(marks);
      const unsigned char byte = bytes[place];
      if (place == escaped) continue;
      if (in_string) {
        if (byte == '"') in_string = 0;
        if (byte == '\\') escaped = place + 1;
      } else if (byte == '"') {
        in_string = 1;
      } else if (byte == '{' || byte == '[') {
        if (++open > limit) {
          *where = place;
          return -2;
        }
      } else if ((byte == '}' || byte == ']') && --open == 0) {
        return (long)place + 1;
      }
    }
  }
  return -1;
}
