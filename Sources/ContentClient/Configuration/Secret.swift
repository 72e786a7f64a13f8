/// A password or a token: text that no log, message or debugger output shows.
package struct Secret: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  private let text: String

  package init(_ text: String) { self.text = text }

  /// The text itself, for the one place that sends it.
  package func revealed() -> String { text }

  package var description: String { "<redacted>" }
  package var debugDescription: String { "<redacted>" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
