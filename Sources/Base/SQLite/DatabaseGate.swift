internal import CLinux
internal import Files
internal import Glibc

/// The one place where the processes of a database meet: locks of single bytes of a file beside the database, which the
/// kernel drops when a process ends. Belongs to the thread of the database.
///
/// Byte 0 is held while a process writes, byte 1 by those who wait for it, byte 2 by those who listen for writes.
/// SQLite has locks of its own; without the gate the one process that writes most lets nobody else in for seconds.
package final class DatabaseGate {
  private enum Byte: Int64 {
    case writing = 0
    case waiting = 1
    case listening = 2
  }

  private let descriptor: Int32
  private let path: String
  private let timeout: Duration

  /// - Parameter timeout: how long to wait for another process.
  package init(path: String, timeout: Duration) throws(GateError) {
    self.path = path
    self.timeout = timeout
    descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .system("open", path, errno) }
  }

  deinit { close(descriptor) }

  /// Takes the gate, which is given back with ``give()``.
  ///
  /// - Throws: `unavailable` when another process keeps it for longer than the timeout: it may be stopped.
  package func take() throws(GateError) {
    // A process that has just given the gate back lets those that wait go first.
    if clinux_byte_is_locked(descriptor, Byte.waiting.rawValue) == 1 { usleep(.random(in: 300...600)) }
    let failure = tryLock(.writing)
    if failure == 0 { return }
    guard failure == EAGAIN else { throw .system("lock", path, failure) }
    _ = clinux_try_lock_byte(descriptor, Byte.waiting.rawValue, 0)
    defer { _ = clinux_unlock_byte(descriptor, Byte.waiting.rawValue) }
    let end = ContinuousClock.now + timeout
    while ContinuousClock.now < end {
      usleep(.random(in: 50...200))
      if tryLock(.writing) == 0 { return }
    }
    throw GateError(
      "Another process has kept the gate \(path) for longer than \(timeout).",
      recovery: "Try again, or end the process that holds it: fuser \(path).", isRetryable: true)
  }

  /// Releases the gate for the next writer.
  package func give() { _ = clinux_unlock_byte(descriptor, Byte.writing.rawValue) }

  /// Whether another process listens for writes.
  package var hasListeners: Bool { clinux_byte_is_locked(descriptor, Byte.listening.rawValue) == 1 }

  /// From now on the writes of other processes are announced.
  package func listen() { _ = clinux_try_lock_byte(descriptor, Byte.listening.rawValue, 0) }

  private func tryLock(_ byte: Byte) -> Int32 { clinux_try_lock_byte(descriptor, byte.rawValue, 1) }
}

/// Why a gate could not be opened or taken.
package struct GateError: Error, Sendable, Equatable {
  /// One sentence: what happened.
  package let message: String
  /// What the reader can do.
  package let recovery: String
  /// Whether another attempt may succeed without anybody doing anything.
  package let isRetryable: Bool

  init(_ message: String, recovery: String, isRetryable: Bool) {
    (self.message, self.recovery, self.isRetryable) = (message, recovery, isRetryable)
  }

  /// A call that the kernel refused.
  package static func system(_ verb: String, _ path: String, _ number: Int32) -> GateError {
    GateError(
      "Cannot \(verb) \(path): \(SystemError(number)).",
      recovery: "Check that the folder of \(path) exists, has space, and may be written by this user.",
      isRetryable: number == EAGAIN || number == EINTR || number == ENOSPC || number == EMFILE)
  }
}
