/// A feature that does something once, when the only session of an extension's process begins.
package protocol SessionStart: Sendable {
  /// Called before the session reads its first message.
  static func begin(_ session: ExtensionSession)
}
