import ExtensionProtocol

/// The file in which several hosts keep their users' decisions. It is read again when it has changed.
final class PermissionStore: Sendable {
  /// A record, and how often another one was read before it.
  struct Reading: Sendable {
    var record: PermissionRecord
    var generation: UInt64
  }

  let state: StateDirectory
  private let file: CachedStateFile<PermissionRecord>

  init(state: StateDirectory, log: any LogSink) {
    self.state = state
    file = CachedStateFile(
      StateFile(
        path: "\(state.path)/permissions.json", name: "The record of permissions",
        consequence: "Every permission is undecided.", isDurable: true, timeout: .seconds(5), log: log))
  }

  /// What holds now: one look at the file's stamp while it has not changed.
  ///
  /// A record that cannot be read is reported, and everything is undecided then.
  func reading() -> Reading {
    let reading = file.read()
    return Reading(record: reading.content ?? PermissionRecord(), generation: reading.generation)
  }

  /// Changes the record while no other process can; a crash leaves the old one or the new one.
  ///
  /// - Throws: `storeFailed`; then nothing has changed.
  func change(_ body: (inout PermissionRecord) -> Void) async throws(ExtensionError) {
    try await file.change(or: PermissionRecord()) { record throws(ExtensionError) in body(&record) }
  }
}
