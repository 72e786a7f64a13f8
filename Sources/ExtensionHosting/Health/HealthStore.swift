package import ExtensionProtocol
import JSONRPC

/// The health records of a state directory: a file for each extension, replaced whole and changed under a lock, so that
/// several hosts at once lose nothing.
package struct HealthStore: Sendable {
  private let files: StateFiles<HealthRecord>

  package init(_ state: StateDirectory) { files = StateFiles(state: state, folder: "health", empty: HealthRecord()) }

  /// What is remembered of an extension; a file that cannot be read is as none.
  package func record(of id: String) -> HealthRecord { files.read(id) }

  /// When the record was last changed, as something to compare; `nil` without a record.
  func stamp(of id: String) -> FileStamp? { files.stamp(id) }

  /// Changes a record.
  ///
  /// - Throws: `storeFailed` when the file cannot be written, or is locked for longer than a second.
  @discardableResult
  package func change(
    _ id: String, _ body: (inout HealthRecord) -> Void
  ) async throws(ExtensionError) -> HealthRecord {
    try await files.change(id, body)
  }

  /// Ends the quarantine and the back-off of an extension, and the processes that other hosts keep of it.
  ///
  /// - Returns: what was remembered before.
  @discardableResult
  package func reset(_ id: String) async throws(ExtensionError) -> HealthRecord {
    var before = HealthRecord()
    try await change(id) {
      before = $0
      $0.reset()
    }
    return before
  }

  /// Ends the back-off of an extension, and the processes that hosts run of it; a quarantine stays.
  package func restart(_ id: String) async throws(ExtensionError) -> HealthRecord {
    try await change(id) { $0.restart() }
  }
}
