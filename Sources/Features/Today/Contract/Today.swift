public import ExtensionProtocol

/// `widget/…`: the Today widget.
public enum Today: ServiceContract {
  public static let name = "widget"
  public static let methods: [any RemoteMethod.Type] = [
    SetHasContent.self, SetLargestAvailableDisplayMode.self, SetPreferredContentSize.self,
  ]

  /// `widget/performUpdate`, host to extension: bring the widget up to date.
  public struct PerformUpdate: RemoteMethod {
    public static let method = "widget/performUpdate"
    public static let deadline = RequestDeadline(hard: .seconds(10))
    public typealias Result = UpdateResult

    /// The request that calls about this update carry, for example `url/open`.
    public var requestID: String
    public var reason: WidgetUpdateReason
    public var displayMode: WidgetDisplayMode
    /// The room in that mode; in compact mode it is the size itself.
    public var maxSize: WidgetSize?

    public init(
      requestID: String, reason: WidgetUpdateReason, displayMode: WidgetDisplayMode, maxSize: WidgetSize? = nil
    ) {
      self.requestID = requestID
      self.reason = reason
      self.displayMode = displayMode
      self.maxSize = maxSize
    }
  }

  /// `widget/displayModeDidChange`, host to extension: the widget has more or less room than before.
  public struct DisplayModeDidChange: RemoteMethod {
    public static let method = "widget/displayModeDidChange"

    public struct Result: Codable, Sendable, Equatable {
      /// The size that the widget would like to have now.
      public var preferredContentSize: WidgetSize?
      /// What to show in the new room; without it the host goes on showing what it showed.
      public var view: WidgetView?

      public init(preferredContentSize: WidgetSize? = nil, view: WidgetView? = nil) {
        self.preferredContentSize = preferredContentSize
        self.view = view
      }
    }

    public var displayMode: WidgetDisplayMode
    public var maxSize: WidgetSize

    public init(displayMode: WidgetDisplayMode, maxSize: WidgetSize) {
      self.displayMode = displayMode
      self.maxSize = maxSize
    }
  }

  /// `widget/viewWillAppear`, host to extension: the widget is about to be seen.
  public struct ViewWillAppear: RemoteNotification {
    public static let method = "widget/viewWillAppear"
    public var requestID: String
    public init(requestID: String) { self.requestID = requestID }
  }

  /// `widget/viewDidDisappear`, host to extension: the widget is no longer seen. What it shows next must be what it shows
  /// now: keep it in the container or in the group store.
  public struct ViewDidDisappear: RemoteNotification {
    public static let method = "widget/viewDidDisappear"
    public var requestID: String
    public init(requestID: String) { self.requestID = requestID }
  }
}

/// What an update of a widget came to (`NCUpdateResult`), with what it shows.
public struct UpdateResult: Codable, Sendable, Equatable {
  public enum Outcome: String, Codable, Sendable {
    case newData, noData, failed
  }

  public var result: Outcome
  /// What to show; with `newData` only.
  public var view: WidgetView?
  /// The size that the widget would like to have.
  public var preferredContentSize: WidgetSize?

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
