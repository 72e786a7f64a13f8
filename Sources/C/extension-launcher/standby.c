// A launcher that was started before there was anything to launch. It has done what takes long and depends on no policy,
// and waits on its control socket for the descriptors of a launch, or for the end of the host.

#define _GNU_SOURCE
#include "launcher.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static uint32_t number(const char *text) {
  char *end;
  errno = 0;
  unsigned long value = strtoul(text, &end, 10);
  policy_require(errno == 0 && end != text && *end == 0 && value <= UINT32_MAX);
  return (uint32_t)value;
}

bool standby_asked(int count, char **arguments) {
  return count == 5 && strcmp(arguments[1], LAUNCH_STANDBY_ARGUMENT) == 0;
}

struct launch_policy standby_policy(char **arguments) {
  struct launch_policy ahead = {
      .facilities = number(arguments[2]), .user_id = number(arguments[3]), .group_id = number(arguments[4])};
  policy_require((ahead.facilities & ~(uint32_t)LAUNCH_STANDBY_FACILITIES) == 0);
  return ahead;
}

// The descriptors below that of the control socket, in their order.
static void receive(int descriptors[LAUNCH_DESCRIPTOR_CONTROL]) {
  const size_t size = sizeof(int) * LAUNCH_DESCRIPTOR_CONTROL;
  union {
    struct cmsghdr header;
    char room[CMSG_SPACE(sizeof(int) * LAUNCH_DESCRIPTOR_CONTROL)];
  } control;
  char byte;
  struct iovec piece = {&byte, 1};
  struct msghdr message = {
      .msg_iov = &piece, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  ssize_t count;
  do {
    count = recvmsg(LAUNCH_DESCRIPTOR_CONTROL, &message, MSG_CMSG_CLOEXEC);
  } while (count < 0 && errno == EINTR);
  // The host has ended, or needs this launcher no longer.
  if (count == 0) _exit(0);
  stage_check(LAUNCH_STAGE_DESCRIPTORS, count == 1);
  const struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  policy_require((message.msg_flags & MSG_CTRUNC) == 0 && header != NULL && header->cmsg_level == SOL_SOCKET);
  policy_require(header->cmsg_type == SCM_RIGHTS && header->cmsg_len == CMSG_LEN(size));
  memcpy(descriptors, CMSG_DATA(header), size);
}

void standby_await(void) {
  // The host's folder may be on a disk that somebody wants to take away.
  stage_check(LAUNCH_STAGE_DESCRIPTORS, chdir("/") == 0);
  int descriptors[LAUNCH_DESCRIPTOR_CONTROL];
  receive(descriptors);
  for (int place = 0; place < LAUNCH_DESCRIPTOR_CONTROL; place++) {
    stage_check(LAUNCH_STAGE_DESCRIPTORS, dup2(descriptors[place], place) == place);
  }
  // Closes those that were received, and has the policy closed by execve.
  descriptors_reset();
}
