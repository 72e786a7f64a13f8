import CEL
import DataConnectCompiler
import GraphQL
import Text

/// The expressions of a schema and of the operations that run on it, by the bytes of their texts.
struct ExpressionTable: Sendable {
  private(set) var expressions: [ExactText: Expression] = [:]
  private(set) var problems: [CompilerProblem] = []

  /// The most bytes of an expression.
  static let limit = 16_384

  subscript(text: String) -> Expression? { expressions[ExactText(text)] }

  /// Compiles an expression and stores it; reports errors at its place.
  ///
  /// - Parameter text: the text as it is written, or the name of the default that it belongs to.
  mutating func add(_ text: String, at position: SourcePosition, isText: Bool = true, in sources: [GraphQLSource]) {
    if self[text] != nil { return }
    do throws(CELError) {
      guard text.utf8.count <= Self.limit else { throw CELError("It has more than \(Self.limit) bytes.", at: 0) }
      expressions[ExactText(text)] = try Expression(text)
    } catch {
      problems.append(
        CompilerProblem(
          .error, "The expression is wrong: \(error.message)", code: "Expression",
          at: place(of: error, text, position, isText, sources)))
    }
  }

  /// The place inside of a text between quotes, unless escapes make it differ from what is written.
  private func place(
    of error: CELError, _ text: String, _ position: SourcePosition, _ isText: Bool, _ sources: [GraphQLSource]
  ) -> SourceLocation? {
    guard isText, sources.indices.contains(Int(position.source)) else { return sources.location(of: position) }
    let bytes = sources[Int(position.source)].bytes
    let start = Int(position.offset)
    for quotes in [3, 1] {
      let begin = start + quotes
      guard begin + text.utf8.count <= bytes.count, bytes[start..<begin].allSatisfy({ $0 == 0x22 }),
        bytes[begin...].starts(with: text.utf8)
      else { continue }
      let offset = begin + min(max(0, error.offset), text.utf8.count)
      return sources[Int(position.source)].location(of: offset)
    }
    return sources.location(of: position)
  }
}

/// An expression in CEL, with what is known of it without evaluating it.
struct Expression: Sendable {
  let program: CELProgram
  /// Whether it depends on who calls.
  let usesAuth: Bool
  /// Whether it asks for `auth` itself, as in `auth != null`: then it is null for somebody without a token. In
  /// `auth.uid` it is not, so that `auth.uid` is null.
  let comparesAuth: Bool
  /// Whether it depends on what earlier fields came to.
  let usesResponse: Bool

  init(_ text: String) throws(CELError) {
    program = try CELProgram(text)
    let paths = program.paths
    usesAuth = paths.contains { path in
      // Of `request` as a whole, or by a computed name, it may be the caller that is asked for.
      path[0] == "auth" || path[0] == "request" && (path.count == 1 || path[1] == nil || path[1] == "auth")
    }
    comparesAuth = paths.contains { $0 == ["auth"] || $0 == ["request", "auth"] }
    usesResponse = paths.contains { $0[0] == "response" }
  }
}
