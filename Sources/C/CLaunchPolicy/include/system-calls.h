// The system calls of an extension, with their numbers on x86_64 and aarch64. Everything else fails with EPERM.
//
// Left out on purpose, though programs use them: truncate (Landlock before version 3 does not see it), link, symlink,
// mknod, chmod, chown, extended attributes, memfd_create, socket and what leads to others through one, the calls that
// pass descriptors (sendmsg, recvmsg and their like), fork, io_uring; every lock on files (flock, and those of fcntl),
// which lets two talk that read the same file, and takes memory of the kernel that no figure of a process shows;
// futex_waitv, which waits for more than the own process.
#pragma once

// Allowed whatever the arguments. execve is in the list because the launcher itself needs it once; see exec-once.c.
#define LAUNCH_ALLOWED_CALLS(BOTH, ONLY_X86_64) \
  /* Input and output */ \
  BOTH(read, 0, 63) \
  BOTH(write, 1, 64) \
  BOTH(readv, 19, 65) \
  BOTH(writev, 20, 66) \
  BOTH(pread64, 17, 67) \
  BOTH(pwrite64, 18, 68) \
  BOTH(close, 3, 57) \
  BOTH(lseek, 8, 62) \
  BOTH(dup, 32, 23) \
  ONLY_X86_64(dup2, 33) \
  BOTH(dup3, 292, 24) \
  BOTH(pipe2, 293, 59) \
  BOTH(sendfile, 40, 71) \
  BOTH(copy_file_range, 326, 285) \
  BOTH(fadvise64, 221, 223) \
  BOTH(fsync, 74, 82) \
  BOTH(fdatasync, 75, 83) \
  BOTH(ftruncate, 77, 46) \
  /* Files */ \
  ONLY_X86_64(access, 21) \
  BOTH(faccessat, 269, 48) \
  BOTH(faccessat2, 439, 439) \
  BOTH(newfstatat, 262, 79) \
  BOTH(fstat, 5, 80) \
  ONLY_X86_64(stat, 4) \
  ONLY_X86_64(lstat, 6) \
  BOTH(statx, 332, 291) \
  BOTH(statfs, 137, 43) \
  BOTH(fstatfs, 138, 44) \
  ONLY_X86_64(readlink, 89) \
  BOTH(readlinkat, 267, 78) \
  BOTH(getcwd, 79, 17) \
  BOTH(chdir, 80, 49) \
  BOTH(fchdir, 81, 50) \
  BOTH(getdents64, 217, 61) \
  ONLY_X86_64(mkdir, 83) \
  BOTH(mkdirat, 258, 34) \
  ONLY_X86_64(rmdir, 84) \
  ONLY_X86_64(unlink, 87) \
  BOTH(unlinkat, 263, 35) \
  ONLY_X86_64(rename, 82) \
  BOTH(renameat, 264, 38) \
  BOTH(umask, 95, 166) \
  /* Memory */ \
  BOTH(brk, 12, 214) \
  BOTH(munmap, 11, 215) \
  BOTH(mremap, 25, 216) \
  BOTH(madvise, 28, 233) \
  BOTH(mincore, 27, 232) \
  BOTH(msync, 26, 227) \
  /* Threads and synchronisation */ \
  BOTH(set_robust_list, 273, 99) \
  BOTH(get_robust_list, 274, 100) \
  BOTH(rseq, 334, 293) \
  BOTH(set_tid_address, 218, 96) \
  BOTH(membarrier, 324, 283) \
  BOTH(exit, 60, 93) \
  BOTH(exit_group, 231, 94) \
  ONLY_X86_64(arch_prctl, 158) \
  BOTH(restart_syscall, 219, 128) \
  BOTH(execve, 59, 221) \
  /* Identity */ \
  BOTH(getpid, 39, 172) \
  BOTH(gettid, 186, 178) \
  BOTH(getppid, 110, 173) \
  BOTH(getuid, 102, 174) \
  BOTH(geteuid, 107, 175) \
  BOTH(getgid, 104, 176) \
  BOTH(getegid, 108, 177) \
  BOTH(getresuid, 118, 148) \
  BOTH(getresgid, 120, 150) \
  ONLY_X86_64(getpgrp, 111) \
  /* Time and information */ \
  BOTH(clock_gettime, 228, 113) \
  BOTH(clock_getres, 229, 114) \
  BOTH(clock_nanosleep, 230, 115) \
  BOTH(nanosleep, 35, 101) \
  BOTH(gettimeofday, 96, 169) \
  ONLY_X86_64(time, 201) \
  BOTH(getrandom, 318, 278) \
  BOTH(uname, 63, 160) \
  BOTH(sysinfo, 99, 179) \
  BOTH(getrusage, 98, 165) \
  BOTH(times, 100, 153) \
  BOTH(getcpu, 309, 168) \
  BOTH(sched_yield, 24, 124) \
  BOTH(sched_getaffinity, 204, 123) \
  BOTH(sched_getparam, 143, 121) \
  BOTH(sched_getscheduler, 145, 120) \
  BOTH(sched_get_priority_min, 147, 126) \
  BOTH(sched_get_priority_max, 146, 125) \
  BOTH(getrlimit, 97, 163) \
  /* Signals */ \
  BOTH(rt_sigaction, 13, 134) \
  BOTH(rt_sigprocmask, 14, 135) \
  BOTH(rt_sigreturn, 15, 139) \
  BOTH(rt_sigsuspend, 130, 133) \
  BOTH(rt_sigtimedwait, 128, 137) \
  BOTH(rt_sigpending, 127, 136) \
  BOTH(sigaltstack, 131, 132) \
  ONLY_X86_64(pause, 34) \
  /* Events */ \
  BOTH(epoll_create1, 291, 20) \
  BOTH(epoll_ctl, 233, 21) \
  ONLY_X86_64(epoll_wait, 232) \
  BOTH(epoll_pwait, 281, 22) \
  BOTH(epoll_pwait2, 441, 441) \
  ONLY_X86_64(poll, 7) \
  BOTH(ppoll, 271, 73) \
  ONLY_X86_64(select, 23) \
  BOTH(pselect6, 270, 72) \
  BOTH(eventfd2, 290, 19) \
  BOTH(timerfd_create, 283, 85) \
  BOTH(timerfd_settime, 286, 86) \
  BOTH(timerfd_gettime, 287, 87) \
  BOTH(signalfd4, 289, 74)

// Allowed, refused or answered by their arguments: filter.c has the rule of each.
#define LAUNCH_CHECKED_CALLS(BOTH, ONLY_X86_64) \
  BOTH(clone, 56, 220) \
  BOTH(clone3, 435, 435) \
  BOTH(mmap, 9, 222) \
  BOTH(mprotect, 10, 226) \
  BOTH(utimensat, 280, 88) \
  BOTH(getpriority, 140, 141) \
  BOTH(setpriority, 141, 140) \
  BOTH(tgkill, 234, 131) \
  BOTH(fcntl, 72, 25) \
  BOTH(futex, 202, 98) \
  BOTH(ioctl, 16, 29) \
  BOTH(prctl, 157, 167) \
  BOTH(prlimit64, 302, 261) \
  BOTH(openat, 257, 56) \
  ONLY_X86_64(open, 2) \
  BOTH(fallocate, 285, 47) \
  BOTH(close_range, 436, 436) \
  BOTH(renameat2, 316, 276) \
  BOTH(fchmod, 91, 52) \
  BOTH(socketpair, 53, 199) \
  BOTH(sendto, 44, 206) \
  BOTH(recvfrom, 45, 207)
