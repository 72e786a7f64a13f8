// One execve and no other: a filter sends execve to a listener, the init answers one request and closes the listener,
// and the kernel then fails every later execve with ENOSYS, also one that was already waiting.
//
// The init installs the filter before it forks, so both hold the listener without passing it; the init itself never
// executes anything. Nothing is decided on the arguments of the call, so there is no race between look and use.

#define _GNU_SOURCE
#include "launcher.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int exec_once_install(const struct launch_policy *policy) {
  if (!policy_has(policy, LAUNCH_EXEC_ONCE)) return -1;
  struct sock_filter instructions[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_execve, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {sizeof instructions / sizeof *instructions, instructions};
  long listener = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
  stage_check(LAUNCH_STAGE_EXEC_ONCE, listener >= 0);
  return (int)listener;
}

void exec_once_grant(int listener) {
  // The kernel writes as many bytes as its own version of the structure has.
  union {
    struct seccomp_notif request;
    char room[1024];
  } received;
  do {
    memset(&received, 0, sizeof received);
  } while (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &received) != 0 && errno == EINTR);
  struct seccomp_notif_resp answer = {.id = received.request.id, .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE};
  // A failure means that the extension's process died while it waited, which the init learns in its own way.
  (void)ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
  close(listener);
}
