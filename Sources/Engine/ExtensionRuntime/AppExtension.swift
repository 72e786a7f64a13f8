public import ExtensionProtocol

/// A program that a host runs for one extension point. Authors conform to the protocol of their point
/// (`TodayExtension`, `ShareExtension`, …), mark the type `@main`, and write no `main` of their own.
public protocol AppExtension: Sendable {
  /// The extension points that the handlers are for: the protocol of the point provides it. What is served is compared with
  /// them when the process starts.
  static var points: [ExtensionPointDefinition] { get }
  /// Called once, when the process starts.
  init()
  /// What the extension serves; the point's protocol provides it.
  var handlers: [SessionHandler] { get }
  /// Called when the extension comes close to its memory ceiling, beyond which the host ends it. Release caches here.
  /// The default implementation does nothing.
  func didReceive(_ warning: MemoryWarning) async
}

extension AppExtension {
  /// The default compares nothing.
  public static var points: [ExtensionPointDefinition] { [] }

  /// Does nothing: a warning may be ignored.
  public func didReceive(_ warning: MemoryWarning) async {}

  /// What an extension of every point serves, and what the point adds.
  package var allHandlers: [SessionHandler] {
    handlers + [SessionHandler(notification: MemoryWarning.self) { warning, _ in await didReceive(warning) }]
  }
}
