package import ExtensionProtocol
import Files

/// The health records of a state directory: a file for each extension, replaced whole and changed under a lock, so that
/// several hosts at once lose nothing.
package struct HealthStore: Sendable {
  private let files: StateFolder<HealthRecord>

  /// Creates a store of records.
  ///
  /// - Parameters:
  ///   - state: the state directory; the records are in its folder `health`.
  ///   - log: receives a warning for each record that cannot be read.
  package init(_ state: StateDirectory, log: any LogSink = NoLog()) {
    files = StateFolder(
      "health", in: state, name: "The health record", consequence: "What was known of earlier failures is lost.",
      log: log)
  }

  /// What is remembered of an extension; of a record that cannot be read, that it cannot.
  package func record(of id: String) -> HealthRecord { files.read(id) ?? HealthRecord() }

  /// When the record was last changed, as something to compare; `nil` without a record.
  func stamp(of id: String) -> FileStamp? { files.file(of: id)?.stamp }

  /// Changes a record.
  ///
  /// - Returns: the record after the change.
  /// - Throws: `storeFailed` when the file cannot be read or written, or is locked for more than 5 seconds.
  @discardableResult
  package func change(
    _ id: String, _ body: (inout HealthRecord) -> Void
  ) async throws(ExtensionError) -> HealthRecord {
    try await files.change(id, or: HealthRecord()) { record throws(ExtensionError) in
      body(&record)
      return record
    }
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
