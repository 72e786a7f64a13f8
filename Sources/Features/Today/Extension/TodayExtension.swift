public import Contracts
public import ExtensionProtocol
public import ExtensionRuntime

/// A Today widget. Mark the type `@main`.
public protocol TodayExtension: AppExtension {
  /// Updates the widget. An error counts as `failed`: the host shows the last view, marked as stale.
  func performUpdate(in context: ExtensionContext) async throws -> UpdateResult

  /// The widget is larger or smaller than before.
  ///
  /// - Returns: what to show now; `nil` leaves what is shown.
  func displayModeDidChange(
    to mode: WidgetDisplayMode, maximumSize: WidgetSize, in context: ExtensionContext
  ) async throws -> WidgetView?

  /// Handles the choice of a row with an action.
  ///
  /// - Parameters:
  ///   - row: the index of the row, from 0, in a view that may be an earlier one.
  ///   - action: the row's action.
  /// - Returns: the outcome of the task; a new view is shown at once. The host shows an error as that of the task, and
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

  /// The handlers for the host's calls: updates, display modes, chosen rows, and the widget's visibility.
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
