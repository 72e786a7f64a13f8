#pragma once

/// What a process keeps on the disk in files that have no name any more, because it has them open or mapped.
struct clinux_unlinked_usage {
  unsigned long long files;
  unsigned long long bytes;  // as they are on the disk
};

/// Adds up each such file once.
///
/// process: an open folder `/proc/<pid>`, which never becomes that of another process.
/// folders: absolute paths without links, each with its zero byte, then one more; what had its name below none of them
/// does not count, as the files of a program that was replaced while it runs.
/// unknown: what a file counts whose size cannot be learnt: one that is only mapped, where the host may not look at
/// such files.
/// most: no further file is looked at once there are more files, or more bytes, than these.
///
/// Where the caller is root, its thread takes the process's user for the file system meanwhile: without CAP_SYS_PTRACE
/// the kernel shows the descriptors of a process to nobody else.
///
/// Returns 0, also when the process has ended; else -1 with errno.
int clinux_unlinked_usage(int process, const char *folders, unsigned long long unknown,
                          struct clinux_unlinked_usage most, struct clinux_unlinked_usage *usage);
