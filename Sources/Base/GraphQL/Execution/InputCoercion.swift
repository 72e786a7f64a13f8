import JSON

/// Makes values for resolvers of values in documents and in variables.
enum InputCoercion {
  /// A value of a document as JSON, without a look at types; `nil` for a variable that has no value.
  static func json(_ value: ValueNode, variables: JSONObject?) -> JSONValue? {
    switch value.kind {
    case .variable(let name): return variables?[name]
    case .integer(let digits):
      return Int64(digits).map(JSONValue.integer) ?? UInt64(digits).map(JSONValue.unsigned) ?? number(digits)
    case .float(let digits): return number(digits)
    case .string(let text, _): return .string(text)
    case .boolean(let value): return .bool(value)
    case .null: return .null
    case .enumeration(let name): return .string(name)
    case .list(let values): return .array(values.map { json($0, variables: variables) ?? .null })
    case .object(let fields):
      var object = JSONObject()
      for field in fields { if let value = json(field.value, variables: variables) { object[field.name.text] = value } }
      return .object(object)
    }
  }

  /// Returns the digits as a double, or infinity when a double cannot hold them; scalars refuse infinity.
  private static func number(_ digits: String) -> JSONValue { .double(Double(digits) ?? .infinity) }

  /// A value of a document for a scalar.
  static func scalar(
    _ value: ValueNode, _ name: String, _ schema: GraphQLSchema, variables: JSONObject?
  ) throws(GraphQLError) -> JSONValue {
    if GraphQLScalar.builtIn[name] != nil {
      switch value.kind {
      case .enumeration(let word):
        throw GraphQLError(
          "The type \(name) wants a value, not the name \(word.shownInError).", fix: "Write it between quotes.")
      // However many digits it has.
      case .integer(let digits) where name == "ID": return .string(digits)
      default: break
      }
    } else if value.hasVariables, variables == nil {
      // The execution looks the variable's value up.
      return .null
    }
    guard let json = json(value, variables: variables) else { return .null }
    guard json.isFinite else { throw GraphQLError("This number is too large.") }
    return try schema.scalar(name).input(json)
  }

  /// A value of a checked document for a type; `nil` for a variable that has no value.
  ///
  /// - Parameter variables: with their types' values.
  static func value(
    _ value: ValueNode, _ type: TypeNode, _ schema: GraphQLSchema, variables: JSONObject
  ) throws(GraphQLError) -> JSONValue? {
    if case .variable(let name) = value.kind {
      guard let given = variables[name] else { return nil }
      if given.isNull, type.isNonNull { throw notNull("The variable $\(name.shownInError)") }
      return given
    }
    switch type {
    case .nonNull(let inner):
      if value.kind == .null { throw notNull("This value") }
      return try self.value(value, inner, schema, variables: variables)
    case _ where value.kind == .null: return .null
    case .list(let inner, _):
      guard case .list(let values) = value.kind else {
        return .array([try self.value(value, inner, schema, variables: variables) ?? .null])
      }
      var list: [JSONValue] = []
      for element in values {
        let item = try self.value(element, inner, schema, variables: variables)
        if item == nil, inner.isNonNull { throw notNull("An element of the list") }
        list.append(item ?? .null)
      }
      return .array(list)
    case .named(let name):
      guard let type = schema.type(name.text) else { return .null }
      if type.kind == .inputObject { return .object(try object(value, type, schema, variables)) }
      if case .enumeration(let word) = value.kind, type.kind == .enumeration { return .string(word) }
      return try scalar(value, name.text, schema, variables: variables)
    }
  }

  private static func object(
    _ value: ValueNode, _ type: SchemaType, _ schema: GraphQLSchema, _ variables: JSONObject
  ) throws(GraphQLError) -> JSONObject {
    guard case .object(let fields) = value.kind else {
      throw GraphQLError("The type \(type.name.quoted) wants an object, not \(value.words).")
    }
    var object = JSONObject()
    for field in fields {
      guard let definition = type.input(field.name.text) else { continue }
      if let value = try self.value(field.value, definition.type, schema, variables: variables) {
        object[field.name.text] = value
      }
    }
    try fill(&object, type.inputs, schema) { "The field \($0.name.text.quoted) of the type \(type.name.quoted)" }
    return object
  }

  /// Adds defaults.
  ///
  /// - Throws: for what is missing and required.
  private static func fill(
    _ object: inout JSONObject, _ inputs: [InputValueNode], _ schema: GraphQLSchema,
    _ words: (InputValueNode) -> String
  ) throws(GraphQLError) {
    for input in inputs where object[input.name.text] == nil {
      if let value = input.defaultValue {
        object[input.name.text] = try self.value(value, input.type, schema, variables: [:])
      } else if input.type.isNonNull {
        throw GraphQLError("\(words(input)) is missing.")
      }
    }
  }

  private static func notNull(_ what: String) -> GraphQLError { GraphQLError("\(what) cannot be null here.") }

  /// The arguments of a field or directive: those given, and the defaults of the others. What has neither is absent.
  static func arguments(
    _ nodes: [ArgumentNode], _ definitions: [InputValueNode], _ schema: GraphQLSchema, variables: JSONObject
  ) throws(GraphQLError) -> JSONObject {
    var object = JSONObject()
    for node in nodes {
      guard let definition = definitions.first(where: { $0.name.text == node.name.text }) else { continue }
      do throws(GraphQLError) {
        if let value = try value(node.value, definition.type, schema, variables: variables) {
          object[node.name.text] = value
        }
      } catch {
        var error = error
        error.message = "The argument \(node.name.text.quoted) is wrong: \(error.message)"
        throw error
      }
    }
    try fill(&object, definitions, schema) { "The argument \($0.name.text.quoted)" }
    return object
  }
}

extension JSONValue {
  /// Whether no number in it is infinite.
  var isFinite: Bool {
    switch self {
    case .double(let value): value.isFinite
    case .array(let values): values.allSatisfy(\.isFinite)
    case .object(let object): object.allSatisfy { $0.value.isFinite }
    default: true
    }
  }
}

extension ValueNode {
  var hasVariables: Bool {
    switch kind {
    case .variable: true
    case .list(let values): values.contains(where: \.hasVariables)
    case .object(let fields): fields.contains { $0.value.hasVariables }
    default: false
    }
  }
}
