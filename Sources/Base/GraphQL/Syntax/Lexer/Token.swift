/// One token: what it is, and the bytes that it has.
struct Token {
  enum Kind: UInt8 {
    case end
    case name, integer, float, string, blockString
    case exclamation, dollar, ampersand, openParenthesis, closeParenthesis, spread, colon, equals, at
    case openBracket, closeBracket, openBrace, pipe, closeBrace
  }

  var kind: Kind
  /// Of a string: whether it has escapes, or lines to take the indentation from.
  var isEscaped = false
  var start: Int
  var end: Int
}

/// What a lexer or a parser stopped at: a sentence, and the byte that it is about.
struct SyntaxError: Error {
  let message: String
  var fix: String?
  let offset: Int
}

extension Token.Kind {
  /// The token in the words of an error message.
  var words: String {
    switch self {
    case .end: "the end of the text"
    case .name: "a name"
    case .integer, .float: "a number"
    case .string, .blockString: "a string"
    case .exclamation: "\"!\""
    case .dollar: "\"$\""
    case .ampersand: "\"&\""
    case .openParenthesis: "\"(\""
    case .closeParenthesis: "\")\""
    case .spread: "\"...\""
    case .colon: "\":\""
    case .equals: "\"=\""
    case .at: "\"@\""
    case .openBracket: "\"[\""
    case .closeBracket: "\"]\""
    case .openBrace: "\"{\""
    case .pipe: "\"|\""
    case .closeBrace: "\"}\""
    }
  }
}
