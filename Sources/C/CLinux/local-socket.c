#define _GNU_SOURCE
#include "clinux/local-socket.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static int fail(int fd, int error) {
  if (fd >= 0) close(fd);
  errno = error;
  return -1;
}

static int address(const char *path, struct sockaddr_un *result) {
  memset(result, 0, sizeof *result);
  result->sun_family = AF_UNIX;
  // An empty name would be one outside of the file system, which every user reaches.
  if (path[0] == 0) return fail(-1, ENOENT);
  if (strlen(path) >= sizeof result->sun_path) return fail(-1, ENAMETOOLONG);
  strcpy(result->sun_path, path);
  return 0;
}

static int is_same_user(int fd) {
  struct ucred peer;
  socklen_t size = sizeof peer;
  return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == geteuid();
}

int clinux_local_connect(const char *path) {
  struct sockaddr_un name;
  if (address(path, &name) != 0) return -1;
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return -1;
  if (connect(fd, (struct sockaddr *)&name, sizeof name) != 0) return fail(fd, errno);
  if (!is_same_user(fd)) return fail(fd, EPERM);
  if (fcntl(fd, F_SETFL, O_NONBLOCK) != 0) return fail(fd, errno);
  return fd;
}

int clinux_local_listen(const char *path) {
  struct sockaddr_un name;
  if (address(path, &name) != 0) return -1;
  struct stat there;
  if (lstat(path, &there) == 0) {
    if (!S_ISSOCK(there.st_mode) || there.st_uid != geteuid()) return fail(-1, EEXIST);
    int other = clinux_local_connect(path);
    if (other >= 0) return fail(other, EADDRINUSE);
    if (errno == ECONNREFUSED) unlink(path);
  }
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return -1;
  // The file gets the mode of the descriptor, so that nobody else reaches it at any time.
  if (fchmod(fd, 0600) != 0) return fail(fd, errno);
  if (bind(fd, (struct sockaddr *)&name, sizeof name) != 0) return fail(fd, errno);
  if (listen(fd, 128) != 0) return fail(fd, errno);
  return fd;
}

int clinux_local_accept(int listener) {
  int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (fd < 0) return -1;
  return is_same_user(fd) ? fd : fail(fd, EPERM);
}
