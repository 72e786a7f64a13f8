import Glibc

/// What the kernel writes of a process that crashes: all of its memory.
enum CoreFile {
  /// There is none from now on: passwords and tokens would stand in it.
  static func refuse() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = 0
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
  }
}
