#define _GNU_SOURCE
#include "clinux/search.h"

#include <stdint.h>
#include <string.h>

size_t clinux_find(const void *bytes, size_t count, const void *wanted, size_t length) {
  const char *found = memmem(bytes, count, wanted, length);
  return found == NULL ? count : (size_t)(found - (const char *)bytes);
}

// Which of 64 bytes say where a value ends: a bit for each, the first one lowest.
struct marks {
  uint64_t quotes, slashes, opening, closing;
};

#if defined(__SSE2__)
#include <emmintrin.h>

static unsigned equal(__m128i block, char wanted) {
  return (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(block, _mm_set1_epi8(wanted)));
}

// The marks of 64 bytes, a bit for each. `[` and `{`, `]` and `}` differ in one bit, and no other characters become one of
// them without it.
static struct marks marks_of(const unsigned char *text) {
  struct marks marks = {0, 0, 0, 0};
  for (int part = 0; part < 4; part++) {
    const __m128i block = _mm_loadu_si128((const __m128i *)(text + part * 16));
    const __m128i folded = _mm_or_si128(block, _mm_set1_epi8(0x20));
    marks.quotes |= (uint64_t)equal(block, '"') << (part * 16);
    marks.slashes |= (uint64_t)equal(block, '\\') << (part * 16);
    marks.opening |= (uint64_t)equal(folded, '{') << (part * 16);
    marks.closing |= (uint64_t)equal(folded, '}') << (part * 16);
  }
  return marks;
}

// The first place from `at` on, in steps of 64, with a quote or a backslash in its 64 bytes, or with less than these left.
static size_t skip_quiet(const unsigned char *text, size_t at, size_t count) {
  const __m128i quote = _mm_set1_epi8('"'), slash = _mm_set1_epi8('\\');
  for (; at + 64 <= count; at += 64) {
    __m128i marked = _mm_setzero_si128();
    for (int part = 0; part < 4; part++) {
      const __m128i block = _mm_loadu_si128((const __m128i *)(text + at + part * 16));
      marked = _mm_or_si128(marked, _mm_or_si128(_mm_cmpeq_epi8(block, quote), _mm_cmpeq_epi8(block, slash)));
    }
    if (_mm_movemask_epi8(marked)) break;
  }
  return at;
}

// Sixteen bytes at a time. Swift's vectors do the same in a release build, and a hundred times slower in a debug build.
static size_t plain_blocks(const unsigned char *text, size_t count, int *has_high) {
  const __m128i quote = _mm_set1_epi8('"'), slash = _mm_set1_epi8('\\'), last = _mm_set1_epi8(0x1F);
  unsigned high = 0;
  size_t at = 0;
  // A long text is mostly plain: four blocks at once, until one of them has a mark.
  for (; at + 64 <= count; at += 64) {
    __m128i marked = _mm_setzero_si128(), all = _mm_setzero_si128();
    for (int part = 0; part < 4; part++) {
      const __m128i block = _mm_loadu_si128((const __m128i *)(text + at + part * 16));
      const __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(block, last), block);
      const __m128i special = _mm_or_si128(_mm_cmpeq_epi8(block, quote), _mm_cmpeq_epi8(block, slash));
      marked = _mm_or_si128(marked, _mm_or_si128(control, special));
      all = _mm_or_si128(all, block);
    }
    if (_mm_movemask_epi8(marked)) break;
    high |= (unsigned)_mm_movemask_epi8(all);
  }
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
static struct marks marks_of(const unsigned char *text) {
  struct marks marks = {0, 0, 0, 0};
  for (int at = 0; at < 64; at++) {
    const uint64_t bit = (uint64_t)1 << at;
    const unsigned char byte = text[at];
    if (byte == '"') marks.quotes |= bit;
    if (byte == '\\') marks.slashes |= bit;
    if (byte == '{' || byte == '[') marks.opening |= bit;
    if (byte == '}' || byte == ']') marks.closing |= bit;
  }
  return marks;
}

static size_t plain_blocks(const unsigned char *text, size_t count, int *has_high) {
  (void)text, (void)count, (void)has_high;
  return 0;
}

static size_t skip_quiet(const unsigned char *text, size_t at, size_t count) {
  (void)text, (void)count;
  return at;
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

// Where the walk through a value is.
struct walk {
  const unsigned char *bytes;
  long open, limit;
  int in_string;
  // The byte behind a backslash.
  size_t escaped;
};

// Goes through the marks of the block at `at` one by one; the result of `clinux_json_extent`, or 0 when the value goes on.
static long walk_block(struct walk *walk, size_t at, uint64_t marks, size_t *where) {
  for (; marks; marks &= marks - 1) {
    const size_t place = at + (size_t)__builtin_ctzll(marks);
    const unsigned char byte = walk->bytes[place];
    if (place == walk->escaped) continue;
    if (walk->in_string) {
      if (byte == '"') walk->in_string = 0;
      if (byte == '\\') walk->escaped = place + 1;
    } else if (byte == '"') {
      walk->in_string = 1;
    } else if (byte == '{' || byte == '[') {
      if (++walk->open > walk->limit) {
        *where = place;
        return -2;
      }
    } else if ((byte == '}' || byte == ']') && --walk->open == 0) {
      return (long)place + 1;
    }
  }
  return 0;
}

// Each bit becomes the parity of itself and all lower ones: with the quotes of a block, what is inside of its strings.
static uint64_t parities(uint64_t bits) {
  for (int shift = 1; shift < 64; shift *= 2) bits ^= bits << shift;
  return bits;
}

long clinux_json_extent(const void *text, size_t count, long limit, size_t *where) {
  struct walk walk = {.bytes = text, .limit = limit, .escaped = count};
  int is_quiet = 0;
  for (size_t at = 0; at < count; at += 64) {
    unsigned char last[64];
    // Where there was no mark in the block before, the string may be long.
    if (walk.in_string && is_quiet) at = skip_quiet(walk.bytes, at, count);
    if (at == count) break;
    const unsigned char *block = walk.bytes + at;
    if (count - at < 64) {
      memset(last, 0, sizeof last);
      memcpy(last, block, count - at);
      block = last;
    }
    struct marks marks = marks_of(block);
    is_quiet = !(marks.quotes | marks.slashes);
    if (!marks.slashes && walk.escaped != at) {
      // Without backslashes the strings are what is between two quotes; the brackets outside of them are counted whole,
      // unless the value may end among them or be too deep.
      const uint64_t inside = parities(marks.quotes) ^ (walk.in_string ? ~(uint64_t)0 : 0);
      const uint64_t opening = marks.opening & ~inside, closing = marks.closing & ~inside;
      const long more = __builtin_popcountll(opening), less = __builtin_popcountll(closing);
      if (walk.open > less && walk.open + more <= limit) {
        walk.open += more - less;
        walk.in_string = inside >> 63;
        continue;
      }
    }
    const long extent = walk_block(&walk, at, marks.quotes | marks.slashes | marks.opening | marks.closing, where);
    if (extent != 0) return extent;
  }
  return -1;
}
