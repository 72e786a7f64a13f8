#define _GNU_SOURCE
#include "clinux/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAXIMUM_DESCRIPTORS 16

static int set_attributes(posix_spawnattr_t *attributes, int flags) {
  sigset_t all, none;
  sigfillset(&all);
  sigdelset(&all, SIGKILL);
  sigdelset(&all, SIGSTOP);
  sigemptyset(&none);
  int error = posix_spawnattr_setsigdefault(attributes, &all);
  if (error == 0) error = posix_spawnattr_setsigmask(attributes, &none);
  if (error == 0) error = posix_spawnattr_setflags(attributes, (short)flags);
  return error;
}

// A source below the highest target could be overwritten before it is copied, so it is lifted above all of them.
static int lift(const struct clinux_descriptor *map, size_t count, int *sources) {
  for (size_t index = 0; index < count; index++) sources[index] = map[index].source;
  for (size_t index = 0; index < count; index++) {
    if (map[index].target != (int)index) return EINVAL;
    if (sources[index] >= (int)count) continue;
    int lifted = fcntl(map[index].source, F_DUPFD_CLOEXEC, MAXIMUM_DESCRIPTORS);
    if (lifted < 0) return errno;
    sources[index] = lifted;
  }
  return 0;
}

static void drop(const struct clinux_descriptor *map, size_t count, const int *sources) {
  for (size_t index = 0; index < count; index++) {
    if (sources[index] != map[index].source) close(sources[index]);
  }
}

static int spawn(const char *path, char *const argv[], char *const envp[], const int *sources, size_t count,
                 int flags, pid_t *pid) {
  posix_spawn_file_actions_t actions;
  int error = posix_spawn_file_actions_init(&actions);
  if (error != 0) return error;
  for (size_t index = 0; index < count && error == 0; index++) {
    error = posix_spawn_file_actions_adddup2(&actions, sources[index], (int)index);
  }
  posix_spawnattr_t attributes;
  if (error == 0) error = posix_spawnattr_init(&attributes);
  if (error == 0) {
    error = set_attributes(&attributes, flags);
    if (error == 0) error = posix_spawn(pid, path, &actions, &attributes, argv, envp);
    posix_spawnattr_destroy(&attributes);
  }
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

int clinux_pidfd_open(pid_t pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

static int start(const char *path, char *const argv[], char *const envp[], const struct clinux_descriptor *map,
                 size_t count, int flags, pid_t *pid, int *pidfd) {
  int sources[MAXIMUM_DESCRIPTORS];
  if (count > MAXIMUM_DESCRIPTORS) return EINVAL;
  int error = lift(map, count, sources);
  if (error == 0) error = spawn(path, argv, envp, sources, count, flags, pid);
  drop(map, count, sources);
  if (error != 0) return error;
  // Our own child that nobody has reaped: its number cannot have been used again. pidfd_open sets close-on-exec.
  *pidfd = clinux_pidfd_open(*pid);
  if (*pidfd >= 0) return 0;
  error = errno;
  kill(*pid, SIGKILL);
  while (waitpid(*pid, NULL, 0) < 0 && errno == EINTR) continue;
  return error;
}

int clinux_spawn(const char *path, char *const argv[], char *const envp[], const struct clinux_descriptor *map,
                 size_t count, pid_t *pid, int *pidfd) {
  return start(path, argv, envp, map, count, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK, pid, pidfd);
}

int clinux_spawn_session(const char *path, char *const argv[], char *const envp[],
                         const struct clinux_descriptor *map, size_t count, pid_t *pid, int *pidfd) {
  int flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSID;
  return start(path, argv, envp, map, count, flags, pid, pidfd);
}

int clinux_spawn_pipe(int *read_end, int *write_end, int capacity, int host_reads) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return errno;
  // Past the user's share of pipe memory the kernel refuses; the default capacity works as well, only slower.
  if (capacity > 0) (void)fcntl(ends[1], F_SETPIPE_SZ, capacity);
  int host = ends[host_reads ? 0 : 1];
  if (fcntl(host, F_SETFL, (host_reads ? O_RDONLY : O_WRONLY) | O_NONBLOCK) < 0) {
    int error = errno;
    close(ends[0]);
    close(ends[1]);
    return error;
  }
  *read_end = ends[0];
  *write_end = ends[1];
  return 0;
}

int clinux_spawn_channel(int *host_end, int *child_end) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return errno;
  if (fcntl(ends[0], F_SETFL, O_RDWR | O_NONBLOCK) < 0) {
    int error = errno;
    close(ends[0]);
    close(ends[1]);
    return error;
  }
  *host_end = ends[0];
  *child_end = ends[1];
  return 0;
}

int clinux_send_descriptors(int socket, const int *descriptors, size_t count) {
  if (count == 0 || count > MAXIMUM_DESCRIPTORS) return EINVAL;
  union {
    struct cmsghdr header;
    char room[CMSG_SPACE(sizeof(int) * MAXIMUM_DESCRIPTORS)];
  } control = {{0}};
  char byte = 0;
  struct iovec piece = {&byte, 1};
  struct msghdr message = {.msg_iov = &piece,
                           .msg_iovlen = 1,
                           .msg_control = &control,
                           .msg_controllen = CMSG_SPACE(sizeof(int) * count)};
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int) * count);
  memcpy(CMSG_DATA(header), descriptors, sizeof(int) * count);
  ssize_t sent;
  do {
    sent = sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
  } while (sent < 0 && errno == EINTR);
  return sent == 1 ? 0 : errno;
}

int clinux_fill_and_seal(int file, const void *bytes, size_t length) {
  for (size_t done = 0; done < length;) {
    ssize_t written = write(file, (const char *)bytes + done, length - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    done += (size_t)written;
  }
  int seals = F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL;
  return fcntl(file, F_ADD_SEALS, seals) < 0 ? errno : 0;
}

int clinux_sealed_file(const char *name, const void *bytes, size_t length, int *descriptor) {
  int file = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (file < 0) return errno;
  int error = clinux_fill_and_seal(file, bytes, length);
  if (error != 0) {
    close(file);
    return error;
  }
  *descriptor = file;
  return 0;
}

int clinux_pidfd_signal(int pidfd, int number) {
  return syscall(SYS_pidfd_send_signal, pidfd, number, NULL, 0) < 0 ? errno : 0;
}

int clinux_pidfd_reap(int pidfd, int wait_for_end, int *end, int *status) {
  uint64_t unused;
  return clinux_pidfd_reap_with_peak(pidfd, wait_for_end, end, status, &unused);
}

int clinux_pidfd_reap_with_peak(int pidfd, int wait_for_end, int *end, int *status, uint64_t *peak_memory) {
  siginfo_t info = {0};
  struct rusage used = {0};
  int options = WEXITED | (wait_for_end ? 0 : WNOHANG);
  // The library's waitid does not hand on what was used. 3: P_PIDFD, missing in old headers.
  while (syscall(SYS_waitid, 3, pidfd, &info, options, &used) < 0) {
    if (errno != EINTR) return errno;
  }
  *end = info.si_pid == 0 ? CLINUX_STILL_RUNNING : info.si_code == CLD_EXITED ? CLINUX_EXITED : CLINUX_SIGNALLED;
  *status = info.si_pid == 0 ? 0 : info.si_status;
  *peak_memory = (uint64_t)used.ru_maxrss << 10;
  return 0;
}
