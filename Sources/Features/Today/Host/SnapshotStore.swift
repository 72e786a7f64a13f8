public import Contracts
public import ExtensionHosting
import ExtensionProtocol
import Glibc
import JSONRPC

/// The last view of each widget: shown when an update brings nothing new or fails.
public struct SnapshotStore: Sendable {
  /// A view and when it was made.
  public struct Snapshot: Codable, Sendable, Equatable {
    /// The view as it was shown.
    public var view: WidgetView
    /// Seconds since 1970.
    public var updatedAt: Double

    /// Makes a snapshot; the time is in seconds since 1970.
    public init(view: WidgetView, updatedAt: Double) {
      self.view = view
      self.updatedAt = updatedAt
    }
  }

  private let state: StateDirectory

  /// Keeps views below a state directory, in `snapshots`.
  public init(state: StateDirectory) { self.state = state }

  /// The last view of a widget; a snapshot that cannot be read counts as none.
  public func snapshot(of id: String) -> Snapshot? {
    guard let folder = try? state.folder("snapshots"), let bytes = SmallFile.read("\(folder)/\(id).json") else {
      return nil
    }
    return try? JSONCoding.decode(Snapshot.self, from: bytes)
  }

  /// Keeps the view of a widget; replaces the file at once or not at all.
  ///
  /// - Throws: `storeFailed` when it cannot be written.
  public func store(_ snapshot: Snapshot, of id: String) throws {
    let folder = try state.folder("snapshots")
    try SmallFile.replace("\(folder)/\(id).json", with: JSONCoding.encode(snapshot))
  }

  /// Forgets the view of a widget.
  public func remove(_ id: String) {
    if let folder = try? state.folder("snapshots") { unlink("\(folder)/\(id).json") }
  }
}
