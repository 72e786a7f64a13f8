import DataConnectCompiler
import DataConnectStatements
import GraphQL
import JSON
import PostgreSQL
import Text
import Time

/// Executes operations.
struct OperationEngine: Sendable {
  /// How often something is tried again whose connection has ended.
  private static let mostAttempts = 10
  let limits: ExecutionLimits

  /// One execution that somebody asks for.
  struct Order: Sendable {
    let operation: DeployedOperation
    let deployment: Deployment
    let caller: OperationCaller
    let variables: JSONObject
    /// Whether nothing may be written.
    var isReadOnly = false
  }

  /// - Parameter order: with the variables as the client sent them.
  /// - Throws: why it is not executed at all; what fails in between is in the response.
  func execute(_ order: Order) async throws(RequestFailure) -> ExecutedOperation {
    let (order, scope) = try admitted(order)
    var run = try await perform(order, scope)
    // Connections may have ended while nobody used them, all of them at once.
    for _ in 0..<Self.mostAttempts where run.isLost {
      run = try await perform(order, scope)
    }
    return ExecutedOperation(results: run.results, failure: run.failure)
  }

  /// The rows that the lookups of a query name.
  func watchedRows(_ order: Order) throws(RequestFailure) -> Set<String> {
    let (order, scope) = try admitted(order)
    let run = run(order, scope)
    return Set(order.operation.fields.compactMap(run.entityID))
  }

  /// The order with values of the variables' types, once the caller may have it executed.
  func admitted(_ order: Order) throws(RequestFailure) -> (Order, ExpressionScope) {
    let operation = order.operation.operation
    if order.isReadOnly, order.operation.isMutation {
      throw RequestFailure(.permissionDenied, "Only queries are executed here.")
    }
    // Who may not call it does not learn what it takes.
    let given = scope(order, order.variables)
    if case .level = operation.access.grant, let refusal = order.operation.refusal(of: order.caller, given) {
      throw refusal
    }
    let variables = try variables(order)
    let coerced = Order(
      operation: order.operation, deployment: order.deployment, caller: order.caller, variables: variables,
      isReadOnly: order.isReadOnly)
    let scope = scope(coerced, variables)
    if let refusal = order.operation.refusal(of: order.caller, scope) { throw refusal }
    return (coerced, scope)
  }

  private func scope(_ order: Order, _ variables: JSONObject) -> ExpressionScope {
    ExpressionScope(
      order.caller, variables: variables, operation: order.operation.name, time: UnixTime.now.inMicroseconds,
      order.deployment.expressions,
      cost: limits.cost)
  }

  private func variables(_ order: Order) throws(RequestFailure) -> JSONObject {
    let operation = order.operation.operation
    for name in order.variables.keys where operation.variable(name) == nil {
      throw RequestFailure(
        .invalidArgument,
        "\(operation.name.shownInMessage()) has no variable $\(name.shownInMessage()).")
    }
    var limits = GraphQLLimits()
    limits.steps = self.limits.variables
    let values: JSONObject
    do throws(GraphQLErrors) {
      values = try operation.node.values(
        of: order.variables, order.deployment.schema.graphQL, order.operation.sources, limits: limits)
    } catch {
      throw RequestFailure(.invalidArgument, error.errors.map(\.sentences).joined(separator: " "))
    }
    if order.caller != .administrator {
      do throws(StatementError) {
        try operation.checkAllowed(values)
      } catch {
        throw RequestFailure(.invalidArgument, error.message)
      }
    }
    return values
  }

  private func run(_ order: Order, _ scope: ExpressionScope) -> OperationRun {
    OperationRun(
      order.operation, order.deployment, scope, variables: order.variables, limits,
      isAdministrator: order.caller == .administrator, isReadOnly: order.isReadOnly)
  }

  private func perform(_ order: Order, _ scope: ExpressionScope) async throws(RequestFailure) -> OperationRun {
    let run = run(order, scope)
    do throws(PostgreSQLError) {
      // A server that was killed, or had no room on its disk, is soon there again.
      return try await order.deployment.pool.retrying(within: limits.connecting) {
        (connection, _) async throws(PostgreSQLError) in
        var run = run
        await run.perform(on: connection)
        return run
      }
    } catch {
      let failure = OperationError(error, isAdministrator: false)
      throw RequestFailure(failure.code, failure.message)
    }
  }
}
