import CLinux
import Files
import Glibc

/// A child process in a session of its own. A descriptor identifies it, because its number may be reused.
struct ChildProcess {
  let pid: Int32
  private let descriptor: Int32

  /// Starts a program. What it writes goes to the log.
  ///
  /// - Parameter input: its standard input.
  static func start(
    _ words: [String], input: Int32, log: Int32
  ) throws(PostgreSQLClusterError) -> ChildProcess {
    let arguments = CStrings(words)
    // Nothing of this process's environment is meant for the server.
    let variables = CStrings(["PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8"])
    let map = [input, log, log].enumerated().map { clinux_descriptor(source: $0.element, target: Int32($0.offset)) }
    var (pid, descriptor): (pid_t, Int32) = (0, -1)
    let error = unsafe clinux_spawn_session(
      words[0], arguments.pointers, variables.pointers, map, map.count, &pid, &descriptor)
    guard error == 0 else {
      throw PostgreSQLClusterError(
        .startFailed, "Cannot start \(words[0]): \(SystemError(error)).", recovery: "Check that it is installed.")
    }
    return ChildProcess(pid: pid, descriptor: descriptor)
  }

  /// Returns a second descriptor of the process, valid until it is closed; below 0 when the system has none left.
  func duplicate() -> Int32 { fcntl(descriptor, F_DUPFD_CLOEXEC, 0) }

  /// Waits for its end. Blocks.
  ///
  /// - Returns: whether it has ended.
  func wait(milliseconds: Int32) -> Bool { ProcessDescriptor.wait(descriptor, milliseconds: milliseconds) }

  /// Forgets it, when it has ended.
  ///
  /// - Returns: whether it ended well.
  func reap() -> Bool {
    var (end, status): (Int32, Int32) = (0, 0)
    _ = unsafe clinux_pidfd_reap(descriptor, 1, &end, &status)
    close(descriptor)
    return end == Int32(CLINUX_EXITED.rawValue) && status == 0
  }

  /// Ends it and everything in its session.
  func kill() {
    // The process keeps its number until it is reaped.
    Glibc.kill(-pid, SIGKILL)
    _ = clinux_pidfd_signal(descriptor, SIGKILL)
  }
}

/// The operations on a process by its descriptor.
enum ProcessDescriptor {
  /// - Returns: whether the process has ended.
  static func wait(_ descriptor: Int32, milliseconds: Int32) -> Bool {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&waiting, 1, milliseconds) > 0
  }
}
