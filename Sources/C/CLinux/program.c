#define _GNU_SOURCE
#include "clinux/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

// MFD_EXEC, missing in old headers: says that the file will be executed, which vm.memfd_noexec = 1 asks for.
#define EXECUTABLE 0x10u
// Above the descriptors that a child is started with.
#define LOWEST_DESCRIPTOR 64

int clinux_sealed_program(const char *name, const void *bytes, size_t length, int *descriptor) {
  int file = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING | EXECUTABLE);
  // Kernels before 6.3 do not know the flag.
  if (file < 0 && errno == EINVAL) file = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (file < 0) return errno;
  int error = clinux_fill_and_seal(file, bytes, length);
  int lifted = error == 0 ? fcntl(file, F_DUPFD_CLOEXEC, LOWEST_DESCRIPTOR) : -1;
  if (error == 0 && lifted < 0) error = errno;
  close(file);
  *descriptor = lifted;
  return error;
}

static int value_of(char letter) {
  if (letter >= 'A' && letter <= 'Z') return letter - 'A';
  if (letter >= 'a' && letter <= 'z') return letter - 'a' + 26;
  if (letter >= '0' && letter <= '9') return letter - '0' + 52;
  return letter == '+' ? 62 : letter == '/' ? 63 : -1;
}

size_t clinux_base64(const void *text, size_t length, unsigned char *bytes) {
  const char *letters = text;
  size_t count = 0;
  unsigned held = 0, bits = 0;
  for (size_t index = 0; index < length; index++) {
    int value = value_of(letters[index]);
    if (value < 0) break;  // "=" fills the end up
    held = held << 6 | (unsigned)value;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[count++] = (unsigned char)(held >> bits);
  }
  return count;
}

void clinux_forget_constants(const void *bytes, size_t length) {
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  uintptr_t begin = ((uintptr_t)bytes + page - 1) & ~(page - 1);
  uintptr_t end = ((uintptr_t)bytes + length) & ~(page - 1);
  if (begin < end) madvise((void *)begin, end - begin, MADV_DONTNEED);
}
