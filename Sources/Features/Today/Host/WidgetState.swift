public import Contracts
public import ExtensionProtocol

/// What there is to show of one Today widget, as ``TodayService`` returns it.
public struct WidgetState: Sendable {
  /// What an update came to; `nil` when none was made.
  public var outcome: UpdateResult.Outcome?
  /// The view, and when it was made.
  public var snapshot: SnapshotStore.Snapshot?
  /// The view is older than it should be: the last update failed.
  public var isStale: Bool
  /// The widget has no content, and is not started.
  public var isHidden: Bool
  /// The mode that the view is for.
  public var displayMode: WidgetDisplayMode
  /// The size that the view has.
  public var size: WidgetSize
  /// Why the update failed; `nil` when it did not, or when none was made.
  public var error: ExtensionError?
}
