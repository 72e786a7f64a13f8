import ExtensionProtocol

/// Whether a process of an extension point may be started ahead, and may serve more than one request.
enum KeepRule: Sendable, Equatable {
  /// Started ahead, and kept after a request.
  case reuse
  /// Started ahead, and ended after one request.
  case once
  /// Only started for a request.
  case never

  /// The rule of a point.
  ///
  /// Widgets, keyboards and file providers keep what they know from request to request, as they do on Apple's systems.
  /// Every action is of another user action, and gets a process that has seen no other. Extensions with a user interface
  /// belong to the moment in which it is shown.
  static func of(_ point: ExtensionPoint) -> KeepRule {
    switch point {
    case .today, .keyboard, .fileProvider: .reuse
    case .action: .once
    default: .never
    }
  }
}
