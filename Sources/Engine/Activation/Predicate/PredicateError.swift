/// Why a predicate cannot be understood, and where.
package struct PredicateError: Error, Sendable, Hashable {
  /// What is wrong, one sentence without its place.
  package let message: String
  /// What the author can do about it, one sentence.
  package let recovery: String
  /// The place in the predicate's text, in bytes from its beginning.
  package let offset: Int
  /// The line in the predicate's text, from 1.
  package private(set) var line = 1
  /// The column in that line, in characters from 1.
  package private(set) var column = 1

  init(
    _ message: String, at offset: Int,
    recovery: String = "Compare key paths with values, and join comparisons with AND, OR and NOT."
  ) {
    self.message = message
    self.offset = offset
    self.recovery = recovery
  }

  /// The error with its line and column.
  func located(in text: [UInt8]) -> PredicateError {
    var error = self
    (error.line, error.column) = PredicatePlace.of(offset, in: text)
    return error
  }
}

/// Lines and columns of a text.
enum PredicatePlace {
  static func of(_ offset: Int, in text: [UInt8]) -> (line: Int, column: Int) {
    let before = text.prefix(offset)
    let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let line = before.count { $0 == UInt8(ascii: "\n") } + 1
    return (line, String(decoding: before[lineStart...], as: UTF8.self).count + 1)
  }
}
