/// A parser by recursive descent. It looks one token ahead.
struct Parser: ~Copyable {
  var lexer: Lexer
  /// The next token, not yet consumed.
  var token = Token(kind: .end, start: 0, end: 0)
  private let source: UInt32?
  private let limits: GraphQLLimits
  private(set) var tokensLeft: Int
  private var depth = 0
  private var names = NameTable()

  init(_ lexer: consuming Lexer, source: UInt32?, limits: GraphQLLimits, tokensLeft: Int) {
    self.lexer = lexer
    self.source = source
    self.limits = limits
    self.tokensLeft = tokensLeft
  }

  @inline(__always)
  mutating func advance() throws(SyntaxError) {
    token = try lexer.next()
    tokensLeft &-= 1
    if tokensLeft < 0 { throw tooManyTokens() }
  }

  private func tooManyTokens() -> SyntaxError {
    SyntaxError(message: "The text has more than \(limits.tokens) tokens.", offset: token.start)
  }

  @inline(__always)
  func position(_ offset: Int) -> SourcePosition {
    source.map { SourcePosition(source: $0, offset: UInt32(truncatingIfNeeded: offset)) } ?? .none
  }

  /// Where the next token stands.
  var here: SourcePosition { @inline(__always) get { position(token.start) } }

  // MARK: Tokens

  @inline(__always)
  mutating func take(_ kind: Token.Kind) throws(SyntaxError) -> Bool {
    guard token.kind == kind else { return false }
    try advance()
    return true
  }

  @inline(__always)
  mutating func expect(_ kind: Token.Kind, _ context: StaticString) throws(SyntaxError) {
    guard token.kind == kind else { throw unexpected(kind.words, context) }
    try advance()
  }

  @inline(never)
  func unexpected(_ wanted: String, _ context: StaticString) -> SyntaxError {
    SyntaxError(message: "There should be \(wanted) \(context), not \(tokenWords).", offset: token.start)
  }

  private var tokenWords: String {
    token.kind == .name ? lexer.text(token.start, token.end).quoted : token.kind.words
  }

  /// Whether the next token is this name.
  func isAt(_ keyword: StaticString) -> Bool {
    token.kind == .name && lexer.isSame(token.start, token.end, keyword)
  }

  mutating func takeKeyword(_ keyword: StaticString) throws(SyntaxError) -> Bool {
    guard isAt(keyword) else { return false }
    try advance()
    return true
  }

  @inline(__always)
  mutating func name(_ context: StaticString) throws(SyntaxError) -> NameNode {
    guard token.kind == .name else { throw unexpected("a name", context) }
    let name = NameNode(text: names.text(token, lexer), position: here)
    try advance()
    return name
  }

  // MARK: Nesting

  @inline(__always)
  mutating func enter() throws(SyntaxError) {
    depth &+= 1
    if depth > limits.depth {
      throw SyntaxError(message: "This is nested deeper than \(limits.depth) levels.", offset: token.start)
    }
  }

  @inline(__always)
  mutating func leave() { depth &-= 1 }

  /// Begins anew, at a byte.
  mutating func restart(at offset: Int) {
    lexer.at = offset
    depth = 0
  }
}
