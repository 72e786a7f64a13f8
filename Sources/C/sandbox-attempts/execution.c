#define _GNU_SOURCE
#include "attempts.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool execute_programs(char **targets) {
  char *none[] = {NULL};
  char *shell[] = {"sh", "-c", "echo found a shell", NULL};
  char *loader[] = {"ld.so", "/bin/true", NULL};
  char *script[] = {targets[0], NULL};
  execve("/bin/sh", shell, none);
  execve("/lib64/ld-linux-x86-64.so.2", loader, none);
  execve("/usr/bin/su", none, none);
  execve(targets[0], script, none);
  return errno != ENOSYS && errno != EACCES && errno != ENOENT;
}

static int copy_of_self(int target) {
  int self = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  char bytes[65536];
  for (ssize_t count; (count = read(self, bytes, sizeof bytes)) > 0;) {
    if (write(target, bytes, (size_t)count) != count) return -1;
  }
  close(self);
  return target;
}

static bool execute_again(char **targets) {
  char *arguments[] = {"sandbox-attempts", "again", NULL}, *none[] = {NULL};
  execve(targets[0], arguments, none);
  execve("/proc/self/exe", arguments, none);
  int copy = open("copy", O_RDWR | O_CREAT | O_CLOEXEC, 0700);
  if (copy >= 0 && copy_of_self(copy) >= 0) close(copy);
  execve("copy", arguments, none);
  int memory = memfd_create("copy", 0);
  if (memory >= 0) copy_of_self(memory);
  syscall(SYS_execveat, memory, "", arguments, none, AT_EMPTY_PATH);
  int self = open("/proc/self/exe", O_RDONLY);
  syscall(SYS_execveat, self, "", arguments, none, AT_EMPTY_PATH);
  return memory >= 0;
}

static void *race(void *path) {
  char *arguments[] = {"sandbox-attempts", "again", NULL}, *none[] = {NULL};
  for (int count = 0; count < 200; count++) execve(path, arguments, none);
  return NULL;
}

static bool execute_in_a_race(char **targets) {
  pthread_t threads[4];
  for (size_t index = 0; index < 4; index++) {
    if (pthread_create(&threads[index], NULL, race, targets[0]) != 0) return true;
  }
  for (size_t index = 0; index < 4; index++) pthread_join(threads[index], NULL);
  return false;
}

static void *note(void *flag) {
  *(int *)flag = 1;
  return NULL;
}

static bool make_processes(char **targets) {
  (void)targets;
  pthread_t thread;
  int ran = 0;
  if (pthread_create(&thread, NULL, note, &ran) != 0 || pthread_join(thread, NULL) != 0 || ran != 1) {
    found("threads do not work");
    return true;
  }
  if (syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) >= 0 || errno != EPERM) return true;
#ifdef SYS_fork
  if (syscall(SYS_fork) >= 0 || errno != EPERM) return true;
  if (syscall(SYS_vfork) >= 0 || errno != EPERM) return true;
#endif
  uint64_t arguments[11] = {[4] = SIGCHLD};
  return syscall(SYS_clone3, arguments, sizeof arguments) >= 0 || errno != ENOSYS;
}

static bool map_code(char **targets) {
  (void)targets;
  size_t page = 4096;
  int private = MAP_PRIVATE | MAP_ANONYMOUS;
  if (mmap(NULL, page, PROT_READ | PROT_WRITE | PROT_EXEC, private, -1, 0) != MAP_FAILED) return true;
  if (mmap(NULL, page, PROT_READ | PROT_EXEC, private, -1, 0) != MAP_FAILED) return true;
  void *memory = mmap(NULL, page, PROT_READ | PROT_WRITE, private, -1, 0);
  if (memory == MAP_FAILED || mprotect(memory, page, PROT_READ | PROT_EXEC) == 0) return true;
  if (syscall(SYS_pkey_mprotect, memory, page, PROT_READ | PROT_EXEC, -1) == 0) return true;
  if (memfd_create("code", 0) >= 0 || syscall(SYS_remap_file_pages, memory, page, 0, 0, 0) == 0) return true;
  return open("/proc/self/mem", O_RDWR | O_CLOEXEC) >= 0;
}

// Only an own root forbids this: its container cannot be executed from.
static bool map_downloaded_code(char **targets) {
  (void)targets;
  int file = open("code", O_RDWR | O_CREAT | O_CLOEXEC, 0700);
  if (file < 0 || ftruncate(file, 4096) != 0) {
    found("the own directory cannot be written");
    return true;
  }
  return mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0) != MAP_FAILED;
}

// Memory that was there when the program began. Its headers may have asked for more than the sandbox gives.
static bool find_writable_code(char **targets) {
  (void)targets;
  FILE *maps = fopen("/proc/self/maps", "re");
  char line[512];
  while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
    char rights[5];
    if (sscanf(line, "%*s %4s", rights) != 1 || rights[1] != 'w' || rights[2] != 'x') continue;
    found("code that can be written: %s", line);
    return true;
  }
  return maps == NULL;
}

const struct attempt execution_attempts[] = {
    {"execution/programs", execute_programs}, {"execution/again", execute_again},
    {"execution/race", execute_in_a_race},    {"execution/processes", make_processes},
    {"execution/code", map_code},             {"execution/downloaded", map_downloaded_code},
    {"execution/stack", find_writable_code},  {"execution/segment", find_writable_code},
    {"execution/tail", find_writable_code},
    {NULL, NULL},
};
