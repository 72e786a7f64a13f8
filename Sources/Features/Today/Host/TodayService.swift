public import Contracts
public import ExtensionHosting
public import ExtensionProtocol
import JSON
import Synchronization

/// `widget/…`: shows Today widgets, and receives the calls of widgets and their apps about content and size.
public final class TodayService: HostService {
  /// The methods that are served, those under `widget/`.
  public typealias Contract = Today

  /// A widget that is running.
  private struct Live {
    var presentation: WidgetPresentation
    /// The change that the widget has not been notified of.
    var pending: WidgetPresentation.Action?
  }

  /// The stored state of each widget between runs.
  public let records: WidgetRecords
  /// The last view of each widget.
  public let snapshots: SnapshotStore
  private let containingApp: @Sendable (String) -> String?
  private let live = Mutex<[UInt64: Live]>([:])

  /// - Parameters:
  ///   - state: the directory for records and views.
  ///   - log: receives a warning for each record or view that cannot be read.
  ///   - containingApp: returns the app that contains an extension; `nil` for an unknown extension.
  public init(
    state: StateDirectory, log: any LogSink = NoLog(), containingApp: @escaping @Sendable (String) -> String?
  ) {
    records = WidgetRecords(state: state, log: log)
    snapshots = SnapshotStore(state: state, log: log)
    self.containingApp = containingApp
  }

  /// Answers the methods under `widget/`, for widgets that are shown and for their containing apps.
  @HandlerBuilder public var handlers: [Handler] {
    Handler(Today.SetHasContent.self) { params, caller in
      try await self.setHasContent(params, for: caller)
      return Empty()
    }
    Handler(Today.SetLargestAvailableDisplayMode.self) { params, caller in
      try await self.event(.setLargest(params.mode), for: caller)
    }
    Handler(Today.SetPreferredContentSize.self) { params, caller in
      guard params.height > 0 else {
        throw ExtensionError(
          .invalidParams, "A widget cannot be \(params.height) lines high.", recovery: "Ask for at least one line.")
      }
      return try await self.event(.setPreferredHeight(params.height), for: caller)
    }
  }

  /// Forgets the process; its widget is no longer shown.
  public func callerDidExit(_ caller: Caller) async {
    live.withLock { _ = $0.removeValue(forKey: caller.instance) }
  }

  // MARK: Content

  private func setHasContent(_ params: Today.SetHasContent, for caller: Caller) async throws(ExtensionError) {
    let widget = params.bundleIdentifier
    let isItself = widget == caller.identity.id && caller.identity.point == .today
    let isItsApp = caller.identity.point == .containingApp && containingApp(widget) == caller.identity.id
    guard isItself || isItsApp else {
      throw Self.refusal("\(caller.identity.id) may not say whether \(widget) has content.")
    }
    if isItself, params.flag, !records.record(of: widget).hasContent {
      throw Self.refusal("\(widget) is hidden; only its containing app can bring it back.")
    }
    try await setHasContent(params.flag, of: widget)
  }

  private static func refusal(_ message: String) -> ExtensionError {
    ExtensionError(
      .permissionDenied, message, recovery: "Call it from the widget's containing app.",
      details: ["permission": "widget", "state": "denied"])
  }

  /// Hides a widget and forgets its snapshot, or brings it back.
  package func setHasContent(_ flag: Bool, of widget: String) async throws(ExtensionError) {
    // An update that ended while the widget was being hidden may have stored its view afterwards.
    if flag, !records.record(of: widget).hasContent { snapshots.remove(widget) }
    try await records.change(widget) { record in
      // A widget that comes back is as new: what went wrong before it was hidden does not hold it up.
      if flag, !record.hasContent { (record.failures, record.notBefore, record.lastUpdate) = (0, nil, nil) }
      record.hasContent = flag
    }
    if !flag { snapshots.remove(widget) }
  }

  // MARK: Size

  /// Gives a running widget its size.
  func present(_ presentation: WidgetPresentation, to process: ExtensionProcess) {
    live.withLock { $0[process.caller.instance] = Live(presentation: presentation) }
  }

  /// The size that a running widget has now.
  func presentation(of process: ExtensionProcess) -> WidgetPresentation? {
    live.withLock { $0[process.caller.instance]?.presentation }
  }

  /// Something happened to the size of a running widget; ``tellSize(to:)`` tells it.
  @discardableResult
  func event(_ event: WidgetPresentation.Event, for caller: Caller) async throws(ExtensionError) -> Today.Display {
    let display: Today.Display? = live.withLock { live in
      guard live[caller.instance] != nil else { return nil }
      let actions = live[caller.instance]?.presentation.event(event) ?? []
      if let action = actions.last { live[caller.instance]?.pending = action }
      return live[caller.instance]?.presentation.display
    }
    guard let display else {
      throw ExtensionError(
        .invalidRequest, "\(caller.identity.displayName) is not shown, and has no size to ask for.",
        recovery: "Ask while the widget is updated or shown.")
    }
    if case .setLargest(let mode) = event {
      try await records.change(caller.identity.id) { $0.largestDisplayMode = mode }
    } else if case .setPreferredHeight(let lines) = event {
      try await records.change(caller.identity.id) { $0.preferredHeight = min(lines, WidgetRecord.highest) }
    }
    return display
  }

  /// Notifies a widget of its current size, if the size has changed.
  ///
  /// - Returns: the view in that size; `nil` when the widget keeps its view or does not serve the call.
  func tellSize(to process: ExtensionProcess) async throws(ExtensionError) -> WidgetView? {
    let pending = live.withLock { live in
      defer { live[process.caller.instance]?.pending = nil }
      return live[process.caller.instance]?.pending
    }
    guard case .displayModeDidChange(let mode, let size) = pending else { return nil }
    do {
      let answer = try await process.call(Today.DisplayModeDidChange(displayMode: mode, maxSize: size))
      if let height = answer.preferredContentSize?.height, height > 0 {
        try await event(.setPreferredHeight(height), for: process.caller)
      }
      return answer.view
    } catch {
      guard error.code == .methodNotFound else { throw error }
      return nil
    }
  }
}

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
  /// The keys of the widget's answer that no answer has, each with its place and what may have been meant.
  public var unknownKeys: [String] = []
}
