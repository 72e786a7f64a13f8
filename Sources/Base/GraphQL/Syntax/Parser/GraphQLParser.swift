/// Reads documents: operations, fragments, and the definitions of schemas, together or apart.
package enum GraphQLParser {
  /// What was read, and everything that could not be.
  package struct Result: Sendable {
    /// The definitions without errors.
    package let document: DocumentNode
    /// The syntax errors, in the order of the sources.
    package let errors: [GraphQLError]
  }

  /// Reads several sources as one document. After an error the parser continues with the next definition.
  ///
  /// - Parameter keepsPositions: whether nodes keep their positions. Without positions equal trees are equal values.
  package static func read(
    _ sources: [GraphQLSource], limits: GraphQLLimits = GraphQLLimits(), keepsPositions: Bool = true
  ) -> Result {
    var errors = ErrorList(sources: sources, limit: limits.errors)
    var (definitions, bytes, tokens): ([DefinitionNode], Int, Int) = ([], 0, 0)
    for (index, source) in sources.enumerated() where !errors.isFull {
      bytes += source.bytes.count
      let start = SourcePosition(source: UInt32(index), offset: 0)
      guard bytes <= limits.bytes else {
        errors.add("The text has more than \(limits.bytes) bytes.", code: "Limits", at: start)
        break
      }
      Lexer.withLexer(source.bytes) { lexer in
        var parser = Parser(
          lexer, source: keepsPositions ? UInt32(index) : nil, limits: limits, tokensLeft: limits.tokens - tokens)
        parser.document(into: &definitions, &errors, index: UInt32(index))
        tokens = limits.tokens - parser.tokensLeft
      }
    }
    return Result(document: DocumentNode(definitions: definitions, sources: sources), errors: errors.errors)
  }

  /// Reads one text.
  ///
  /// - Throws: everything that is wrong with it.
  package static func parse(
    _ source: GraphQLSource, limits: GraphQLLimits = GraphQLLimits()
  ) throws(GraphQLErrors) -> DocumentNode {
    let result = read([source], limits: limits)
    if !result.errors.isEmpty { throw GraphQLErrors(result.errors) }
    return result.document
  }
}
