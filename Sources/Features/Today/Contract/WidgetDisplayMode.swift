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
