import Foundation

/// A process of a program of the tests, which is killed at any moment or ends by itself.
package final class WorkerProcess: Sendable {
  private let pid: pid_t

  /// - Parameters:
  ///   - name: a program beside the tests.
  ///   - preparation: a line of shell that runs before; as root in a mount namespace of the process's own.
  package init(_ name: String, _ arguments: [String], after preparation: String? = nil) throws {
    var command = [Bundle.main.bundleURL.appending(path: name).path] + arguments
    if let preparation {
      let line = "\(preparation) && exec \"$0\" \"$@\""
      command = (geteuid() == 0 ? ["/usr/bin/unshare", "-m"] : []) + ["/bin/bash", "-c", line] + command
    }
    var words = command.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var made: pid_t = 0
    let error = posix_spawn(&made, command[0], nil, nil, &words, environ)
    guard error == 0 else { throw POSIXError(POSIXErrorCode(rawValue: error) ?? .ENOENT) }
    pid = made
  }

  package func kill() { Glibc.kill(pid, SIGKILL) }

  /// - Returns: the exit status; the number of the signal that ended the process, negative.
  package func wait() -> Int32 {
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F)
  }
}
