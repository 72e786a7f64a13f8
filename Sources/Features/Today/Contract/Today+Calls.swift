public import ExtensionProtocol

/// What a widget, or its containing app, calls.
extension Today {
  /// `widget/setHasContent`: whether a widget has anything to show (`NCWidgetController`).
  ///
  /// A widget without content is hidden, its snapshot goes, and it is not started again until its containing app says
  /// that it has content.
  public struct SetHasContent: RemoteMethod {
    public typealias Result = Empty
    public static let method = "widget/setHasContent"

    public var flag: Bool
    /// The widget: the caller itself, or one of the calling app's. Any other is refused with `permissionDenied`.
    public var bundleIdentifier: String

    public init(flag: Bool, bundleIdentifier: String) {
      self.flag = flag
      self.bundleIdentifier = bundleIdentifier
    }
  }

  /// The room that a widget has after it asked for some.
  public struct Room: Codable, Sendable, Equatable {
    public var activeDisplayMode: WidgetDisplayMode
    public var grantedSize: WidgetSize

    public init(activeDisplayMode: WidgetDisplayMode, grantedSize: WidgetSize) {
      self.activeDisplayMode = activeDisplayMode
      self.grantedSize = grantedSize
    }
  }

  /// `widget/setLargestAvailableDisplayMode`: the largest mode that the widget has a view for; compact until it says
  /// otherwise. May be called repeatedly.
  public struct SetLargestAvailableDisplayMode: RemoteMethod {
    public typealias Result = Room
    public static let method = "widget/setLargestAvailableDisplayMode"
    public var mode: WidgetDisplayMode
    public init(mode: WidgetDisplayMode) { self.mode = mode }
  }

  /// `widget/setPreferredContentSize`: the height that the widget would like to have in expanded mode. The width is the
  /// host's, and the height is clamped.
  public struct SetPreferredContentSize: RemoteMethod {
    public typealias Result = Room
    public static let method = "widget/setPreferredContentSize"
    /// Columns; ignored.
    public var width: Int?
    /// Lines, at least 1.
    public var height: Int

    public init(width: Int? = nil, height: Int) {
      self.width = width
      self.height = height
    }
  }
}
