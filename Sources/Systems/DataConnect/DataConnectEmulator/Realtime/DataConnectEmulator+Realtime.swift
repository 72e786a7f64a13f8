import CEL
import DataConnectCompiler
import EventLoop
import HTTPServer
import JSON
import Synchronization
import Time
import WebSocket

extension DataConnectEmulator {
  /// The WebSocket that a client asks for.
  func stream(_ request: ServerRequest, _ service: String) throws(RequestFailure) -> ServerResponse {
    _ = try deployment(service)
    // The door of the server has looked at the origin of the page.
    return ServerResponse.webSocket(answering: request, origins: .any, limits: options.streamLimits) { socket in
      self.openStreams.add(1, ordering: .relaxed)
      defer { self.openStreams.subtract(1, ordering: .relaxed) }
      await StreamSession(self, SocketChannel(socket: socket), service: service).run()
    }
  }

  /// Returns the key that equal subscriptions share.
  ///
  /// - Throws: the reason the caller may not subscribe.
  func queryKey(
    _ service: String, _ connector: String, _ call: OperationCall, _ caller: OperationCaller
  ) throws(RequestFailure) -> QueryKey {
    let deployment = try deployment(service)
    let operation = try deployment.operation(call.name, of: connector, isMutation: false)
    let order = OperationEngine.Order(
      operation: operation, deployment: deployment, caller: caller, variables: call.variables)
    _ = try engine.admitted(order)
    return QueryKey(
      service: service, connector: connector, operation: operation.name, variables: call.variables,
      caller: operation.usesAuth ? caller : nil)
  }

  /// Executes subscribed queries until the task is cancelled.
  func runLiveQueries(on loop: EventLoop) async {
    await liveQueries.run(on: loop) { query, watch throws(RequestFailure) in
      let deployment = try self.deployment(query.key.service)
      let operation = try deployment.operation(query.key.operation, of: query.key.connector, isMutation: false)
      let order = OperationEngine.Order(
        operation: operation, deployment: deployment, caller: query.caller, variables: query.key.variables)
      watch(try self.engine.watchedRows(order), operation.operation.refreshes)
      return try await self.engine.execute(order)
    }
  }

  /// Executes an operation and notifies the subscribers of affected queries.
  ///
  /// - Parameter connector: the connector; `nil` for an operation that an administrator wrote.
  func execute(
    _ order: OperationEngine.Order, of connector: String?
  ) async throws(RequestFailure) -> ExecutedOperation {
    let response = try await engine.execute(order)
    guard order.operation.isMutation, response.hasEffect else { return response }
    liveQueries.written(response.writes)
    guard let connector, !order.operation.name.isEmpty else { return response }
    let mutation: [CELValue: CELValue] = [
      .string("variables"): CELValue(.object(order.variables)), .string("auth"): ExpressionScope.auth(order.caller),
      .string("operationName"): .string(order.operation.name),
    ]
    liveQueries.executed(order.operation.name, of: order.deployment.service.serviceID, connector) { query, condition in
      let scope = ExpressionScope(
        query.caller, variables: query.key.variables, operation: query.key.operation, time: UnixTime.now.inMicroseconds,
        order.deployment.expressions, cost: engine.limits.cost)
      return scope.holds(condition, others: ["mutation": .map(mutation)])
    }
    return response
  }
}
