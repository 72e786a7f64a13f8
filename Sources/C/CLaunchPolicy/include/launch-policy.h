// What the host asks of the extension launcher, and what the launcher answers: the one definition of both sides.
//
// The host writes one policy into a sealed memory file, hands it over as descriptor LAUNCH_DESCRIPTOR_POLICY and starts
// the launcher without arguments and without environment. The launcher applies the policy exactly, or reports the
// stage that failed and ends before the extension's first instruction.
//
//   struct launch_policy                                fixed header, lengths and offsets in bytes from its start
//   uint32_t argument_offsets[argument_count]           each the offset of a string
//   uint32_t environment_offsets[environment_count]     each the offset of a "NAME=value" string
//   struct launch_path paths[path_count]                in the order in which they are mounted
//   struct launch_limit limits[limit_count]
//   char strings[]                                      NUL-terminated, to the end of the policy
#pragma once

#include <stdint.h>

// The version of host and launcher, which are made for each other. The launcher's file holds the mark, the version and a
// line feed, so that a host can read it without starting anything.
#define LAUNCH_VERSION "0.1.0"
#define LAUNCH_VERSION_MARK "annex-launcher-version="

#define LAUNCH_POLICY_MAGIC 0x50584e41u /* "ANXP" */
#define LAUNCH_POLICY_VERSION 3u
#define LAUNCH_POLICY_MAXIMUM_LENGTH (1024u * 1024u)
#define LAUNCH_POLICY_MAXIMUM_COUNT 1024u

// The descriptors with which a launcher starts. Everything above is closed before the policy is read.
enum launch_descriptor {
  LAUNCH_DESCRIPTOR_POLICY = 3,  // read: the policy
  // A stream socket. Written: launch_status records. Read: the byte of LAUNCH_ADMISSION, then end-of-file when the host
  // has died, or wants the sandbox to end: the lifeline.
  LAUNCH_DESCRIPTOR_CONTROL = 4,
  LAUNCH_DESCRIPTOR_COUNT = 5,
};

// The facilities that a launcher must apply. It applies all that are named and none that are not.
enum launch_facility {
  LAUNCH_USER_NAMESPACE = 1u << 0,     // user_id and group_id stand for the caller's own, and no others exist
  LAUNCH_MOUNT_NAMESPACE = 1u << 1,    // an own root of nothing but the paths of the policy
  LAUNCH_PID_NAMESPACE = 1u << 2,      // init is process 1, the extension process 2
  LAUNCH_NETWORK_NAMESPACE = 1u << 3,  // no interface but a loopback that is down
  LAUNCH_IPC_NAMESPACE = 1u << 4,
  LAUNCH_UTS_NAMESPACE = 1u << 5,
  LAUNCH_CGROUP_NAMESPACE = 1u << 6,
  LAUNCH_PRIVATE_PROC = 1u << 7,    // a read-only procfs of the own pid namespace, processes only
  LAUNCH_HOST_PROC = 1u << 8,       // the host's /proc, read-only
  LAUNCH_LANDLOCK = 1u << 9,        // rights of landlock_abi
  LAUNCH_EXEC_ONCE = 1u << 10,      // one execve, and no other ever
  LAUNCH_SECCOMP = 1u << 11,        // the list of allowed system calls
  LAUNCH_LIMITS = 1u << 12,         // the resource limits of the policy
  LAUNCH_CREDENTIALS = 1u << 13,    // drop every capability; a real root also takes user_id and group_id
  LAUNCH_GENERATED_CODE = 1u << 14,  // no layer: the list allows memory that is written and executed
  // No layer: wait for one byte on the control socket, which the host writes when it has put the launcher into the control
  // group of the extension.
  LAUNCH_ADMISSION = 1u << 15,
  // For a root that may not make namespaces: take user_id and group_id before the user namespace is made, as its only
  // ones. Without it a root has a user namespace in which its own ids are called user_id and group_id.
  LAUNCH_TAKE_USER = 1u << 16,
  LAUNCH_FACILITIES_ALL = (1u << 17) - 1,
  // What a launcher can make before it knows the policy.
  LAUNCH_STANDBY_FACILITIES =
      LAUNCH_USER_NAMESPACE | LAUNCH_NETWORK_NAMESPACE | LAUNCH_IPC_NAMESPACE | LAUNCH_UTS_NAMESPACE,
};

// A launcher can start before it knows the policy, when its arguments are this one, some of LAUNCH_STANDBY_FACILITIES,
// which it makes ahead, the user_id and the group_id, as decimal numbers. It starts with any descriptors below that of the
// control socket, and gets those of a launch over the socket: one byte with four descriptors (SCM_RIGHTS), which become 0
// to 3. A policy that names less than was made is refused. What is copied of the host's when it is made, as the mounts, is
// never made ahead.
#define LAUNCH_STANDBY_ARGUMENT "--standby"

