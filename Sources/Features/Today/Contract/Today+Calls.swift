public import ExtensionProtocol

/// The methods that a widget or its containing app calls.
extension Today {
  /// `widget/setHasContent`: whether a widget has anything to show (`NCWidgetController`).
  ///
  /// A widget without content is hidden, its snapshot goes, and it is not started again until its containing app says
  /// that it has content.
  public struct SetHasContent: RemoteMethod {
    /// Empty: the widget is shown or hidden from now on.
    public typealias Result = Empty
    /// The wire name; Today widgets and their containing app call it.
    public static let method = "widget/setHasContent"

    /// Whether there is anything to show. Only the containing app brings back a widget that hid itself.
    public var flag: Bool
    /// The widget: the caller itself, or one of the calling app's. Any other is refused with `permissionDenied`.
    public var bundleIdentifier: String

    /// Shows (`true`) or hides a widget: an app one of its own widgets, a widget itself.
    public init(flag: Bool, bundleIdentifier: String) {
      self.flag = flag
      self.bundleIdentifier = bundleIdentifier
    }
  }

  /// The mode and the size that a widget has.
  public struct Display: Codable, Sendable, Equatable {
    /// The mode that the widget is in.
    public var activeDisplayMode: WidgetDisplayMode
    /// The width and height that the widget has in that mode.
    public var grantedSize: WidgetSize

    /// Answers with the mode, and with the columns and lines in that mode.
    public init(activeDisplayMode: WidgetDisplayMode, grantedSize: WidgetSize) {
      self.activeDisplayMode = activeDisplayMode
      self.grantedSize = grantedSize
    }
  }

  /// `widget/setLargestAvailableDisplayMode`: the largest mode that the widget has a view for; compact until it says
  /// otherwise. May be called repeatedly.
  public struct SetLargestAvailableDisplayMode: RemoteMethod {
    /// The mode and the size that the widget has now.
    public typealias Result = Display
    /// The wire name; Today widgets call it while they are shown.
    public static let method = "widget/setLargestAvailableDisplayMode"
    /// The largest mode that the widget has a view for.
    public var mode: WidgetDisplayMode
    /// Says that the widget has a view for this mode, and for none that is larger.
    public init(mode: WidgetDisplayMode) { self.mode = mode }
  }

  /// `widget/setPreferredContentSize`: the height that the widget would like to have in expanded mode. The width is the
  /// host's, and the height is clamped.
  public struct SetPreferredContentSize: RemoteMethod {
    /// The mode and the size that the widget has now; the height that was asked for, clamped.
    public typealias Result = Display
    /// The wire name; Today widgets call it while they are shown.
    public static let method = "widget/setPreferredContentSize"
    /// Columns; ignored.
    @Length<Int?> public var width: Int?
    /// Lines, at least 1.
    @Length<Int> public var height: Int

    /// Creates the params; only the height counts, in lines.
    public init(width: Int? = nil, height: Int) {
      self.width = width
      self.height = height
    }
  }
}

/// How much of a widget is shown (`NCWidgetDisplayMode`).
public enum WidgetDisplayMode: String, Codable, Sendable, CaseIterable {
  /// A fixed height: the title and a few lines.
  case compact
  /// A variable height, up to a maximum. Only for widgets that say that they have an expanded view.
  case expanded
}

/// Why the host asks a widget for an update.
public enum WidgetUpdateReason: String, Codable, Sendable, CaseIterable {
  /// It is time again.
  case scheduled
  /// The user looks at the widget.
  case visible
  /// Before the host keeps a picture of the widget.
  case snapshot
  /// Something that the widget shows has changed: the group store, or content.
  case push
}
