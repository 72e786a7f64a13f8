public import Contracts

/// The size that a widget has in its host, and how it changes: a terminal's columns, and lines by display mode.
///
/// Compact has a fixed height. Expanded has a variable one: as much as the widget asks for, or its content needs, up to a
/// maximum. A widget is compact until it has said that it has an expanded view, whatever the user wants.
public struct WidgetPresentation: Sendable, Equatable {
  /// The events of a presentation.
  public enum Event: Sendable {
    /// The widget says which is the largest mode that it has a view for.
    case setLargest(WidgetDisplayMode)
    /// The widget asks for a height in lines.
    case setPreferredHeight(Int)
    /// The user wants a mode.
    case want(WidgetDisplayMode)
    /// The terminal has another size.
    case resize(columns: Int, maximumLines: Int)
  }

  /// The actions of the host.
  public enum Action: Sendable, Equatable {
    /// Tell the widget its mode and the size in it.
    case displayModeDidChange(WidgetDisplayMode, WidgetSize)
  }

  /// Lines of a compact widget: its title and five more.
  public static let compactLines = 6
  /// Columns where there is no terminal.
  public static let standardColumns = 80
  /// Lines of an expanded widget where nothing else limits it.
  public static let standardLines = 1000

  /// The width of the terminal, at least 1.
  public private(set) var columns: Int
  /// The most lines of an expanded widget, at least ``compactLines``.
  public private(set) var maximumLines: Int
  /// The mode that the user wants.
  public private(set) var wanted: WidgetDisplayMode
  /// The largest mode that the widget supports; compact until the widget says otherwise.
  public private(set) var largest: WidgetDisplayMode
  /// The height in lines that the widget asked for; `nil` before it asked.
  public private(set) var preferredHeight: Int?

  /// - Parameters:
  ///   - wanted: the mode that the user wants.
  ///   - largest: the largest mode that the widget reported in its last run.
  ///   - preferredHeight: the height in lines that the widget requested in its last run.
  ///   - columns: the width of the terminal in columns; at least 1.
  ///   - maximumLines: the most lines of an expanded widget; at least those of a compact one.
  public init(
    wanted: WidgetDisplayMode = .compact, largest: WidgetDisplayMode = .compact, preferredHeight: Int? = nil,
    columns: Int = Self.standardColumns, maximumLines: Int = Self.standardLines
  ) {
    self.wanted = wanted
    self.largest = largest
    self.preferredHeight = preferredHeight
    self.columns = max(columns, 1)
    self.maximumLines = max(maximumLines, Self.compactLines)
  }

  /// The mode that the widget is in.
  public var active: WidgetDisplayMode { wanted == .expanded && largest == .expanded ? .expanded : .compact }

  /// The largest size that the widget can have in a mode.
  public func maximumSize(for mode: WidgetDisplayMode) -> WidgetSize {
    WidgetSize(width: columns, height: mode == .compact ? Self.compactLines : maximumLines)
  }

  /// The size that the widget has now. In expanded mode the height asked for, clamped; without one, the maximum.
  public var grantedSize: WidgetSize {
    var size = maximumSize(for: active)
    if active == .expanded, let preferredHeight {
      size.height = min(max(preferredHeight, Self.compactLines), maximumLines)
    }
    return size
  }

  /// The size and mode in the form that the widget receives.
  public var display: Today.Display { Today.Display(activeDisplayMode: active, grantedSize: grantedSize) }

  /// Handles an event, and returns the changed mode and size for the widget, if they have changed.
  public mutating func event(_ event: Event) -> [Action] {
    let before = (active, maximumSize(for: active))
    switch event {
    case .setLargest(let mode): largest = mode
    case .setPreferredHeight(let lines): preferredHeight = max(lines, 1)
    case .want(let mode): wanted = mode
    case .resize(let columns, let maximumLines):
      self.columns = max(columns, 1)
      self.maximumLines = max(maximumLines, Self.compactLines)
    }
    let after = (active, maximumSize(for: active))
    return before == after ? [] : [.displayModeDidChange(after.0, after.1)]
  }
}
