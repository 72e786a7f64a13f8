/// A parsed and checked expression of CEL, Google's Common Expression Language.
///
/// It supports the literals, operators and macros of the language definition, `size`, `contains`, `startsWith`,
/// `endsWith`, `matches`, the conversions, timestamps and durations, `nil` for `null`, and `uuidV4()`. It does not
/// support messages of Protocol Buffers. JSON numbers have no type, so operators accept an integer together with a
/// double.
package struct CELProgram: Sendable {
  /// The most bytes of an expression's text.
  package static let longestText = 16_384
  /// The most levels of an expression: parentheses, operands, arguments.
  package static let depth = 64

  /// The source text of the expression, as it was given; at most ``longestText`` bytes.
  package let text: String
  let root: CELNode

  /// - Parameter names: the permitted top-level names; `nil` permits any.
  /// - Throws: `CELError` with the place of the fault.
  package init(_ text: String, names: [String]? = nil) throws(CELError) {
    self.text = text
    guard text.utf8.count <= Self.longestText else {
      throw CELError("The expression has more than \(Self.longestText) bytes.", at: Self.longestText)
    }
    var parser = try CELParser(text)
    root = try parser.program()
    try CELCheck(names: names).check(root)
  }

  /// - Parameters:
  ///   - bindings: the top-level names: `auth`, `vars`, `request`, `response`, `this`.
  ///   - cost: the most steps: one for each node each time, and for each byte of a text and element of a list that an
  ///     operator handles.
  /// - Throws: `CELError` when there is no value: a key that is missing, a number that overflows, operands that do not
  ///   fit, too many steps.
  package func evaluate(_ bindings: [String: CELValue], cost: Int = 100_000) throws(CELError) -> CELValue {
    var evaluation = CELEvaluation(bindings: bindings, cost: cost)
    let value = try evaluation.value(of: root)
    try evaluation.charge(value, at: 0)
    return value
  }
}

extension CELProgram: Hashable {
  /// Whether both have the same text.
  package static func == (left: CELProgram, right: CELProgram) -> Bool { left.text == right.text }

  /// Hashes the text.
  package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

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
