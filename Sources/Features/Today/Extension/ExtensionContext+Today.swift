public import Contracts
public import ExtensionProtocol
public import ExtensionRuntime

/// A widget's size and update, and its requests to the host.
extension ExtensionContext {
  /// The reason the host asks for an update; `nil` outside of one.
  public var updateReason: WidgetUpdateReason? { (scope as? Today.PerformUpdate)?.reason }

  /// The widget's mode as the update began; `nil` outside of one.
  public var displayMode: WidgetDisplayMode? { (scope as? Today.PerformUpdate)?.displayMode }

  /// The largest size in that mode, in columns and lines; `nil` where the host does not say.
  public var maximumSize: WidgetSize? { (scope as? Today.PerformUpdate)?.maxSize }

  /// Says which modes the widget has a view for: a widget stays compact until it says that it has an expanded view.
  ///
  /// - Returns: the mode that is active now, and its size.
  /// - Throws: `invalidRequest` when the widget is not shown.
  @discardableResult
  public func setLargestAvailableDisplayMode(_ mode: WidgetDisplayMode) async throws(ExtensionError) -> Today.Display {
    try await call(Today.SetLargestAvailableDisplayMode(mode: mode))
  }

  /// Asks for a height in expanded mode, in lines; it may be clamped.
  ///
  /// - Throws: `invalidRequest` when the widget is not shown; `invalidParams` for less than one line.
  @discardableResult
  public func setPreferredContentHeight(_ lines: Int) async throws(ExtensionError) -> Today.Display {
    try await call(Today.SetPreferredContentSize(height: lines))
  }

  /// Hides a widget without content, or shows it again.
  ///
  /// A hidden widget is not started before its containing app reports that it has content.
  ///
  /// - Parameters:
  ///   - flag: whether the widget has content.
  ///   - widget: the bundle identifier of the widget: the caller's own, or a widget of the calling app.
  /// - Throws: `permissionDenied` for any other widget.
  public func setHasContent(_ flag: Bool, forWidget widget: String) async throws(ExtensionError) {
    _ = try await call(Today.SetHasContent(flag: flag, bundleIdentifier: widget))
  }
}
