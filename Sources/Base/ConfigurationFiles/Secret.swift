/// A password, a token or a key: text that no log, message, dump or debugger output shows.
///
/// Comparing two takes a time that depends on their lengths alone.
package struct Secret: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  private let text: String

  package init(_ text: String) { self.text = text }

  /// The text itself, for the one place that sends it.
  package func revealed() -> String { text }

  package var description: String { "<redacted>" }
  package var debugDescription: String { "<redacted>" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}

extension Secret: Equatable {
  package static func == (left: Secret, right: Secret) -> Bool {
    guard left.text.utf8.count == right.text.utf8.count else { return false }
    return zip(left.text.utf8, right.text.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
