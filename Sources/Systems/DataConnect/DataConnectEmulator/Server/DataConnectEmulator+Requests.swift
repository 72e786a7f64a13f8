import DataConnectCompiler
package import HTTPServer
import JSON
import Text

extension DataConnectEmulator {
  /// The answer to one request that was let in, without a network.
  package func respond(to request: ServerRequest) async -> ServerResponse {
    do throws(RequestFailure) {
      return try await respond(to: request, RoutedPath(request.path))
    } catch {
      return ServerResponse(error)
    }
  }

  private func respond(to request: ServerRequest, _ path: RoutedPath) async throws(RequestFailure) -> ServerResponse {
    let route = path.route
    if route == .remoteProcedure || request.header("Content-Type")?.lowercased().hasPrefix("application/grpc") == true {
      throw RequestFailure(
        .unimplemented, "gRPC is spoken over HTTP/2 alone, without TLS and from the first byte on (prior knowledge).",
        status: 415)
    }
    guard route != .unknown else { throw RequestFailure(.notFound, "There is nothing at this path.") }
    guard request.method == route.method else {
      throw RequestFailure(.unimplemented, "This path takes \(route.method) only.", status: 405)
    }
    if route.isAdministrative, !LoopbackName.isOne(options.host) {
      throw RequestFailure(.permissionDenied, "Administrators come from the server's own machine alone.")
    }
    if route.isAdministrative { try administrators.admit(request) }
    try checkLocation(path.location)
    switch route {
    case .connector(let service, let connector, let action):
      return try await execute(request, service, connector, action)
    case .service(let service, let action):
      return try await administer(request, service, isReadOnly: action == .executeGraphqlRead)
    case .information: return information
    case .configuration: return try await configure(request)
    case .difference: return ServerResponse(.object(try await deployer.difference().document))
    case .migration: return try await migrate(request)
    case .issues, .errors: return issues.response(isIssues: route == .issues)
    case .stream(let service): return try stream(request, service)
    case .remoteProcedure, .unknown:
      throw RequestFailure(.notFound, "There is nothing at this path.")
    }
  }

  /// - Parameter location: the one that a path names.
  /// - Throws: `notFound` for another location than that of the service.
  func checkLocation(_ location: String?) throws(RequestFailure) {
    guard let location, let current = deployer.current else { return }
    guard current.service.location.hasBytes(of: location) else {
      throw RequestFailure(.notFound, "location \"\(location.shownInMessage())\" not found")
    }
  }

  /// Returns the current deployment if it is of this service.
  func deployment(_ service: String) throws(RequestFailure) -> Deployment {
    guard let deployment = deployer.current else {
      throw RequestFailure(.unavailable, "Nothing is deployed yet. See what is wrong with the project.")
    }
    guard deployment.service.serviceID.hasBytes(of: service) else {
      throw RequestFailure(.notFound, "service \"\(service.shownInMessage())\" not found")
    }
    return deployment
  }

  // MARK: Connectors

  private func execute(
    _ request: ServerRequest, _ service: String, _ connector: String, _ action: ServerRoute.ConnectorAction
  ) async throws(RequestFailure) -> ServerResponse {
    let deployment = try deployment(service)
    let call = try OperationCall(request)
    let caller =
      action.isImpersonated
      ? try Impersonation.caller(call.extensions)
      : try await tokens.caller(request.header("X-Firebase-Auth-Token"))
    let operation = try deployment.operation(call.name, of: connector, isMutation: action.isMutation)
    let order = OperationEngine.Order(
      operation: operation, deployment: deployment, caller: caller, variables: call.variables)
    return ServerResponse(json: try await execute(order, of: connector).body)
  }
}

extension Deployment {
  /// - Parameter isMutation: of which kind it has to be; `nil` takes both.
  /// - Throws: `notFound`, also for an operation of the other kind.
  func operation(
    _ name: String?, of connector: String, isMutation: Bool? = nil
  ) throws(RequestFailure) -> DeployedOperation {
    guard let found = connectors[connector], found.id.hasBytes(of: connector) else {
      throw RequestFailure(.notFound, "connector \"\(connector.shownInMessage())\" not found")
    }
    guard let name, !name.isEmpty else { throw RequestFailure(.invalidArgument, "\"operationName\" is missing.") }
    guard let operation = found.operation(name), operation.isMutation == isMutation ?? operation.isMutation else {
      let kind = isMutation.map { $0 ? "mutation " : "query " } ?? ""
      throw RequestFailure(.notFound, "\(kind)operation \"\(name.shownInMessage())\" not found")
    }
    return operation
  }
}
