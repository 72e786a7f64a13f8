#include "fixture-wire.h"

#include <stdio.h>

/// Writes 1,000 lines of bytes that are neither JSON nor UTF-8, and answers nothing.
int main(void) {
  unsigned int state = 1;
  for (int line = 0; line < 1000; line++) {
    for (int byte = 0; byte < 64; byte++) {
      state = state * 1103515245u + 12345u;
      unsigned char value = (unsigned char)(state >> 16);
      putchar(value == '\n' ? 0 : value);
    }
    putchar('\n');
  }
  fflush(stdout);
  struct wire_message message;
  while (wire_read(&message)) {}
  return 0;
}
