public import ExtensionProtocol

/// `widget/…`: the Today widget.
public enum Today: ServiceContract {
  public static let name = "widget"
  public static let methods: [any RemoteMethod.Type] = []

  /// `widget/performUpdate`, host to extension: bring the widget up to date.
  public struct PerformUpdate: RemoteMethod {
    public static let method = "widget/performUpdate"
    public typealias Result = UpdateResult

    /// The request that calls about this update carry, for example `url/open`.
    public var requestID: String
    /// `scheduled`, `visible`, `snapshot` or `push`.
    public var reason: String
    /// `compact` or `expanded`.
    public var displayMode: String

    public init(requestID: String, reason: String, displayMode: String) {
      self.requestID = requestID
      self.reason = reason
      self.displayMode = displayMode
    }
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

  public init(_ result: Outcome, view: WidgetView? = nil) {
    self.result = result
    self.view = view
  }

  enum CodingKeys: String, CodingKey { case result, view }

  /// The widget has something new to show.
  public static func newData(_ view: WidgetView) -> UpdateResult { UpdateResult(.newData, view: view) }
  /// Nothing changed: the host goes on showing what it showed.
  public static let noData = UpdateResult(.noData)
  /// The update failed: the host shows what it showed, marked as stale.
  public static let failed = UpdateResult(.failed)
}
