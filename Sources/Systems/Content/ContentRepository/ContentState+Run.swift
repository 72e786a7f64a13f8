import GraphQL
package import JSON

extension ContentState {
  /// Executes a query and returns the answer in AEM's form: `{"data": …}`, preceded by `errors` when there are any.
  ///
  /// - Parameters:
  ///   - variables: the values of variables; values that the query does not declare are ignored.
  ///   - variablesAreText: whether the values come from a path, where each is text that is converted to the declared
  ///     type.
  ///   - operationName: the operation to execute; nil for a query with one operation only.
  ///   - configuration: the configuration whose models the query uses. `nil`, `global`, and a configuration that has
  ///     queries but no models select all models.
  package func run(
    _ query: String, variables: JSONObject = [:], variablesAreText: Bool = false, operationName: String? = nil,
    configuration: String? = nil, options: RunOptions = RunOptions()
  ) async -> JSONObject {
    guard let endpoint = endpoint(configuration) ?? endpoint(nil) else {
      return Self.failed([GraphQLError("There are no models.")], .checking)
    }
    let prepared = endpoint.prepared(query)
    if !prepared.errors.isEmpty {
      return Self.failed(prepared.errors, prepared.isUnreadable ? .reading : .checking)
    }
    let request: GraphQLRequest
    do throws(GraphQLErrors) {
      let values =
        variablesAreText
        ? Self.typed(variables, prepared.document, operationName, endpoint.schema) : variables
      request = try GraphQLRequest(
        prepared.document, endpoint.schema, operation: operationName, variables: values, limits: Endpoint.limits)
    } catch {
      let types = prepared.document.operations.flatMap(\.variables).map {
        ($0.name.text, GraphQLPrinter.text(of: $0.type))
      }
      return Self.failed(error.errors, .variables, Dictionary(types) { first, _ in first })
    }
    let scope = RunScope(graph: graph, endpoint: endpoint, options: options)
    do {
      let response = try await GraphQLExecution().run(request, root: QueryObject(run: scope))
      let data = response.data.flatMap(\.self).map(JSONValue.object) ?? .null
      if response.errors.isEmpty { return ["data": data] }
      return ["errors": .array(response.errors.map { ErrorShape.json($0, .execution) }), "data": data]
    } catch {
      return Self.failed([GraphQLError("The execution was ended.", code: "Limits")], .execution)
    }
  }

  /// The texts of a path as values of the variables of the operation that is chosen.
  private static func typed(
    _ variables: JSONObject, _ document: DocumentNode, _ name: String?, _ schema: GraphQLSchema
  ) -> JSONObject {
    let operations = document.operations
    let chosen = name.map { name in operations.first { $0.name?.text == name } } ?? operations.first
    return chosen.map { VariableText.values(variables, $0, schema) } ?? [:]
  }

  private static func failed(
    _ errors: [GraphQLError], _ stage: ErrorShape.Stage, _ types: [String: String] = [:]
  ) -> JSONObject {
    ["errors": .array(errors.map { ErrorShape.json($0, stage, types: types) }), "data": .null]
  }
}

/// Settings of a server that change the fields of an answer.
package struct RunOptions: Sendable, Hashable {
  /// Whether pictures have a `_dynamicUrl`. Without, it is null, as on an AEM that runs on one's own machine.
  package var hasDynamicURLs: Bool
  /// The beginning of `_authorUrl`, such as `http://localhost:4502`; nil makes the field null.
  package var authorURL: String?
  /// The beginning of `_publishUrl`; nil makes the field null.
  package var publishURL: String?

  /// Creates options from the prefixes of the URLs in answers.
  package init(hasDynamicURLs: Bool = true, authorURL: String? = nil, publishURL: String? = nil) {
    self.hasDynamicURLs = hasDynamicURLs
    self.authorURL = authorURL
    self.publishURL = publishURL
  }
}
