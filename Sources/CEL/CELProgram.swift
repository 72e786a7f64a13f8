/// An expression of CEL that has been read and checked.
package struct CELProgram: Sendable, Hashable {
  package let text: String

  /// - Throws: `CELError` with the place of what is wrong.
  package init(_ text: String) throws(CELError) { self.text = text }

  /// - Parameters:
  ///   - bindings: the top-level names: `auth`, `vars`, `request`, `response`, `this`.
  ///   - cost: the most steps.
  package func evaluate(_ bindings: [String: CELValue], cost: Int = 100_000) throws(CELError) -> CELValue {
    throw CELError("not there yet", at: 0)
  }
}

/// What is wrong with an expression, or with what it came to.
package struct CELError: Error, Sendable, Hashable {
  package let message: String
  /// UTF-8 bytes from the start of the expression.
  package let offset: Int
  package init(_ message: String, at offset: Int) {
    self.message = message
    self.offset = offset
  }
}
