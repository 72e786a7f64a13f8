import ExtensionProtocol
import Glibc
import JSONRPC
import Synchronization

/// The file in which several hosts keep what their users have decided: read when it has changed, replaced as a whole under
/// a lock.
final class PermissionStore: Sendable {
  /// A record, and how often another one was read before it.
  struct Reading: Sendable {
    var record: PermissionRecord
    var generation: UInt64
  }

  private struct Cache {
    var stamp: FileStamp?
    var reading = Reading(record: PermissionRecord(), generation: 0)
  }

  static let name = "permissions.json"
  /// How long a change waits for another process that changes the record.
  private static let lockDeadline = Duration.seconds(5)

  let state: StateDirectory
  private let log: any LogSink
  private let cache = Mutex(Cache())

  init(state: StateDirectory, log: any LogSink) {
    self.state = state
    self.log = log
  }

  private var path: String { "\(state.path)/\(Self.name)" }

  /// What holds now: one look at the file's stamp while it has not changed.
  ///
  /// A record that cannot be read is reported and set aside; everything is undecided then.
  func reading() -> Reading {
    let stamp = FileStamp(path)
    return cache.withLock { cache in
      if cache.stamp == stamp { return cache.reading }
      cache.reading = Reading(
        record: stamp == nil ? PermissionRecord() : load(), generation: cache.reading.generation + 1)
      // A record that was set aside is gone now.
      cache.stamp = FileStamp(path)
      return cache.reading
    }
  }

  /// Changes the record while no other process can; a crash leaves the old one or the new one.
  ///
  /// - Throws: `storeFailed`; then nothing has changed.
  func change(_ body: (inout PermissionRecord) -> Void) async throws(ExtensionError) {
    let lock = try await lock()
    defer { close(lock) }
    var record = PermissionRecord()
    if FileStamp(path) != nil {
      do {
        record = try PermissionRecord(parsing: bytes())
      } catch {
        guard error.details["format"] == nil, error.details["system"] == nil else { throw error }
        setAside(error)
      }
    }
    let before = record
    body(&record)
    guard record != before else { return }
    do {
      try SmallFile.replace(path, with: record.bytes)
    } catch {
      throw ExtensionError(wrapping: error)
    }
  }

  private func lock() async throws(ExtensionError) -> Int32 {
    _ = try state.folder("")
    let descriptor = open("\(path).lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw failure("open the lock of") }
    let end = ContinuousClock.now + Self.lockDeadline
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR, ContinuousClock.now < end else {
        defer { close(descriptor) }
        throw failure("lock")
      }
      do {
        try await ContinuousClock().sleep(for: .milliseconds(2))
      } catch {
        close(descriptor)
        throw ExtensionError(wrapping: error)
      }
    }
    return descriptor
  }

  private func load() -> PermissionRecord {
    do {
      return try PermissionRecord(parsing: bytes())
    } catch {
      let isForeign = error.details["format"] != nil || error.details["system"] != nil
      if isForeign { report(error.message, setAside: nil) } else { setAsideUnderLock() }
      return PermissionRecord()
    }
  }

  private func bytes() throws(ExtensionError) -> [UInt8] {
    do {
      return try RegularFile.read(path, limit: 4 << 20, followsLink: false)
    } catch {
      throw ExtensionError(
        .storeFailed, "The record of permissions \(path): \(error.message)", recovery: error.recovery,
        details: ["system": .bool(true)])
    }
  }

  /// Moves a broken record away when nobody is writing; the one who writes does it otherwise.
  private func setAsideUnderLock() {
    let lock = open("\(path).lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard lock >= 0 else { return report("The record of permissions \(path) cannot be read.", setAside: nil) }
    defer { close(lock) }
    guard flock(lock, LOCK_EX | LOCK_NB) == 0, let bytes = try? bytes() else { return }
    do { _ = try PermissionRecord(parsing: bytes) } catch { setAside(error) }
  }

  private func setAside(_ error: ExtensionError) {
    let aside = "\(path).broken-\(Int(WallClock.now))"
    guard rename(path, aside) == 0 else { return report(error.message, setAside: nil) }
    report(error.message, setAside: aside)
  }

  private func report(_ why: String, setAside aside: String?) {
    let end = aside.map { "It was moved to \($0), and every permission is undecided." }
    log.log(
      .error, "\(why) \(end ?? "Every permission is undecided.")", metadata: ["file": .string(path)])
  }

  private func failure(_ what: String) -> ExtensionError {
    ExtensionError(.storeFailed, "Cannot \(what) \(path): \(ErrnoText.of(errno)).")
  }
}
