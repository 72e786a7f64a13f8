import CEL
import DataConnectCompiler
import DataConnectStatements
import GraphQL
import JSON
import PostgreSQL

/// One execution of an operation: its fields in order on one connection, and their results.
struct OperationRun: Sendable {
  let operation: DeployedOperation
  let deployment: Deployment
  let scope: ExpressionScope
  let variables: JSONObject
  let limits: ExecutionLimits
  let isAdministrator: Bool
  /// Whether nothing may be written.
  let isReadOnly: Bool
  let end: ContinuousClock.Instant
  private(set) var results: [FieldResult] = []
  /// The statements that were made; `nil` where nobody asks for them.
  var statements: ExecutedStatements?
  /// The failure of a check of the whole operation.
  private(set) var failure: OperationError?
  private var bytesLeft = 0
  /// The rows that were inserted with those of the field.
  private var innerWrites: [String] = []

  init(
    _ operation: DeployedOperation, _ deployment: Deployment, _ scope: ExpressionScope, variables: JSONObject,
    _ limits: ExecutionLimits, isAdministrator: Bool, isReadOnly: Bool
  ) {
    self.operation = operation
    self.deployment = deployment
    self.scope = scope
    self.variables = variables
    self.limits = limits
    self.isAdministrator = isAdministrator
    self.isReadOnly = isReadOnly
    end = .now + limits.time
    bytesLeft = limits.bytes
  }

  /// Whether the connection ended before a query was answered, or before a mutation did anything, for which another one
  /// may then be asked.
  var isLost: Bool {
    guard operation.isMutation else { return results.contains { $0.error?.isEndOfConnection == true } }
    return isUndone || !results.isEmpty && results.allSatisfy { $0.error?.isUnsent == true }
  }
  /// Whether the connection ended with an open transaction.
  private var isUndone = false

  mutating func perform(on connection: PostgreSQLConnection) async {
    if let error = checkBefore() {
      failure = error
      results = operation.fields.map { FieldResult($0) }
      for index in results.indices { results[index].abort() }
      return
    }
    let isTransaction = operation.isMutation && operation.operation.isTransaction
    if isTransaction, let error = await script(begin, on: connection) {
      isUndone = error.isEndOfConnection
      results = operation.fields.map { FieldResult($0, error.at($0)) }
      return
    }
    var isStopped = false
    for plan in operation.fields where isIncluded(plan.field) || plan.hasRequiredChecks {
      if isStopped {
        var result = FieldResult(plan)
        result.abort()
        results.append(result)
        continue
      }
      do throws(OperationError) {
        results.append(try await result(of: plan, on: connection, isAlone: !isTransaction))
      } catch {
        results.append(FieldResult(plan, error))
        isStopped = isTransaction || error.isCheck
        isUndone = isTransaction && error.isEndOfConnection
      }
    }
    if !isStopped, let error = checkWhole() {
      failure = error
      isStopped = true
    }
    if isTransaction {
      await end(isKept: !isStopped, on: connection)
    } else if isStopped, !operation.isMutation {
      // An earlier field may show what the check hides from the caller.
      for index in results.indices { results[index].abort() }
    }
  }

  private var begin: String { isReadOnly ? "BEGIN READ ONLY" : "BEGIN" }

  private mutating func end(isKept: Bool, on connection: PostgreSQLConnection) async {
    let error = await script(isKept ? "COMMIT" : "ROLLBACK", on: connection)
    if isKept, error == nil { return }
    if isKept, error?.isUnsent == true { isUndone = true }
    if !isKept, error != nil { await connection.close() }
    for index in results.indices {
      results[index].rollBack()
      // The first field shows the reason; all of them do when the outcome of the transaction is unknown.
      if isKept, let error, index == 0 || error.isConnectionLost {
        results[index].error = error.at(results[index].plan)
      }
    }
  }

