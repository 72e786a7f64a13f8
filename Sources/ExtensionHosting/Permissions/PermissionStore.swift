import ExtensionProtocol
import Files
import JSONRPC
import Synchronization

/// The file in which several hosts keep what their users have decided, read when it has changed.
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

  let state: StateDirectory
  private let file: StateFile<PermissionRecord>
  private let cache = Mutex(Cache())

  init(state: StateDirectory, log: any LogSink) {
    self.state = state
    file = StateFile(
      path: "\(state.path)/permissions.json", name: "The record of permissions",
      consequence: "Every permission is undecided.", isDurable: true, timeout: .seconds(5), log: log)
  }

  /// What holds now: one look at the file's stamp while it has not changed.
  ///
  /// A record that cannot be read is reported, and everything is undecided then.
  func reading() -> Reading {
    let stamp = file.stamp
    return cache.withLock { cache in
      if cache.stamp == stamp { return cache.reading }
      cache.reading = Reading(
        record: file.read() ?? PermissionRecord(), generation: cache.reading.generation + 1)
      // The stamp from before the read: what another host writes meanwhile is read the next time.
      cache.stamp = stamp
      return cache.reading
    }
  }

  /// Changes the record while no other process can; a crash leaves the old one or the new one.
  ///
  /// - Throws: `storeFailed`; then nothing has changed.
  func change(_ body: (inout PermissionRecord) -> Void) async throws(ExtensionError) {
    try await file.change(or: PermissionRecord()) { record throws(ExtensionError) in body(&record) }
  }
}
