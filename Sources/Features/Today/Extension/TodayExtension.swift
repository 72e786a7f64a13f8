public import Contracts
public import ExtensionProtocol
public import ExtensionRuntime

/// A Today widget. Mark the type `@main`.
public protocol TodayExtension: AppExtension {
  /// Brings the widget up to date. What it throws counts as `failed`: the host shows the last view, marked as stale.
  func performUpdate(in context: ExtensionContext) async throws -> UpdateResult

  /// The widget is larger or smaller than before.
  ///
  /// - Returns: what to show now; `nil` leaves what is shown.
  func displayModeDidChange(
    to mode: WidgetDisplayMode, maximumSize: WidgetSize, in context: ExtensionContext
  ) async throws -> WidgetView?

  /// A row of the view was chosen that has an action.
  ///
  /// - Parameters:
  ///   - row: its place among the rows, from 0; the view may be one that was shown some time ago.
  ///   - action: what the row says of itself.
  /// - Returns: what the task came to; a new view is shown at once. What it throws is shown as the error of the task, and
  ///   the view stays.
  func didSelectRow(_ row: Int, action: String, in context: ExtensionContext) async throws -> UpdateResult

  /// The widget is about to be seen.
  func viewWillAppear(in context: ExtensionContext) async

  /// The widget is no longer seen. What it shows next must be what it shows now: keep it.
  func viewDidDisappear(in context: ExtensionContext) async
}

extension TodayExtension {
  /// Today widgets.
  public static var points: [ExtensionPointDefinition] { Today.points }

  /// The default leaves what is shown.
  public func displayModeDidChange(
    to mode: WidgetDisplayMode, maximumSize: WidgetSize, in context: ExtensionContext
  ) async throws -> WidgetView? { nil }
  /// The default knows no action, and says so.
  public func didSelectRow(_ row: Int, action: String, in context: ExtensionContext) async throws -> UpdateResult {
    throw ExtensionError(
      .methodNotFound, "This widget does nothing for the action “\(action)”.",
      recovery: "Implement didSelectRow(_:action:in:), or give the row a URL.")
  }
  /// The default does nothing.
  public func viewWillAppear(in context: ExtensionContext) async {}
  /// The default does nothing.
  public func viewDidDisappear(in context: ExtensionContext) async {}

  /// What the host calls: the update, the mode, the rows that are chosen, and what is seen of the widget.
  public var handlers: [SessionHandler] {
    [
      SessionHandler(Today.PerformUpdate.self) { update, session in
        let context = ExtensionContext(requestID: update.requestID, session: session, scope: update)
        return try await performUpdate(in: context)
      },
      SessionHandler(Today.DisplayModeDidChange.self) { change, session in
        let context = ExtensionContext(requestID: "", session: session)
        return Today.DisplayModeDidChange.Result(
          view: try await displayModeDidChange(to: change.displayMode, maximumSize: change.maxSize, in: context))
      },
      SessionHandler(Today.DidSelectRow.self) { choice, session in
        let context = ExtensionContext(requestID: choice.requestID, session: session)
        return try await didSelectRow(choice.row, action: choice.action, in: context)
      },
      SessionHandler(notification: Today.ViewWillAppear.self) { appearance, session in
        await viewWillAppear(in: ExtensionContext(requestID: appearance.requestID, session: session))
      },
      SessionHandler(notification: Today.ViewDidDisappear.self) { appearance, session in
        await viewDidDisappear(in: ExtensionContext(requestID: appearance.requestID, session: session))
      },
    ]
  }
}
