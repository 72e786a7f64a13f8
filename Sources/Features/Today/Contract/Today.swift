public import ExtensionProtocol

/// `widget/…`: the Today widget.
public enum Today: ServiceContract {
  /// The prefix of the methods.
  public static let name = "widget"
  /// The methods that a Today widget and its containing app may call.
  public static let methods: [any RemoteMethod.Type] = [
    SetHasContent.self, SetLargestAvailableDisplayMode.self, SetPreferredContentSize.self,
  ]

  /// `widget/performUpdate`, host to extension: bring the widget up to date.
  public struct PerformUpdate: RemoteMethod {
    /// The wire name; the host calls it.
    public static let method = "widget/performUpdate"
    /// Updates are short; the host shows what it had before when one takes longer.
    public static let deadline = RequestDeadline(hard: .seconds(10))
    /// The outcome of the update and the new view.
    public typealias Result = UpdateResult

    /// The request that calls about this update carry, for example `url/open`.
    public var requestID: String
    /// The reason for this update.
    public var reason: WidgetUpdateReason
    /// The mode that the view is for.
    public var displayMode: WidgetDisplayMode
    /// The largest size in that mode; in compact mode, the size itself.
    public var maxSize: WidgetSize?

    /// Creates the params; without `maxSize` the widget is not told how large it may be.
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
    /// The wire name; the host calls it. The view of a widget that does not serve it stays the same.
    public static let method = "widget/displayModeDidChange"

    /// The widget's answer to its new size.
    public struct Result: Codable, Sendable, Equatable {
      /// The size that the widget would like to have now.
      public var preferredContentSize: WidgetSize?
      /// The view in the new size; without it the host keeps the current view.
      public var view: WidgetView?

      /// Creates an answer; without anything the view stays as it is.
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

  /// `widget/didSelectRow`, host to extension: the user chose a row with an action. A row with a URL opens the URL
  /// instead, without a call.
  public struct DidSelectRow: RemoteMethod {
    /// The wire name; the host calls it. A widget without actions need not serve it.
    public static let method = "widget/didSelectRow"
    /// The user waits at the screen. A longer task belongs into a session or into the containing app.
    public static let deadline = RequestDeadline(hard: .seconds(10))
    /// The outcome of the task and the new view. After `failed`, the current view and the schedule of updates stay the
    /// same.
    public typealias Result = UpdateResult

    /// The request that calls about this choice carry.
    public var requestID: String
    /// The index of the row in its view, from 0. The view may be an earlier one, so the action identifies the task.
    @Length<Int> public var row: Int
    /// The row's action, as it was in the view.
    public var action: String

    /// Creates the params; rows count from 0.
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

/// The result of a widget's update (`NCUpdateResult`), with its view.
public struct UpdateResult: Codable, Sendable, Equatable {
  /// Apple's `NCUpdateResult`, by name.
  public enum Outcome: String, Codable, Sendable, CaseIterable {
    /// Something new to show, nothing new, or a failed update.
    case newData, noData, failed
  }

  /// Whether there is something new.
  public var result: Outcome
  /// The new view; only with `newData`.
  public var view: WidgetView?
  /// The size that the widget would like to have.
  public var preferredContentSize: WidgetSize?
  /// The keys of the result and of its view that no result has, each with its place; a host warns about them.
  package var unknownKeys: [String] = []

  private enum CodingKeys: String, CodingKey { case result, view, preferredContentSize }

  /// Decodes a result.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    result = try container.decode(Outcome.self, forKey: .result)
    view = try container.decodeIfPresent(WidgetView.self, forKey: .view)
    preferredContentSize = try container.decodeIfPresent(WidgetSize.self, forKey: .preferredContentSize)
    unknownKeys =
      decoder.unknownKeys(besides: ["result", "view", "preferredContentSize"])
      + (view?.unknownKeys.unknownKeys(at: "view.") ?? [])
  }

  /// Creates a result; a view belongs to `newData` only.
  public init(_ result: Outcome, view: WidgetView? = nil, preferredContentSize: WidgetSize? = nil) {
    self.result = result
    self.view = view
    self.preferredContentSize = preferredContentSize
  }

  /// The widget has something new to show.
  public static func newData(_ view: WidgetView) -> UpdateResult { UpdateResult(.newData, view: view) }
  /// Nothing has changed: the host keeps the current view.
  public static let noData = UpdateResult(.noData)
  /// The update failed: the host shows what it showed, marked as stale.
  public static let failed = UpdateResult(.failed)
}

extension ExtensionPoint {
  /// Today widgets.
  public static let today = ExtensionPoint(rawValue: "com.apple.widget-extension")
}

extension Today: PointContract {
  /// Today widgets and their containing app.
  public static let access = [
    Allowlist.Row(
      "widget/*", [.today, .containingApp], nil, "Widget calls belong to Today widgets and their containing app.")
  ]

  /// Memory is scarce where widgets of many apps run beside each other. They keep what they know from update to update.
  public static let definition = ExtensionPointDefinition(
    .today, shortName: "today", role: "a Today widget", plural: "the widgets", prefix: "widget", position: 10,
    calls: [
      .request(PerformUpdate.self), .request(DisplayModeDidChange.self, isOptional: true),
      .request(DidSelectRow.self, isOptional: true),
      .notification(ViewWillAppear.self), .notification(ViewDidDisappear.self),
    ],
    limits: ExtensionLimits(memoryMiB: 32), reuse: .reuse)
  /// This one point.
  public static let points = [definition]
}