  private func script(_ text: String, on connection: PostgreSQLConnection) async -> OperationError? {
    do throws(PostgreSQLError) {
      // The transaction must be ended, however late.
      try await connection.run(script: text, within: max(remaining, .seconds(1)))
      return nil
    } catch {
      return OperationError(error, isAdministrator: isAdministrator)
    }
  }

  private var remaining: Duration { ContinuousClock.now.duration(to: end) }

  /// Whether `@skip` and `@include` let a field be there.
  private func isIncluded(_ field: CompiledField) -> Bool {
    field.presences.contains { conditions in
      conditions.allSatisfy { condition in
        switch condition.value.kind {
        case .boolean(let truth): truth == condition.expected
        case .variable(let name): variables[name]?.boolValue == condition.expected
        default: false
        }
      }
    }
  }

  // MARK: Fields

  /// - Parameter isAlone: whether no transaction is open: what a check of the field refuses is then undone by its own.
  private mutating func result(
    of plan: FieldPlan, on connection: PostgreSQLConnection, isAlone: Bool
  ) async throws(OperationError) -> FieldResult {
    innerWrites = []
    let checks = FieldChecks(scope: scope)
    let path: [GraphQLError.PathElement] = [.name(plan.name)]
    guard isIncluded(plan.field) else {
      if let error = checks.failure(of: nil, plan, path) { throw error }
      return FieldResult(plan)
    }
    let isOpen = isAlone && opensTransaction(plan)
    if isOpen, let error = await script(begin(plan), on: connection) { throw error.at(plan) }
    do throws(OperationError) {
      let value = try await value(of: plan, path, on: connection)
      if plan.hasChecks, let error = checks.failure(of: value.tree, plan, path) { throw error }
      if isOpen, let error = await script("COMMIT", on: connection) { throw error.at(plan) }
      var result = finished(plan, value)
      result.writes += innerWrites
      return result
    } catch {
      if isOpen, await script("ROLLBACK", on: connection) != nil { await connection.close() }
      throw error
    }
  }

  private func opensTransaction(_ plan: FieldPlan) -> Bool {
    isReadOnly || plan.isNative && plan.kind == .query || plan.hasChecks && plan.kind == .mutation
  }

  /// Returns the statement that begins the transaction. A query cannot write, even with the developer's own SQL.
  private func begin(_ plan: FieldPlan) -> String { plan.kind == .query ? "BEGIN READ ONLY" : begin }

  private func finished(_ plan: FieldPlan, _ value: FieldText) -> FieldResult {
    var result = FieldResult(plan)
    result.text = value.text
    if let tree = value.tree {
      if operation.usesResponse { scope.keep(tree, as: plan.name) }
      if plan.hasEntities { result.notes = EntityNote.of(tree, plan) }
      if plan.keyTable != nil { result.writes = result.notes.flatMap(\.ids).filter { !$0.isEmpty } }
      if plan.hasRedactions { result.text = Array(JSONCoding.text(of: FieldChecks.redacted(tree, plan)).utf8) }
    }
    if plan.action?.kind == .lookup, plan.isTold, result.notes.first?.path.count != 1, value.text != FieldResult.null,
      let id = entityID(plan)
    {
      result.notes.insert(EntityNote(path: [.name(plan.name)], ids: [id], isList: false), at: 0)
    }
    return result
  }

  /// Returns the identifier of the row that a lookup names.
  func entityID(_ plan: FieldPlan) -> String? {
    LookupKey.entityID(plan, deployment.schema, variables: variables) { try? scope.evaluate($0).json }
  }

  private mutating func value(
    of plan: FieldPlan, _ path: [GraphQLError.PathElement], on connection: PostgreSQLConnection
  ) async throws(OperationError) -> FieldText {
    switch plan.kind {
    case .typeName: return FieldText(.string(plan.field.parent))
    case .queries:
      var object = JSONObject()
      for field in plan.fields where isIncluded(field.field) {
        let value = try await value(of: field, path + [.name(field.name)], on: connection)
        object[field.name] = value.tree ?? .null
      }
      return FieldText(.object(object))
    case .query, .mutation, .member:
      let text = try await text(of: plan, path, on: connection)
      let isRead =
        plan.hasChecks || plan.hasRedactions || plan.hasEntities || operation.usesResponse
        || path.count > 1 || !operation.operation.checks.isEmpty
      return try FieldText(text: text, isRead: isRead)
    }
  }

