import DataConnectCompiler
import GraphQL
import HTTPServer
import JSON
import Text

/// The requests that only the owner of the machine may send.
extension DataConnectEmulator {
  /// Executes a text of GraphQL.
  func administer(
    _ request: ServerRequest, _ service: String, isReadOnly: Bool
  ) async throws(RequestFailure) -> ServerResponse {
    let deployment = try deployment(service)
    let call = try OperationCall(request)
    let caller = try Impersonation.caller(call.extensions)
    guard let text = call.query else { throw RequestFailure(.invalidArgument, "\"query\" is missing.") }
    let compiled = ConnectorCompiler.compile(
      administrative: GraphQLSource(text, name: "query"), against: deployment.schema)
    guard let connector = compiled.connector else {
      return Self.refused(compiled.problems.filter { $0.severity == .error })
    }
    var expressions = deployment.expressions
    expressions.add(connector)
    if !expressions.problems.isEmpty { return Self.refused(expressions.problems) }
    let operation = try Self.operation(call.name, connector)
    if operation.kind == .query, operation.fields.contains(where: { ["__schema", "__type"].contains($0.name) }) {
      return try await introspect(connector, call)
    }
    let order = OperationEngine.Order(
      operation: DeployedOperation(operation, connector, expressions, isAdministrative: true), deployment: deployment,
      caller: caller,
      variables: call.variables, isReadOnly: isReadOnly,
      tellsStatements: call.extensions?["annex"]?["statements"]?.boolValue == true)
    do throws(RequestFailure) {
      return ServerResponse(json: try await execute(order, of: nil).body)
    } catch {
      // What is wrong with the variables is an answer of GraphQL.
      guard error.code == .invalidArgument else { throw error }
      let failure = OperationError(error.code, error.message)
      return ServerResponse(["data": .null, "errors": [failure.json]])
    }
  }

  private static func operation(
    _ name: String?, _ connector: CompiledConnector
  ) throws(RequestFailure) -> CompiledOperation {
    if let name, !name.isEmpty {
      if let found = connector.operation(name) { return found }
      throw RequestFailure(.notFound, "operation \"\(name.shownInMessage())\" not found")
    }
    guard connector.operations.count == 1 else {
      throw RequestFailure(.invalidArgument, "The text has \(connector.operations.count) operations: name one.")
    }
    return connector.operations[0]
  }

  private static func refused(_ problems: [CompilerProblem]) -> ServerResponse {
    let errors = problems.map { problem -> JSONValue in
      let error = GraphQLError(
        problem.message, fix: problem.fix, locations: [problem.location].compactMap(\.self),
        extensions: ["code": .string(FailureCode.invalidArgument.rawValue)])
      return error.json
    }
    return ServerResponse(["data": .null, "errors": .array(errors)])
  }

  /// Returns the schema for an introspection query; reads no rows.
  private func introspect(
    _ connector: CompiledConnector, _ call: OperationCall
  ) async throws(RequestFailure) -> ServerResponse {
    do {
      let request = try GraphQLRequest(
        connector.document, connector.schema.graphQL, operation: call.name, variables: call.variables)
      let response = try await GraphQLExecution().run(request, root: GraphQLClosure { _ in .null })
      return ServerResponse(response.json)
    } catch let error as GraphQLErrors {
      throw RequestFailure(.invalidArgument, error.errors.map(\.sentences).joined(separator: " "))
    } catch {
      throw RequestFailure(.cancelled, "The request was cancelled.")
    }
  }

  // MARK: The emulator

  var information: ServerResponse {
    let services: [JSONValue] = [deployer.current].compactMap(\.self).map { deployment in
      [
        "serviceId": .string(deployment.service.serviceID), "location": .string(deployment.service.location),
        "connectionString": .string(databaseName),
      ]
    }
    return ServerResponse(["version": "1.0.0", "services": .array(services)])
  }

  /// Serves with another number of connections. The database is the one of the command line: a request that named another
  /// would have this user sign in to it, or to whatever answers there.
  func configure(_ request: ServerRequest) async throws(RequestFailure) -> ServerResponse {
    guard let body = try? JSONCoding.parse(request.body), case .object(let object) = body else {
      throw RequestFailure(.invalidArgument, "The body is not an object.")
    }
    if let service = object["serviceId"]?.stringValue { _ = try deployment(service) }
    guard object["connectionString"].map({ deployer.isOwn($0.stringValue ?? "") }) ?? true else {
      throw RequestFailure(
        .permissionDenied,
        "A request cannot name another database. Start the emulator with it: host data emulate --database URL.")
    }
    let most = object["maxOpenConnections"]?.integerValue.flatMap { (1...100).contains($0) ? Int($0) : nil }
    let report = await deployer.deploy(maximumConnections: most)
    deployed(report)
    guard report.isDeployed else {
      throw RequestFailure(.failedPrecondition, report.failure ?? "The project cannot be deployed there.")
    }
    return ServerResponse([:])
  }
}
