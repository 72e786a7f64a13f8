package import JSONRPC

/// The content at one moment.
package struct ContentState: Sendable {
  /// A query that a client calls by its name.
  package struct PersistedQuery: Sendable, Hashable {
    package let name: String
    package let text: String
  }

  /// A variable that the operations of a query declare.
  package struct DeclaredVariable: Sendable, Hashable {
    package let name: String
    /// As it is written: `[String!]!`.
    package let type: String
    /// As JSON; `nil` when there is none.
    package let defaultValue: JSONValue?
  }

  /// The names of the configurations that have models or queries, sorted.
  package var configurationNames: [String] { [] }

  /// The schema of an endpoint in the schema language; `nil` when there is no such configuration.
  ///
  /// - Parameter configuration: its name; `nil` or `global` for all models.
  package func schemaText(configuration: String?) -> String? { nil }

  /// The queries of a configuration, by their names; those that a server adds are not among them.
  package func persistedQueries(configuration: String) -> [PersistedQuery] { [] }

  /// The variables of a query; none when it is no query.
  package func declaredVariables(of query: String) -> [DeclaredVariable] { [] }

  /// Answers a query, as AEM does: `{"data": …}`, with `errors` before it when there are any.
  ///
  /// - Parameters:
  ///   - variables: those that the query does not declare are passed over.
  ///   - variablesAreText: whether they come from a path, where each is a text and its type is the declared one's.
  ///   - operationName: which operation of the query; not needed where there is one only.
  ///   - configuration: whose models it asks for; `nil` or `global` for all models.
  package func run(
    _ query: String, variables: JSONObject = [:], variablesAreText: Bool = false, operationName: String? = nil,
    configuration: String? = nil, options: RunOptions = RunOptions()
  ) async -> JSONObject { ["data": .null] }

  /// The asset at a path.
  package func asset(path: String) -> ContentAsset? { nil }

  /// The asset with an identifier, as it comes in the path of a `_dynamicUrl` behind `dm-aid--`.
  package func asset(id: String) -> ContentAsset? { nil }
}