  private mutating func text(
    of plan: FieldPlan, _ path: [GraphQLError.PathElement], on connection: PostgreSQLConnection
  ) async throws(OperationError) -> [UInt8] {
    let statement = try statement(of: plan, path)
    statements?.add(statement.text, at: path)
    guard remaining > .zero else {
      throw OperationError(.deadlineExceeded, "The operation takes too long.", path: path)
    }
    do throws(PostgreSQLError) {
      if statement.answer == .count {
        let count = try await connection.change(
          statement.text, statement.parameters, within: remaining, maximumBytes: bytesLeft)
        return Array("\(count)".utf8)
      }
      let rows = try await connection.query(
        statement.text, statement.parameters, within: remaining, maximumBytes: bytesLeft)
      guard let row = rows.first, row.count > 0, !row.isNull(at: 0) else { return FieldResult.null }
      let text = row.bytes(at: 0)
      bytesLeft -= text.count
      if row.count > 1 { innerWrites = EntityID.texts(row.bytes(at: 1)) }
      return text
    } catch {
      var error = OperationError(error, isAdministrator: isAdministrator)
      error.path = path
      throw error
    }
  }

  private func statement(
    of plan: FieldPlan, _ path: [GraphQLError.PathElement]
  ) throws(OperationError) -> RootStatement {
    let context = StatementContext(
      schema: deployment.schema, namespace: deployment.namespace, variables: variables, limits: limits.statement
    ) { [scope] text throws(StatementError) in
      do throws(CELError) {
        let value = try scope.evaluate(text).json
        if !value.isNull || !scope.isMissingUser(for: text) { return value }
      } catch {
        throw StatementError("An expression has no value: \(error.message)")
      }
      throw StatementError("unauthorized: the operation needs a signed-in user, and there is none")
    }
    do throws(StatementError) {
      guard let statements = plan.statements else {
        throw StatementError("\(plan.field.name) is not asked of the database.")
      }
      return try statements.statement(context)
    } catch {
      let place = error.path.isEmpty ? "" : "\(error.path.joined(separator: ".")): "
      throw OperationError(.invalidArgument, place + error.message, path: path)
    }
  }

  // MARK: The operation

  /// Runs the operation's own checks that fail whatever its fields return.
  private func checkBefore() -> OperationError? {
    let failing = operation.operation.checks.first { (try? scope.evaluate($0.expression)) == .bool(false) }
    return failing.map { FieldChecks.failure($0.message, []) }
  }

  /// The checks of the operation itself, now that its fields are known.
  private func checkWhole() -> OperationError? {
    let checks = operation.operation.checks
    if checks.isEmpty { return nil }
    let object = JSONObject(
      results.compactMap { result in
        (try? JSONCoding.parse(result.text, maximumDepth: 256)).map { (result.plan.name, $0) }
      })
    let failing = checks.first { !scope.holds($0.expression, this: .object(object)) }
    return failing.map { FieldChecks.failure($0.message, []) }
  }
}

extension OperationError {
  /// Whether the server or its process ended, and not what the operation may take.
  fileprivate var isEndOfConnection: Bool { isConnectionLost && code == .unavailable }

  /// Returns the error with the path of a root field.
  fileprivate func at(_ plan: FieldPlan) -> OperationError {
    var error = self
    error.path = [.name(plan.name)]
    return error
  }
}

extension FieldPlan {
  /// Whether the developer wrote the field's statement.
  fileprivate var isNative: Bool { action == nil && field.name.hasPrefix("_") }
}
