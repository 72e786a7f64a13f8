import CLinux
import Foundation

/// A process that a test spawned: killed and reaped at the latest when the value goes.
final class ChildProcess: Sendable {
  let pid: Int32
  private let pidfd: Int32

  /// - Parameter streams: what become its standard input, output and error.
  init(_ path: String, _ arguments: [String], environment: [String: String], streams: [Int32]) throws {
    let map = streams.enumerated().map { clinux_descriptor(source: $0.element, target: Int32($0.offset)) }
    var argv = ([path] + arguments).map { strdup($0) } + [nil]
    // A fault of `make mutants SAMPLE=…` is one of the program's too, and what it reaches is recorded.
    let fault = ProcessInfo.processInfo.environment.filter { $0.key.hasPrefix("ANNEX_MUTANT") }
    let variables = environment.merging(fault) { $1 }
    var envp = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in argv + envp { free(text) } }
    var pid: pid_t = 0
    var pidfd: Int32 = -1
    let failure = clinux_spawn(path, &argv, &envp, map, map.count, &pid, &pidfd)
    guard failure == 0 else { throw ProgramFailure(error: failure) }
    self.pid = pid
    self.pidfd = pidfd
  }

  deinit {
    signal(SIGKILL)
    _ = try? wait()
    close(pidfd)
  }

  func signal(_ number: Int32) { _ = clinux_pidfd_signal(pidfd, number) }

  /// Waits for its end, once.
  ///
  /// - Returns: the exit status; 128 and the number for a signal.
  func wait() throws -> Int32 {
    var end: Int32 = 0
    var value: Int32 = 0
    let failure = clinux_pidfd_reap(pidfd, 1, &end, &value)
    guard failure == 0 else { throw ProgramFailure(error: failure) }
    return end == Int32(CLINUX_EXITED.rawValue) ? value : 128 + value
  }
}
