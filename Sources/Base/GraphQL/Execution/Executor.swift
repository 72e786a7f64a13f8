import JSON

/// One execution. A value that is `nil` failed, and what holds it is null if it may be.
struct Executor {
  private let request: GraphQLRequest
  private let execution: GraphQLExecution
  private(set) var errors: ErrorList
  private var path: [GraphQLError.PathElement] = []
  private var stepsLeft: Int
  /// The fields of a selection, by the nodes that have it and the type of the object: lists have many objects.
  private var selections: [SelectionKey: [GraphQLField]] = [:]

  private struct SelectionKey: Hashable {
    let field: ObjectIdentifier
    let type: ObjectIdentifier
  }

  init(_ request: GraphQLRequest, _ execution: GraphQLExecution) {
    self.request = request
    self.execution = execution
    stepsLeft = request.limits.steps
    errors = ErrorList(sources: [], limit: request.limits.errors)
  }

  // MARK: Objects

  mutating func object(
    _ source: any GraphQLObject, _ type: SchemaType, _ nodes: [[SelectionNode]], isRoot: Bool = false
  ) async throws -> JSONObject? {
    try await object(source, request.fields(nodes, of: type), isRoot: isRoot)
  }

  private mutating func object(
    _ source: any GraphQLObject, _ fields: [GraphQLField], isRoot: Bool = false
  ) async throws -> JSONObject? {
    var object = JSONObject()
    object.reserveCapacity(fields.count)
    for field in fields {
      if isRoot { try Task.checkCancellation() }
      path.append(.name(field.responseName))
      defer { path.removeLast() }
      guard let (value, outcome) = try await self.value(of: field, source) else {
        guard isRoot, execution.rootFailure == .staysWithin else { return nil }
        object[field.responseName] = .null
        continue
      }
      if outcome == .keep { object[field.responseName] = value }
    }
    return object
  }

  private mutating func value(
    of field: GraphQLField, _ source: any GraphQLObject
  ) async throws -> (JSONValue, GraphQLExecution.Outcome)? {
    guard step(field) else { return nil }
    let result: GraphQLResult
    do {
      if let fault = field.fault { throw fault }
      result = try await resolve(field, source)
    } catch {
      try fail(error, field)
      return field.type.isNonNull ? nil : (.null, .keep)
    }
    guard let value = try await complete(result, field.type, field) else { return nil }
    guard !field.directives.isEmpty, let handler = execution.directiveHandler else { return (value, .keep) }
    do {
      return (value, try await handler(field, value))
    } catch {
      try fail(error, field)
      return field.type.isNonNull ? nil : (.null, .keep)
    }
  }

  private func resolve(_ field: GraphQLField, _ source: any GraphQLObject) async throws -> GraphQLResult {
    guard field.name.utf8.starts(with: [0x5F, 0x5F]) else { return try await source.resolve(field) }
    switch field.name {
    case "__typename": return .value(.string(field.parent.name))
    case "__schema": return .object(IntrospectedSchema(schema: request.schema))
    case "__type":
      let type = request.schema.type(field.arguments["name"]?.stringValue ?? "")
      return type.map { .object(IntrospectedType(request.schema, $0)) } ?? .null
    default: return try await source.resolve(field)
    }
  }

  // MARK: Values

  private mutating func complete(
    _ result: GraphQLResult, _ type: TypeNode, _ field: GraphQLField
  ) async throws -> JSONValue? {
    guard case .nonNull(let inner) = type else {
      return try await completeNullable(result, type, field) ?? .null
    }
    guard let value = try await completeNullable(result, inner, field) else { return nil }
    if value.isNull {
      let owner = "\(field.parent.name).\(field.name)".shownInError
      try fail(GraphQLError("\(owner) cannot be null, but has no value."), field)
      return nil
    }
    return value
  }

  private mutating func completeNullable(
    _ result: GraphQLResult, _ type: TypeNode, _ field: GraphQLField
  ) async throws -> JSONValue? {
    switch result {
    case .null, .value(.null), .selected(.null): return .null
    case .failure(let error):
      try fail(error, field)
      return nil
    default: break
    }
    if case .list(let inner, _) = type { return try await list(result, inner, field) }
    guard let definition = request.schema.type(type.name.text) else { return .null }
    return definition.isComposite
      ? try await composite(result, definition, field) : try leaf(result, definition, field)
  }

