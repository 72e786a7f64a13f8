import Text

/// Names and texts as SQL has them.
enum SQL {
  /// An identifier, always quoted.
  static func name(_ text: String) -> String { text.quoted("\"") }

  /// What is in a schema of the database.
  static func name(_ namespace: String, _ text: String) -> String { "\(name(namespace)).\(name(text))" }

  /// A name as the server keeps it: the first 63 bytes, and no part of a code point.
  static func kept(_ name: String) -> String { name.prefix(utf8: 63) }

  static func names(_ texts: [String]) -> String { texts.map(name).joined(separator: ", ") }

  /// A text between quotes. Backslashes mean nothing in it, whatever the server is set to.
  static func text(_ text: String) -> String {
    let quoted = text.quoted("'")
    return text.utf8.contains(0x5C) ? "E\(quoted.doubling("\\"))" : quoted
  }

  /// An expression that somebody else wrote, as one operand: a comment in it does not swallow what follows.
  static func operand(_ text: String) -> String { text.utf8.contains("--".utf8) ? "(\(text)\n)" : "(\(text))" }
}
