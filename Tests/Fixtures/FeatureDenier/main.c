// Runs a program on a kernel that seems to lack facilities: denier CALL[:ARGUMENT:BITS]=ERRNO … -- PROGRAM ARGUMENTS.
// A call fails with the error number; with bits only when the argument has one of them.

#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static const struct {
  const char *name;
  unsigned number;
} calls[] = {
    {"capset", SYS_capset},
    {"chdir", SYS_chdir},
    {"close_range", SYS_close_range},
    {"landlock_add_rule", 445},
    {"landlock_create_ruleset", 444},
    {"landlock_restrict_self", 446},
    {"mount_setattr", SYS_mount_setattr},
    {"move_mount", SYS_move_mount},
    {"openat2", SYS_openat2},
    {"pivot_root", SYS_pivot_root},
    {"prlimit64", SYS_prlimit64},
    {"seccomp", SYS_seccomp},
    {"setresuid", SYS_setresuid},
    {"unshare", SYS_unshare},
};

static struct sock_filter filter[256];
static unsigned short length;

static void add(struct sock_filter instruction) { filter[length++] = instruction; }

static unsigned number_of(const char *name, size_t characters) {
  for (size_t index = 0; index < sizeof calls / sizeof *calls; index++) {
    if (strlen(calls[index].name) == characters && memcmp(calls[index].name, name, characters) == 0) {
      return calls[index].number;
    }
  }
  fprintf(stderr, "no call %s\n", name);
  exit(2);
}

static void deny(const char *rule) {
  unsigned argument = 0, bits = 0, error = 0;
  size_t name = strcspn(rule, ":=");
  const char *rest = rule + name;
  if (*rest == ':') sscanf(rest, ":%u:%i=%u", &argument, (int *)&bits, &error);
  if (*rest == '=') sscanf(rest, "=%u", &error);
  add((struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)));
  add((struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number_of(rule, name), 0, bits == 0 ? 1 : 3));
  if (bits != 0) {
    unsigned offset = (unsigned)offsetof(struct seccomp_data, args) + 8 * argument;
    add((struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset));
    add((struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1));
  }
  add((struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error));
}

int main(int count, char **arguments) {
  int index = 1;
  for (; index < count && strcmp(arguments[index], "--") != 0; index++) deny(arguments[index]);
  add((struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  struct sock_fprog program = {length, filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return 3;
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) != 0) return 4;
  if (index + 1 >= count) return 2;
  execv(arguments[index + 1], arguments + index + 1);
  return 5;
}
