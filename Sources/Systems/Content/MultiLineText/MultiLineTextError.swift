/// An error of reading a text.
package struct MultiLineTextError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The problem, as one sentence.
  package var message: String
  /// The advice, as one sentence.
  package var recovery: String
  /// The line of the error, from 1; nil when the form has no lines.
  package var line: Int?
  /// The place in the JSON form, for example `[2].content[0].nodeType`; nil for other forms.
  package var keyPath: String?

  /// Creates an error from a message, advice and the place.
  package init(_ message: String, recovery: String, line: Int? = nil, keyPath: String? = nil) {
    self.message = message
    self.recovery = recovery
    self.line = line
    self.keyPath = keyPath
  }

  /// The place, the message and what to do.
  package var description: String {
    let place = [line.map { "line \($0)" }, keyPath].compactMap { $0 }.first.map { "\($0): " } ?? ""
    return "\(place)\(message) \(recovery)"
  }
}

extension MultiLineTextError {
  static func tooLarge(_ limit: Int) -> Self {
    Self("The text is larger than \(limit / 1024) KiB.", recovery: "Divide it into several texts.")
  }

  static func tooDeep(_ limit: Int, line: Int? = nil) -> Self {
    Self("The text is nested more than \(limit) deep.", recovery: "Nest its lists and quotes less deeply.", line: line)
  }

  static func tooMany(_ limit: Int, line: Int? = nil) -> Self {
    Self("The text has more than \(limit) parts.", recovery: "Divide it into several texts.", line: line)
  }
}
