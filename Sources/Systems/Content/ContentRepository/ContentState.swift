import GraphQL

/// A snapshot of the content.
package struct ContentState: Sendable {
  let graph: ContentGraph

  /// A query that a client calls by its name.
  package struct PersistedQuery: Sendable, Hashable {
    /// The query's name, without the configuration.
    package let name: String
    /// The text of the query, in GraphQL.
    package let text: String
  }

  /// A variable that an operation declares.
  package struct DeclaredVariable: Sendable, Hashable {
    /// The variable's name, without the `$`.
    package let name: String
    /// The type as the query writes it: `[String!]!`.
    package let type: String
    /// The default value as the query writes it; nil for none.
    package let defaultValue: String?
  }

  /// The names of the configurations that have models or queries, sorted.
  package var configurationNames: [String] { graph.configurationNames }

  /// The schema of an endpoint in the schema language; `nil` when there is no such configuration.
  ///
  /// - Parameter configuration: its name; `nil` or `global` for all models.
  package func schemaText(configuration: String?) -> String? { endpoint(configuration)?.text }

  /// The queries of a configuration, by their names; those that a server adds are not among them.
  package func persistedQueries(configuration: String) -> [PersistedQuery] { graph.queries[configuration] ?? [] }

  /// The variables of all operations of a query; none when it is no query.
  package func declaredVariables(of query: String) -> [DeclaredVariable] {
    let document =
      endpoint(nil)?.prepared(query).document
      ?? GraphQLParser.read([GraphQLSource(query)], limits: Endpoint.limits).document
    return document.operations.flatMap(\.variables).map { variable in
      DeclaredVariable(
        name: variable.name.text, type: GraphQLPrinter.text(of: variable.type),
        defaultValue: variable.defaultValue.map { GraphQLPrinter.text(of: $0) })
    }
  }

  /// The asset at a path.
  package func asset(path: String) -> ContentAsset? { graph.asset(at: path) }

  /// Returns the asset with an identifier, which the path of a `_dynamicUrl` contains after `dm-aid--`.
  package func asset(id: String) -> ContentAsset? { graph.assetsByID[id.lowercased()] }

  func endpoint(_ configuration: String?) -> Endpoint? { graph.endpoints[configuration ?? ContentGraph.global] }
}
