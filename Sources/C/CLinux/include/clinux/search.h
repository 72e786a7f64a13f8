#pragma once

#include <stddef.h>
#include <stdint.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/// Where `wanted` stands in `bytes` first; `count` when it does not.
size_t clinux_find(const void *bytes, size_t count, const void *wanted, size_t length);

/// How many bytes from `text` on a JSON string may hold as they are: none of them is a quote, a backslash or below 0x20.
/// `has_high` is set, and else left alone, when one of them is above 0x7F.
size_t clinux_plain_bytes(const void *text, size_t count, int *has_high);

/// How many bytes the JSON array or object has that begins at `text`, by its brackets and quotes alone. -1 when it does
/// not end within `count` bytes; -2 when it is nested deeper than `limit`, with the place of that bracket in `where`.
long clinux_json_extent(const void *text, size_t count, long limit, size_t *where);

/// How many of the sixteen bytes from `text` on are ASCII that a JSON string holds as it is; `low` and `high` get these
/// bytes, the first one lowest, and zeros for the others. In the header, as a call costs more than this.
static inline int clinux_short_text(const void *text, uint64_t *low, uint64_t *high) {
#if defined(__SSE2__)
  static const uint8_t masks[32] = {255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255};
  const __m128i block = _mm_loadu_si128((const __m128i *)text);
  // Signed: what is no ASCII is below zero, and so below 0x20 as well.
  const __m128i control = _mm_cmplt_epi8(block, _mm_set1_epi8(0x20));
  const __m128i quote = _mm_cmpeq_epi8(block, _mm_set1_epi8('"'));
  const __m128i slash = _mm_cmpeq_epi8(block, _mm_set1_epi8('\\'));
  const unsigned marks = (unsigned)_mm_movemask_epi8(_mm_or_si128(control, _mm_or_si128(quote, slash)));
  const int count = __builtin_ctz(marks | 0x10000);
  const __m128i kept = _mm_and_si128(block, _mm_loadu_si128((const __m128i *)(masks + 16 - count)));
  *low = (uint64_t)_mm_cvtsi128_si64(kept);
  *high = (uint64_t)_mm_cvtsi128_si64(_mm_unpackhi_epi64(kept, kept));
  return count;
#else
  const unsigned char *bytes = (const unsigned char *)text;
  int count = 0;
  *low = *high = 0;
  for (; count < 16; count++) {
    const unsigned char byte = bytes[count];
    if (byte == '"' || byte == '\\' || byte < 0x20 || byte > 0x7F) break;
    *(count < 8 ? low : high) |= (uint64_t)byte << (count % 8 * 8);
  }
  return count;
#endif
}
