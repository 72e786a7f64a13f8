import DataConnectCompiler
package import DataConnectStatements
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

  /// A requested execution.
  struct Order: Sendable {
    let operation: DeployedOperation
    let deployment: Deployment
    let caller: OperationCaller
    let variables: JSONObject
    /// Whether nothing may be written.
    var isReadOnly = false
    /// Whether the answer tells the statements too. Only an administrator learns them.
    var tellsStatements = false
  }

  /// - Parameter order: the request, with the variables as the client sent them.
  /// - Throws: the reason the operation is not executed at all. Later failures are in the response.
  func execute(_ order: Order) async throws(RequestFailure) -> ExecutedOperation {
    let (order, scope) = try admitted(order)
    var run = try await perform(order, scope)
    // All idle connections may have ended while they were unused.
    for _ in 0..<Self.mostAttempts where run.isLost {
      run = try await perform(order, scope)
    }
    return ExecutedOperation(results: run.results, failure: run.failure, statements: run.statements)
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
    // A caller without access does not learn which variables the operation requires.
    let given = scope(order, order.variables)
    if case .level = operation.access.grant, let refusal = order.operation.refusal(of: order.caller, given) {
      throw refusal
    }
    let variables = try variables(order)
    let coerced = Order(
      operation: order.operation, deployment: order.deployment, caller: order.caller, variables: variables,
      isReadOnly: order.isReadOnly, tellsStatements: order.tellsStatements)
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
    var run = OperationRun(
      order.operation, order.deployment, scope, variables: order.variables, limits,
      isAdministrator: order.caller == .administrator, isReadOnly: order.isReadOnly)
    if order.tellsStatements { run.statements = ExecutedStatements() }
    return run
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

/// What an operation may take at most.
package struct ExecutionLimits: Sendable {
  /// From its begin to its end.
  package var time = Duration.seconds(30)
  /// How long it waits for a connection to the database.
  package var connecting = Duration.seconds(10)
  /// Bytes of all values that the database answers.
  package var bytes = 32 << 20
  package var statement = StatementLimits()
  /// Steps of one expression.
  package var cost = 100_000
  /// Values that variables may be made of.
  package var variables = 100_000
  package init() {}
}
