import Foundation

/// A process of its own that uses a cache of tokens.
final class WorkerProcess: Sendable {
  private let pid: pid_t

  init(_ arguments: String...) throws {
    let program = Bundle.main.bundleURL.appending(path: "TokenWorker").path
    var words = ([program] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var made: pid_t = 0
    let error = posix_spawn(&made, program, nil, nil, &words, environ)
    guard error == 0 else { throw POSIXError(.ENOENT) }
    pid = made
  }

  func kill() { Glibc.kill(pid, SIGKILL) }

  /// - Returns: the exit status; the number of the signal that ended the process, negative.
  func wait() -> Int32 {
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F)
  }
}

/// Runs what blocks on a thread of its own.
func onThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
  }
}
