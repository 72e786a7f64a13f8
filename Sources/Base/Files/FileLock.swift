import Glibc

/// A lock on a file, held for as long as this value lives (`flock`): the kernel drops it with the process, however that
/// ends. A process that was stopped keeps it, and so nobody waits for a lock without an end.
package struct FileLock: ~Copyable, Sendable {
  private let descriptor: Int32

  private init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Gives the lock back now.
  package consuming func unlock() {}

  /// Milliseconds between two attempts.
  private static let pause: UInt32 = 2

  /// Locks a file when nobody else has it; never waits.
  ///
  /// - Parameter path: is made when it is not there.
  /// - Returns: `nil` when somebody has it.
  /// - Throws: `FileError` when the file cannot be opened or locked at all.
  package static func attempt(_ path: String) throws(FileError) -> FileLock? {
    let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0o600)
    guard descriptor >= 0 else { throw .cannot("open the lock", path) }
    let lock = FileLock(descriptor)
    let error = attempt(descriptor)
    if error == 0 { return lock }
    guard error == EWOULDBLOCK else { throw .cannot("lock", path, SystemError(error)) }
    return nil
  }

  /// Locks a file, and waits until it can. A task that was cancelled waits as well: what it ends with is often what has to
  /// be kept. `SharedFiles` has this with a thread to wait on.
  ///
  /// - Parameters:
  ///   - path: is made when it is not there.
  ///   - limit: how long to wait.
  ///   - onThread: runs what blocks until the lock is free or the limit has passed, where nobody minds, and gives its
  ///     result. It is not asked when the file can be locked at once.
  /// - Throws: `FileError`; `locked` when the limit has passed.
  package static func take(
    _ path: String, within limit: Duration, onThread: (@escaping @Sendable () -> Int32) async -> Int32
  ) async throws(FileError) -> FileLock {
    let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0o600)
    guard descriptor >= 0 else { throw .cannot("open the lock", path) }
    let lock = FileLock(descriptor)
    var error = attempt(descriptor)
    if error == EWOULDBLOCK {
      let end = ContinuousClock.now + limit
      error = await onThread { wait(for: descriptor, until: end) }
    }
    if error == 0 { return lock }
    guard error == EWOULDBLOCK else { throw .cannot("lock", path, SystemError(error)) }
    throw FileError(
      .locked, "\(path) is locked by another program\(holder(of: descriptor).map { ", process \($0)" } ?? "").",
      recovery: "Try again, or end the program that holds it.")
  }

  private static func wait(for descriptor: Int32, until end: ContinuousClock.Instant) -> Int32 {
    while true {
      let error = attempt(descriptor)
      guard error == EWOULDBLOCK, ContinuousClock.now < end else { return error }
      usleep(pause * 1000)
    }
  }

  /// - Returns: 0, or the error number: EWOULDBLOCK when somebody has the lock.
  private static func attempt(_ descriptor: Int32) -> Int32 {
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      if errno != EINTR { return errno }
    }
    return 0
  }

  /// The process that has the lock, where the kernel's list names one and it is seen from here.
  private static func holder(of descriptor: Int32) -> Int32? {
    var info = stat()
    guard unsafe fstat(descriptor, &info) == 0, let list = File.prefix(of: "/proc/locks", limit: 1 << 20) else {
      return nil
    }
    let ending = ":\(info.st_ino)"
    let holders = String(decoding: list, as: UTF8.self).split(separator: "\n").compactMap { line -> Int32? in
      // 1: FLOCK  ADVISORY  WRITE 4711 08:01:1234567 0 EOF
      let fields = line.split(separator: " ")
      guard fields.count >= 6, fields[1] == "FLOCK", fields[5].hasSuffix(ending) else { return nil }
      return Int32(fields[4])
    }
    // The list may have another file of the same number, on another device.
    guard holders.count == 1, let holder = holders.first, holder > 0 else { return nil }
    return holder
  }
}
