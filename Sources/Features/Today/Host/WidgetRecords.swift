public import ExtensionHosting
public import ExtensionProtocol

/// The records of all widgets, one small file each; several hosts may use them at once.
public struct WidgetRecords: Sendable {
  private let files: StateFolder<WidgetRecord>

  /// - Parameters:
  ///   - state: where the records lie, in the folder `widgets`.
  ///   - log: hears of a record that cannot be read.
  public init(state: StateDirectory, log: any LogSink = NoLog()) {
    files = StateFolder("widgets", in: state, name: "The record of a widget", log: log)
  }

  /// The record of a widget; one that is not there or cannot be read is new.
  public func record(of id: String) -> WidgetRecord { files.read(id) ?? WidgetRecord() }

  /// Changes the record of a widget: no other host changes it at the same time, and a crash leaves it as it was.
  ///
  /// - Returns: the record as it is now.
  /// - Throws: `storeFailed` when it cannot be read or written, or another process keeps it locked for longer than a second.
  @discardableResult
  public func change(_ id: String, _ body: (inout WidgetRecord) -> Void) async throws(ExtensionError) -> WidgetRecord {
    try await files.change(id, or: WidgetRecord()) { record throws(ExtensionError) in
      body(&record)
      return record
    }
  }
}