// What a path is for. Every path but a link is an absolute name without symbolic links, `.` and `..`.
enum launch_path_kind {
  LAUNCH_PATH_READ = 1,          // file or directory: read
  LAUNCH_PATH_READ_EXECUTE = 2,  // file or directory: read and map executable
  LAUNCH_PATH_READ_WRITE = 3,    // directory: everything but executing and special files
  LAUNCH_PATH_DEVICE_READ = 4,   // character device: read
  LAUNCH_PATH_DEVICE = 5,        // character device: read and write
  LAUNCH_PATH_LINK = 6,          // a symbolic link in the own root, with its target; ignored without a mount namespace
};

struct launch_policy {
  uint32_t magic;
  uint32_t version;
  uint32_t length;      // of the whole policy
  uint32_t facilities;  // launch_facility
  uint32_t user_id;     // never 0
  uint32_t group_id;    // never 0
  uint32_t landlock_abi;
  uint32_t executable;         // offset of a string: absolute path
  uint32_t working_directory;  // offset of a string: absolute path
  uint32_t argument_count;     // at least 1
  uint32_t arguments;          // offset of the table
  uint32_t environment_count;
  uint32_t environment;
  uint32_t path_count;
  uint32_t paths;
  uint32_t limit_count;
  uint32_t limits;
  uint32_t strings;  // offset of the strings, which end with the policy
};

struct launch_path {
  uint32_t kind;    // launch_path_kind
  uint32_t path;    // offset of a string
  uint32_t target;  // offset of a string: of a link; 0 otherwise
};

struct launch_limit {
  uint32_t resource;  // RLIMIT_*
  uint32_t reserved;  // 0
  uint64_t value;     // soft and hard
};

#define LAUNCH_STATUS_MAGIC 0x53584e41u /* "ANXS" */

// One record of the control socket. Records are written whole: 16 bytes into an empty socket.
struct launch_status {
  uint32_t magic;
  uint32_t kind;    // launch_status_kind
  uint32_t first;   // failed: launch_stage;  ended: launch_end
  uint32_t second;  // failed: errno;         ended: exit code or signal number
};

enum launch_status_kind {
  LAUNCH_STATUS_FAILED = 1,    // the extension did not run; the last record
  LAUNCH_STATUS_EXECUTED = 2,  // the extension's image runs
  LAUNCH_STATUS_ENDED = 3,     // the extension ended; the last record
};

enum launch_end {
  LAUNCH_END_EXITED = 1,
  LAUNCH_END_SIGNALLED = 2,
  LAUNCH_END_LOST = 3,  // the init of the sandbox ended before it could say how; second is a wait status
};

// The stages, in the order of the launcher's main function. The numbers are part of the interface.
enum launch_stage {
  LAUNCH_STAGE_DESCRIPTORS = 1,
  LAUNCH_STAGE_POLICY = 2,
  LAUNCH_STAGE_SESSION = 3,
  LAUNCH_STAGE_USER_NAMESPACE = 4,
  LAUNCH_STAGE_MOUNT_NAMESPACE = 5,
  LAUNCH_STAGE_PID_NAMESPACE = 6,
  LAUNCH_STAGE_NETWORK_NAMESPACE = 7,
  LAUNCH_STAGE_IPC_NAMESPACE = 8,
  LAUNCH_STAGE_UTS_NAMESPACE = 9,
  LAUNCH_STAGE_CGROUP_NAMESPACE = 10,
  LAUNCH_STAGE_INIT = 11,
  LAUNCH_STAGE_MOUNTS = 12,
  LAUNCH_STAGE_PROC = 13,
  LAUNCH_STAGE_ROOT = 14,
  LAUNCH_STAGE_CREDENTIALS = 15,
  LAUNCH_STAGE_EXEC_ONCE = 16,
  LAUNCH_STAGE_EXTENSION = 17,
  LAUNCH_STAGE_WORKING_DIRECTORY = 18,
  LAUNCH_STAGE_LIMITS = 19,
  LAUNCH_STAGE_LANDLOCK = 20,
  LAUNCH_STAGE_SECCOMP = 21,
  LAUNCH_STAGE_EXECUTE = 22,
  LAUNCH_STAGE_LAST = 22,
};

// A launcher that finds no policy checks the confinement in which it runs and exits with the sum of what it misses:
// this is how the probe looks at a sandbox from the inside. Its arguments are the namespaces of the host, as the links
// of /proc name them, that it must not find around itself.
enum launch_self_check {
  LAUNCH_MISSING_SECCOMP = 1u << 0,
  LAUNCH_MISSING_EXEC_ONCE = 1u << 1,
  LAUNCH_MISSING_CREDENTIALS = 1u << 2,
  LAUNCH_MISSING_LANDLOCK = 1u << 3,
  LAUNCH_MISSING_OWN_ROOT = 1u << 4,
  LAUNCH_MISSING_PID_NAMESPACE = 1u << 5,
  LAUNCH_MISSING_LIMITS = 1u << 6,
  LAUNCH_MISSING_NAMESPACE = 1u << 7,  // the last that fits into an exit status
};