  private mutating func list(
    _ result: GraphQLResult, _ type: TypeNode, _ field: GraphQLField
  ) async throws -> JSONValue? {
    let elements: [GraphQLResult]
    switch result {
    case .list(let results): elements = results
    case .value(.array(let values)): elements = values.map(GraphQLResult.value)
    case .selected(.array(let values)): elements = values.map(GraphQLResult.selected)
    default:
      try fail(GraphQLError("The field \(field.name.quoted) is a list, but its value is none."), field)
      return nil
    }
    var list: [JSONValue] = []
    list.reserveCapacity(elements.count)
    for (index, element) in elements.enumerated() {
      path.append(.index(index))
      defer { path.removeLast() }
      if index & 0xFF == 0xFF { try Task.checkCancellation() }
      guard step(field), let value = try await complete(element, type, field) else { return nil }
      list.append(value)
    }
    return .array(list)
  }

  private mutating func leaf(_ result: GraphQLResult, _ type: SchemaType, _ field: GraphQLField) throws -> JSONValue? {
    do throws(GraphQLError) {
      switch result {
      case .value(let value), .selected(let value):
        if type.kind == .scalar { return try request.schema.scalar(type.name).output(value) }
        if case .string(let name) = value, type.value(name) != nil { return value }
        throw GraphQLError("\(value.shown) is not a value of the enumeration \(type.name.quoted).")
      default:
        throw GraphQLError("The field \(field.name.quoted) is a \(type.name), but its value is an object or a list.")
      }
    } catch {
      try fail(error, field)
      return nil
    }
  }

  private mutating func composite(
    _ result: GraphQLResult, _ type: SchemaType, _ field: GraphQLField
  ) async throws -> JSONValue? {
    let source: any GraphQLObject
    switch result {
    case .object(let object): source = object
    case .value(.object(let members)): source = JSONSource(members: members, isSelected: false)
    case .selected(.object(let members)): source = JSONSource(members: members, isSelected: true)
    default:
      try fail(GraphQLError("The field \(field.name.quoted) is a \(type.name), but its value is not an object."), field)
      return nil
    }
    guard let concrete = concrete(type, source) else {
      let what =
        source.typeName.map { "is a \($0.quoted), which is none of the types of \(type.name.quoted)" }
        ?? "does not say which of the types of \(type.name.quoted) it is"
      try fail(GraphQLError("The value of \(field.name.quoted) \(what)."), field)
      return nil
    }
    // Ends also where a document was executed that was not checked.
    guard path.count <= 2 * GraphQLLimits.deepest else {
      try fail(GraphQLError("The response is nested too deeply.", code: "Limits"), field)
      return nil
    }
    let key = SelectionKey(field: ObjectIdentifier(field), type: ObjectIdentifier(concrete))
    let fields = selections[key] ?? field.selection(of: concrete)
    selections[key] = fields
    return try await object(source, fields).map(JSONValue.object)
  }

  private func concrete(_ type: SchemaType, _ source: any GraphQLObject) -> SchemaType? {
    if !type.isAbstract { return type }
    guard let name = source.typeName, request.schema.isPossible(name, for: type.name) else { return nil }
    return request.schema.type(name)
  }

  // MARK: Faults

  private mutating func step(_ field: GraphQLField) -> Bool {
    stepsLeft -= 1
    if stepsLeft >= 0 { return true }
    // Said once, however many fields are left.
    if stepsLeft == -1 {
      add(GraphQLError("The response has more than \(request.limits.steps) values.", code: "Limits"), field)
    }
    return false
  }

  private mutating func fail(_ error: any Error, _ field: GraphQLField) throws {
    if error is CancellationError, Task.isCancelled { throw error }
    if let error = error as? GraphQLError {
      add(error, field)
    } else {
      add(GraphQLError(String("\(error)".prefix(1_000))), field)
    }
  }

  private mutating func add(_ error: GraphQLError, _ field: GraphQLField) {
    if errors.isFull { return }
    var error = error
    if error.path == nil { error.path = path }
    if error.locations.isEmpty { error.locations = field.locations }
    errors.add(error)
  }
}
