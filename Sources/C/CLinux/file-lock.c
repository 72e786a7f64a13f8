#define _GNU_SOURCE
#include "clinux/file-lock.h"

#include <errno.h>
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

static struct flock one_byte(int64_t byte, short type) {
  struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1};
  return lock;
}

int clinux_try_lock_byte(int descriptor, int64_t byte, int exclusive) {
  struct flock lock = one_byte(byte, exclusive ? F_WRLCK : F_RDLCK);
  if (fcntl(descriptor, F_OFD_SETLK, &lock) == 0) {
    return 0;
  }
  return errno == EACCES ? EAGAIN : errno;
}

int clinux_unlock_byte(int descriptor, int64_t byte) {
  struct flock lock = one_byte(byte, F_UNLCK);
  return fcntl(descriptor, F_OFD_SETLK, &lock) == 0 ? 0 : errno;
}

int clinux_byte_is_locked(int descriptor, int64_t byte) {
  struct flock lock = one_byte(byte, F_WRLCK);
  if (fcntl(descriptor, F_OFD_GETLK, &lock) != 0) {
    return -errno;
  }
  return lock.l_type == F_UNLCK ? 0 : 1;
}

uint64_t clinux_boottime_nanoseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_BOOTTIME, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}
