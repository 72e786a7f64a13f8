public import Contracts
public import ExtensionHosting
public import ExtensionProtocol

/// The last view of each widget: shown when an update brings nothing new or fails.
public struct SnapshotStore: Sendable {
  /// A view and when it was made.
  public struct Snapshot: Codable, Sendable, Equatable, StateContent {
    /// The view as it was shown.
    public var view: WidgetView
    /// Seconds since 1970.
    @Timestamp<Double> public var updatedAt: Double

    /// Creates a snapshot; the time is in seconds since 1970.
    public init(view: WidgetView, updatedAt: Double) {
      self.view = view
      self.updatedAt = updatedAt
    }
  }

  private let files: StateFolder<Snapshot>

  /// - Parameters:
  ///   - state: the state directory; the views are in its folder `snapshots`.
  ///   - log: receives a warning for each view that cannot be read.
  public init(state: StateDirectory, log: any LogSink = NoLog()) {
    files = StateFolder(
      "snapshots", in: state, name: "The last view of a widget", consequence: "There is none now.", log: log)
  }

  /// Returns the last view of a widget; `nil` when there is none or it cannot be read.
  public func snapshot(of id: String) -> Snapshot? { files.read(id) }

  /// Keeps the view of a widget; replaces the file at once or not at all.
  ///
  /// - Throws: `storeFailed`; the view that was kept before is then still there.
  public func store(_ snapshot: Snapshot, of id: String) async throws(ExtensionError) {
    try await files.replace(id, with: snapshot)
  }

  /// Forgets the view of a widget.
  public func remove(_ id: String) { files.remove(id) }
}
