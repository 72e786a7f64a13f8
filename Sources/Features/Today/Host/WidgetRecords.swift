public import ExtensionHosting
public import ExtensionProtocol
import Glibc
import JSONRPC

/// The records of all widgets, one small file each; several hosts may use them at once.
public struct WidgetRecords: Sendable {
  private let state: StateDirectory

  /// Keeps records below a state directory, in `widgets`.
  public init(state: StateDirectory) { self.state = state }

  /// The record of a widget; one that is not there or cannot be read is new.
  public func record(of id: String) -> WidgetRecord {
    guard let folder = try? state.folder("widgets"), let bytes = SmallFile.read("\(folder)/\(id).json") else {
      return WidgetRecord()
    }
    return (try? JSONCoding.decode(WidgetRecord.self, from: bytes)) ?? WidgetRecord()
  }

  /// Changes the record of a widget: no other host changes it at the same time, and a crash leaves it as it was.
  ///
  /// - Throws: `storeFailed` when it cannot be written.
  @discardableResult
  public func change(_ id: String, _ body: (inout WidgetRecord) -> Void) throws(ExtensionError) -> WidgetRecord {
    let folder = try state.folder("widgets")
    let lock = open("\(folder)/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    defer { if lock >= 0 { close(lock) } }
    // Held for the length of one small write; a host that dies lets go of it.
    guard lock >= 0, flock(lock, LOCK_EX) == 0 else {
      throw ExtensionError(.storeFailed, "Cannot lock \(folder)/lock: \(String(cString: strerror(errno))).")
    }
    var record = record(of: id)
    let before = record
    body(&record)
    guard record != before else { return record }
    do {
      try SmallFile.replace("\(folder)/\(id).json", with: JSONCoding.encode(record))
    } catch {
      throw ExtensionError(wrapping: error)
    }
    return record
  }
}
