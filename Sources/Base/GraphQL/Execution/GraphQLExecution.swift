package import JSON

/// How a request is executed.
package struct GraphQLExecution: Sendable {
  /// What becomes of a root field that failed and cannot be null.
  package enum RootFailure: Sendable {
    /// The whole data is null, and no further field is resolved, as the specification has it.
    case propagates
    /// The field is null, and the others are resolved.
    case staysWithin
  }

  /// The outcome of a field that has its value.
  package enum Outcome: Sendable {
    case keep
    /// The response is without the field.
    case omit
  }

  /// Looks at the value of a field with directives of the document other than `@skip` and `@include`. What it throws
  /// is reported, and the field has no value.
  package typealias DirectiveHandler = @Sendable (GraphQLField, JSONValue) async throws -> Outcome

  /// What happens to the response when a root field fails.
  package var rootFailure = RootFailure.propagates
  /// Called with the value of each field that has a custom directive; `nil` ignores custom directives.
  package var directiveHandler: DirectiveHandler?

  /// Creates an execution; by default errors propagate as the specification says.
  package init(rootFailure: RootFailure = .propagates, directiveHandler: DirectiveHandler? = nil) {
    self.rootFailure = rootFailure
    self.directiveHandler = directiveHandler
  }

  /// Executes a request. Fields run one after the other in document order, as mutations require.
  ///
  /// - Parameter root: resolves the root fields. For a subscription a new root is made for each event.
  /// - Throws: `CancellationError` when the task is cancelled.
  package func run(_ request: GraphQLRequest, root: any GraphQLObject) async throws -> GraphQLResponse {
    guard let type = request.schema.root(request.operation.kind) else {
      return GraphQLResponse(
        data: nil,
        errors: [GraphQLError("The schema has no such operations.", code: "Operation")])
    }
    var executor = Executor(request, self)
    let data = try await executor.object(root, type, [request.operation.selections], isRoot: true)
    return GraphQLResponse(data: .some(data), errors: executor.errors.errors)
  }

  /// Reads, checks and executes a text.
  ///
  /// - Throws: `CancellationError` when the task is cancelled. Whatever else is wrong is in the response.
  package func run(
    _ text: GraphQLSource, on schema: GraphQLSchema, operation: String? = nil, variables: JSONObject = [:],
    limits: GraphQLLimits = GraphQLLimits(), root: any GraphQLObject
  ) async throws -> GraphQLResponse {
    let request: GraphQLRequest
    do throws(GraphQLErrors) {
      let document = try GraphQLParser.parse(text, limits: limits)
      let errors = GraphQLValidation.errors(in: document, schema, limits: limits)
      if !errors.isEmpty { return GraphQLResponse(data: nil, errors: errors) }
      request = try GraphQLRequest(document, schema, operation: operation, variables: variables, limits: limits)
    } catch {
      return GraphQLResponse(data: nil, errors: error.errors)
    }
    return try await run(request, root: root)
  }
}

/// The result of an execution (GraphQL specification, 7.1).
package struct GraphQLResponse: Sendable, Hashable {
  /// The value of the operation, with members in the order of the request. `nil` when the request was invalid; `.null`
  /// when a field failed that must not be null.
  package var data: JSONObject??
  package var errors: [GraphQLError]
  package var extensions: JSONObject

  package init(data: JSONObject??, errors: [GraphQLError] = [], extensions: JSONObject = [:]) {
    self.data = data
    self.errors = errors
    self.extensions = extensions
  }

  /// As it crosses the wire: `errors` where there are any, `data` where it was executed, `extensions` where there are any.
  package var json: JSONValue {
    var object = JSONObject()
    if !errors.isEmpty { object["errors"] = .array(errors.map(\.json)) }
    if let data { object["data"] = data.map(JSONValue.object) ?? .null }
    if !extensions.isEmpty { object["extensions"] = .object(extensions) }
    return .object(object)
  }
}
