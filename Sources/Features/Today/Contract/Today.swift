public import ExtensionProtocol

/// `widget/…`: the Today widget.
public enum Today: ServiceContract {
  /// The prefix of the methods.
  public static let name = "widget"
  /// What a Today widget may call, and its containing app.
  public static let methods: [any RemoteMethod.Type] = [
    SetHasContent.self, SetLargestAvailableDisplayMode.self, SetPreferredContentSize.self,
  ]

  /// `widget/performUpdate`, host to extension: bring the widget up to date.
  public struct PerformUpdate: RemoteMethod {
    /// The wire name; the host calls it.
    public static let method = "widget/performUpdate"
    /// Updates are short; the host shows what it had before when one takes longer.
    public static let deadline = RequestDeadline(hard: .seconds(10))
    /// What the update came to, and what to show.
    public typealias Result = UpdateResult

    /// The request that calls about this update carry, for example `url/open`.
    public var requestID: String
    /// Why the widget is updated now.
    public var reason: WidgetUpdateReason
    /// The mode that the view is for.
    public var displayMode: WidgetDisplayMode
    /// The largest size in that mode; in compact mode it is the size itself.
    public var maxSize: WidgetSize?

    /// Makes the params; without `maxSize` the widget is not told how large it may be.
    public init(
      requestID: String, reason: WidgetUpdateReason, displayMode: WidgetDisplayMode, maxSize: WidgetSize? = nil
    ) {
      self.requestID = requestID
      self.reason = reason
      self.displayMode = displayMode
      self.maxSize = maxSize
    }
  }

  /// `widget/displayModeDidChange`, host to extension: the widget is larger or smaller than before.
  public struct DisplayModeDidChange: RemoteMethod {
    /// The wire name; the host calls it. A widget that does not serve it goes on showing what it showed.
    public static let method = "widget/displayModeDidChange"

    /// What the widget does with the space.
    public struct Result: Codable, Sendable, Equatable {
      /// The size that the widget would like to have now.
      public var preferredContentSize: WidgetSize?
      /// What to show in the new size; without it the host goes on showing what it showed.
      public var view: WidgetView?

      /// Makes an answer; without anything the view stays as it is.
      public init(preferredContentSize: WidgetSize? = nil, view: WidgetView? = nil) {
        self.preferredContentSize = preferredContentSize
        self.view = view
      }
    }

    /// The mode that the widget is in now.
    public var displayMode: WidgetDisplayMode
    /// The most columns and lines that it may have.
    public var maxSize: WidgetSize

    /// Tells the widget its mode and the most columns and lines in it.
    public init(displayMode: WidgetDisplayMode, maxSize: WidgetSize) {
      self.displayMode = displayMode
      self.maxSize = maxSize
    }
  }

  /// `widget/didSelectRow`, host to extension: a row with an action was chosen. A row with a URL opens it instead, and the
  /// widget hears nothing.
  public struct DidSelectRow: RemoteMethod {
    /// The wire name; the host calls it. A widget without actions need not serve it.
    public static let method = "widget/didSelectRow"
    /// Somebody waits at the screen; a task that takes longer belongs into a session or into the containing app.
    public static let deadline = RequestDeadline(hard: .seconds(10))
    /// What the task came to, and what to show now. `failed` leaves what is shown, and the widget's updates as they are.
    public typealias Result = UpdateResult

    /// The request that calls about this choice carry.
    public var requestID: String
    /// The row's place among the view's rows, from 0. It may be that of a view that was shown some time ago: the action says
    /// what is wanted.
    @Length<Int> public var row: Int
    /// The row's action, as it was in the view.
    public var action: String

    /// Makes the params; rows count from 0.
    public init(requestID: String, row: Int, action: String) {
      self.requestID = requestID
      self.row = row
      self.action = action
    }
  }

  /// `widget/viewWillAppear`, host to extension: the widget is about to be seen.
  public struct ViewWillAppear: RemoteNotification {
    /// The wire name; the host sends it.
    public static let method = "widget/viewWillAppear"
    /// The request of the update that follows.
    public var requestID: String
    /// Announces that the widget is seen from now on, with the request of the update to come.
    public init(requestID: String) { self.requestID = requestID }
  }

  /// `widget/viewDidDisappear`, host to extension: the widget is no longer seen. What it shows next must be what it shows
  /// now: keep it in the container or in the group store.
  public struct ViewDidDisappear: RemoteNotification {
    /// The wire name; the host sends it.
    public static let method = "widget/viewDidDisappear"
    /// The request of the update that went before.
    public var requestID: String
    /// Tells that the widget is not seen any more, with the request of its last update.
    public init(requestID: String) { self.requestID = requestID }
  }
}

/// What an update of a widget came to (`NCUpdateResult`), with what it shows.
public struct UpdateResult: Codable, Sendable, Equatable {
  /// Apple's `NCUpdateResult`, by name.
  public enum Outcome: String, Codable, Sendable, CaseIterable {
    /// Something new to show, nothing new, or a failed update.
    case newData, noData, failed
  }

  /// Whether there is something new.
  public var result: Outcome
  /// What to show; with `newData` only.
  public var view: WidgetView?
  /// The size that the widget would like to have.
  public var preferredContentSize: WidgetSize?

  /// Makes a result; a view belongs to `newData` only.
  public init(_ result: Outcome, view: WidgetView? = nil, preferredContentSize: WidgetSize? = nil) {
    self.result = result
    self.view = view
    self.preferredContentSize = preferredContentSize
  }

  /// The widget has something new to show.
  public static func newData(_ view: WidgetView) -> UpdateResult { UpdateResult(.newData, view: view) }
  /// Nothing changed: the host goes on showing what it showed.
  public static let noData = UpdateResult(.noData)
  /// The update failed: the host shows what it showed, marked as stale.
  public static let failed = UpdateResult(.failed)
}
