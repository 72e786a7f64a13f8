#define _GNU_SOURCE
#include "attempts.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

static struct sockaddr_in address4(const char *port) {
  return (struct sockaddr_in){.sin_family = AF_INET,
                              .sin_port = htons((unsigned short)atoi(port)),
                              .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

static bool connect_tcp(char **targets) {
  struct sockaddr_in to4 = address4(targets[0]);
  struct sockaddr_in6 to6 = {.sin6_family = AF_INET6, .sin6_port = to4.sin_port, .sin6_addr = in6addr_loopback};
  int four = socket(AF_INET, SOCK_STREAM, 0), six = socket(AF_INET6, SOCK_STREAM, 0);
  if (connect(four, (struct sockaddr *)&to4, sizeof to4) == 0) return true;
  return connect(six, (struct sockaddr *)&to6, sizeof to6) == 0;
}

static bool send_datagrams(char **targets) {
  struct sockaddr_in to = address4(targets[0]);
  int datagram = socket(AF_INET, SOCK_DGRAM, 0);
  if (sendto(datagram, "x", 1, 0, (struct sockaddr *)&to, sizeof to) == 1) return true;
  int fast = socket(AF_INET, SOCK_STREAM, 0);
  if (sendto(fast, "x", 1, MSG_FASTOPEN, (struct sockaddr *)&to, sizeof to) == 1) return true;
  int multipath = socket(AF_INET, SOCK_STREAM, 262 /* IPPROTO_MPTCP */);
  return connect(multipath, (struct sockaddr *)&to, sizeof to) == 0;
}

static bool listen_anywhere(char **targets) {
  (void)targets;
  struct sockaddr_in any = address4("0");
  int bound = socket(AF_INET, SOCK_STREAM, 0), unbound = socket(AF_INET, SOCK_STREAM, 0);
  return bind(bound, (struct sockaddr *)&any, sizeof any) == 0 || listen(unbound, 1) == 0;
}

static bool any_family(char **targets) {
  (void)targets;
  for (int family = 0; family <= 46; family++) {
    for (int type = 1; type <= 5; type++) {
      if (socket(family, type, 0) < 0) continue;
      found("a socket of family %d, type %d", family, type);
      return true;
    }
  }
  return false;
}

static bool unix_sockets(char **targets) {
  struct sockaddr_un path = {.sun_family = AF_UNIX}, name = {.sun_family = AF_UNIX};
  strncpy(path.sun_path, targets[0], sizeof path.sun_path - 1);
  strncpy(name.sun_path + 1, targets[1], sizeof name.sun_path - 2);
  socklen_t length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(targets[1]));
  int one = socket(AF_UNIX, SOCK_STREAM, 0), two = socket(AF_UNIX, SOCK_STREAM, 0);
  if (connect(one, (struct sockaddr *)&path, sizeof path) == 0) return true;
  return connect(two, (struct sockaddr *)&name, length) == 0;
}

static bool ring_sockets(char **targets) {
  (void)targets;
  char parameters[120] = {0};
  return syscall(SYS_io_uring_setup, 4, parameters) >= 0;
}

static bool message_calls(char **targets) {
  (void)targets;
  struct msghdr message = {0};
  sendmsg(STDOUT_FILENO, &message, 0);
  if (errno != EPERM) return true;
  recvmsg(STDIN_FILENO, &message, 0);
  return errno != EPERM;
}

// A message that carries a descriptor, or the place for one.
struct passing {
  char byte, control[CMSG_SPACE(sizeof(int))];
  struct iovec piece;
  struct mmsghdr message;
};

static struct msghdr *pass(struct passing *passing, int descriptor) {
  *passing = (struct passing){.byte = 'x'};
  passing->piece = (struct iovec){&passing->byte, 1};
  struct msghdr *message = &passing->message.msg_hdr;
  *message = (struct msghdr){
      .msg_iov = &passing->piece, .msg_iovlen = 1, .msg_control = passing->control, .msg_controllen = sizeof passing->control};
  struct cmsghdr *control = CMSG_FIRSTHDR(message);
  *control = (struct cmsghdr){.cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
  memcpy(CMSG_DATA(control), &descriptor, sizeof descriptor);
  return message;
}

static bool refused(const char *what, long result) {
  if (result < 0 && errno == EPERM) return true;
  found("%s: %s", what, result < 0 ? strerrorname_np(errno) : "done");
  return false;
}

#define TRY(call) \
  if (!refused(#call, (call))) return true

// A pair of the process's own passes bytes to itself: no descriptors, nothing to or from anybody else, and no other kind.
static bool pass_through_pair(char **targets) {
  int pair[2], other[2], on = 1;
  char bytes[2] = {0};
  // A pair that cannot be used would prove nothing.
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0 || send(pair[0], "ab", 2, 0) != 2 ||
      recv(pair[1], bytes, sizeof bytes, 0) != 2 || memcmp(bytes, "ab", 2) != 0) {
    found("a pair that does not work: %s", strerrorname_np(errno));
    return true;
  }
  struct passing passing;
  TRY(sendmsg(pair[0], pass(&passing, STDOUT_FILENO), 0));
  TRY(syscall(SYS_sendmmsg, pair[0], (pass(&passing, STDOUT_FILENO), &passing.message), 1, 0));
  TRY(recvmsg(pair[1], pass(&passing, -1), MSG_DONTWAIT));
  TRY(syscall(SYS_recvmmsg, pair[1], (pass(&passing, -1), &passing.message), 1, MSG_DONTWAIT, NULL));
  struct sockaddr_un path = {.sun_family = AF_UNIX}, own = {.sun_family = AF_UNIX, .sun_path = "own"};
  strncpy(path.sun_path, targets[0], sizeof path.sun_path - 1);
  TRY(connect(pair[0], (struct sockaddr *)&path, sizeof path));
  TRY(sendto(pair[0], "x", 1, 0, (struct sockaddr *)&path, sizeof path));
  TRY(bind(pair[0], (struct sockaddr *)&own, sizeof own));
  TRY(listen(pair[0], 1));
  TRY(accept4(pair[0], NULL, NULL, SOCK_NONBLOCK));
  TRY(setsockopt(pair[0], SOL_SOCKET, SO_PASSCRED, &on, sizeof on));
  TRY(setsockopt(pair[0], SOL_SOCKET, SO_SNDBUF, &on, sizeof on));
  for (int family = 0; family <= 46; family++) {
    for (int type = 1; type <= 5; type++) {
      if (family == AF_UNIX && type == SOCK_STREAM) continue;
      TRY(socketpair(family, type, 0, other));
    }
  }
  TRY(socketpair(AF_UNIX, SOCK_STREAM, AF_UNIX, other));
  errno = EPERM;
  return false;
}

// The host's connections, by the port on which it listens.
static bool read_table(char **targets) {
  static const char *const tables[] = {"/proc/net/tcp", "/proc/self/net/tcp", "/proc/net/unix"};
  char port[16];
  snprintf(port, sizeof port, ":%04X ", (unsigned)atoi(targets[0]));
  for (size_t index = 0; index < sizeof tables / sizeof *tables; index++) {
    FILE *table = fopen(tables[index], "re");
    char line[512];
    while (table != NULL && fgets(line, sizeof line, table) != NULL) {
      if (strstr(line, port) != NULL || strstr(line, targets[1]) != NULL) return true;
    }
    if (table != NULL) fclose(table);
  }
  return false;
}

const struct attempt network_attempts[] = {
    {"network/tcp", connect_tcp},      {"network/datagrams", send_datagrams}, {"network/listen", listen_anywhere},
    {"network/families", any_family},  {"network/unix", unix_sockets},        {"network/ring", ring_sockets},
    {"network/messages", message_calls}, {"network/table", read_table},    {"network/pair", pass_through_pair},
    {NULL, NULL},
};
