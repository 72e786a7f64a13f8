/// What is wrong with an expression, or with what it came to.
package struct CELError: Error, Sendable, Hashable {
  package let message: String
  /// UTF-8 bytes from the start of the expression.
  package let offset: Int
  /// Whether no operator may go on in spite of it.
  let isFinal: Bool

  package init(_ message: String, at offset: Int) { self.init(message, at: offset, isFinal: false) }

  init(_ message: String, at offset: Int, isFinal: Bool) {
    self.message = message
    self.offset = offset
    self.isFinal = isFinal
  }
}
