#define _GNU_SOURCE
#include "fixture-wire.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

/// A function that returns 42, as machine code.
#if defined(__x86_64__)
static const uint8_t code[] = {0xb8, 42, 0, 0, 0, 0xc3};
#elif defined(__aarch64__)
static const uint8_t code[] = {0x40, 0x05, 0x80, 0x52, 0xc0, 0x03, 0x5f, 0xd6};
#endif

/// Writes the code to memory and runs it, as a compiler of scripts does. Returns what it returned, or -1 with errno.
static int run(int through_protection) {
  int rights = PROT_READ | PROT_WRITE | (through_protection ? 0 : PROT_EXEC);
  void *memory = mmap(NULL, 4096, rights, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return -1;
  memcpy(memory, code, sizeof code);
  if (through_protection && mprotect(memory, 4096, PROT_READ | PROT_EXEC) != 0) return -1;
  __builtin___clear_cache((char *)memory, (char *)memory + sizeof code);
  return ((int (*)(void))memory)();
}

/// Runs code that it makes while it runs, both ways, and shows what came of it.
int main(void) {
  struct wire_message message;
  while (wire_read(&message)) {
    if (wire_lifecycle(&message)) continue;
    if (!wire_is(&message, "widget/performUpdate")) {
      wire_refuse(&message);
      continue;
    }
    char text[2][64];
    for (int way = 0; way < 2; way++) {
      int result = run(way);
      strcpy(text[way], result == 42 ? "ran" : strerror(errno));
    }
    wire_writef("{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"result\":\"newData\",\"view\":\"%s, %s\"}}", message.id,
                text[0], text[1]);
  }
  return 0;
}
