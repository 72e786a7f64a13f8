import Text

/// A word of an expression.
struct CELToken {
  enum Kind: Equatable {
    case end
    case name(String)
    /// Operators, brackets, and the words `in`, `true`, `false`, `null`.
    case symbol(String)
    /// Without its sign.
    case int(UInt64)
    case uint(UInt64)
    case double(Double)
    case string(String)
    case bytes([UInt8])
  }

  let kind: Kind
  /// UTF-8 bytes from the start of the text.
  let offset: Int

  /// The token in a message.
  var words: String {
    switch kind {
    case .end: "the end"
    case .name(let name): name.shownInMessage(limit: 40)
    case .symbol(let symbol): symbol
    case .int, .uint, .double: "a number"
    case .string: "a text"
    case .bytes: "bytes"
    }
  }
}
