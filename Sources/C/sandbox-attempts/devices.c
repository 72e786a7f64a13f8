#define _GNU_SOURCE
#include "attempts.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/random.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

static bool opens(const char *path) {
  int device = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  if (device < 0) device = open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  if (device < 0) return false;
  close(device);
  found("device %s", path);
  return true;
}

static bool open_devices(char **targets) {
  (void)targets;
  static const char *const devices[] = {
      "/dev/video0",  "/dev/snd/controlC0", "/dev/snd/timer", "/dev/input/event0", "/dev/input/mice", "/dev/uinput",
      "/dev/dri/card0", "/dev/dri/renderD128", "/dev/kvm",    "/dev/fuse",         "/dev/net/tun",    "/dev/vhost-net",
      "/dev/mem",     "/dev/kmsg",          "/dev/port",      "/dev/sda",          "/dev/vda",        "/dev/nvme0n1",
      "/dev/dm-0",    "/dev/loop0",         "/dev/loop-control", "/dev/tty",       "/dev/tty0",       "/dev/tty1",
      "/dev/console", "/dev/ptmx",          "/dev/pts/ptmx",  "/dev/pts/0",        "/dev/ttyS0",      "/dev/vcs",
      "/dev/tpm0",    "/dev/tpmrm0",        "/dev/hidraw0",   "/dev/rtc0",         "/dev/watchdog",   "/dev/vsock",
      "/dev/bus/usb/001/001", "/dev/full",  "/dev/random",    "/dev/userfaultfd",  "/dev/hpet",       "/dev/autofs",
  };
  for (size_t index = 0; index < sizeof devices / sizeof *devices; index++) {
    if (opens(devices[index])) return true;
  }
  return false;
}

// The two that are given must not come with rights of their own.
static bool use_given_devices(char **targets) {
  (void)targets;
  int urandom = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
  int count;
  if (urandom < 0 || ioctl(urandom, RNDGETENTCNT, &count) == 0) {
    found(urandom < 0 ? "no /dev/urandom" : "controls of the source of random numbers");
    return true;
  }
  int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (null < 0) {
    found("no /dev/null");
    return true;
  }
  return ioctl(null, TIOCSTI, "x") == 0;
}

static bool type_into(int terminal) {
  for (const char *text = "echo typed\n"; *text != 0; text++) {
    if (ioctl(terminal, TIOCSTI, text) == 0) return true;
  }
  char paste = 3;
  struct termios state;
  int pgrp = getpid();
  return ioctl(terminal, TIOCLINUX, &paste) == 0 || ioctl(terminal, TIOCSCTTY, 1) == 0 ||
         ioctl(terminal, TIOCSPGRP, &pgrp) == 0 || ioctl(terminal, TIOCSETD, &pgrp) == 0 ||
         tcgetattr(terminal, &state) == 0;
}

static bool type_into_terminal(char **targets) {
  (void)targets;
  for (int stream = 0; stream < 3; stream++) {
    if (isatty(stream) || type_into(stream)) {
      found("a terminal as descriptor %d", stream);
      return true;
    }
  }
  return opens("/dev/tty");
}

const struct attempt device_attempts[] = {
    {"devices/open", open_devices},
    {"devices/given", use_given_devices},
    {"devices/terminal", type_into_terminal},
    {NULL, NULL},
};
