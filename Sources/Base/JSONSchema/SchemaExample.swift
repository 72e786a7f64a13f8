package import JSON

/// The plainest value that a schema allows: objects have the members that are required and no others, arrays as few elements
/// as they may, numbers are as near to zero as their bounds let them, and texts are a word.
package struct SchemaExample: Sendable {
  /// What schemas refer to.
  private let definitions: SchemaDefinitions

  private static let deepest = 32
  private static let longest = 10_000
  private static let word = "conformance"

  /// Makes examples of schemas that refer to these definitions.
  package init(_ definitions: SchemaDefinitions) { self.definitions = definitions }

  /// An example.
  ///
  /// - Returns: `nil` when the schema allows nothing, or only what takes more thought.
  package func value(of schema: JSONSchema) -> JSONValue? {
    var steps = 0
    guard let value = value(of: schema, depth: 0, &steps), SchemaCheck(schema, definitions).allows(value) else {
      return nil
    }
    return value
  }

  /// The kinds of values that a schema allows.
  ///
  /// - Returns: `nil` when it allows every kind.
  package func kinds(of schema: JSONSchema) -> Set<JSONSchema.Kind>? {
    var steps = 0
    return kinds(of: schema, depth: 0, &steps)
  }

  private func value(of schema: JSONSchema, depth: Int, _ steps: inout Int) -> JSONValue? {
    steps += 1
    guard depth <= Self.deepest, steps <= Self.longest, !schema.isNothing else { return nil }
    if let first = schema.values?.first { return first }
    if let name = schema.reference {
      return definitions[name].flatMap { value(of: $0, depth: depth + 1, &steps) }
    }
    for choice in schema.anyOf.isEmpty ? schema.oneOf : schema.anyOf {
      guard let found = value(of: choice, depth: depth + 1, &steps) else { continue }
      // The alternatives of an object are about some of its members.
      guard case .object(let object) = found, schema.kinds.contains(.object) else { return found }
      guard case .object(var whole) = members(of: schema, depth: depth, &steps) else { continue }
      for (name, value) in object { whole[name] = value }
      return .object(whole)
    }
    let isAboutMembers = !schema.required.isEmpty || !schema.members.isEmpty
    switch schema.kinds.first ?? (isAboutMembers ? .object : nil) {
    case .null: return .null
    case .boolean: return false
    case .integer, .number: return number(in: schema)
    case .string, nil: return .string(text(of: schema))
    case .array: return elements(of: schema, depth: depth, &steps)
    case .object: return members(of: schema, depth: depth, &steps)
    }
  }

  private func number(in schema: JSONSchema) -> JSONValue {
    if let minimum = schema.minimum, minimum.doubleValue ?? 0 > 0 { return minimum }
    if let maximum = schema.maximum, maximum.doubleValue ?? 0 < 0 { return maximum }
    return 0
  }

  private func text(of schema: JSONSchema) -> String {
    let longest = max(0, schema.maxLength ?? .max)
    let shortest = min(max(0, schema.minLength ?? 0), 1 << 16)
    let word = String(Self.word.prefix(longest))
    return word + String(repeating: "e", count: max(0, shortest - word.count))
  }

  private func elements(of schema: JSONSchema, depth: Int, _ steps: inout Int) -> JSONValue? {
    guard let count = schema.minItems, count > 0 else { return .array([]) }
    guard count <= Self.longest,
      let element = value(of: schema.items.first ?? .anything, depth: depth + 1, &steps)
    else { return nil }
    return .array(Array(repeating: element, count: count))
  }

  private func members(of schema: JSONSchema, depth: Int, _ steps: inout Int) -> JSONValue? {
    var object = JSONObject()
    for name in schema.required {
      let member = schema.members.first { $0.name == name }?.schema ?? .anything
      guard let value = value(of: member, depth: depth + 1, &steps) else { return nil }
      object[name] = value
    }
    return .object(object)
  }

  private func kinds(of schema: JSONSchema, depth: Int, _ steps: inout Int) -> Set<JSONSchema.Kind>? {
    steps += 1
    guard depth <= Self.deepest, steps <= Self.longest else { return nil }
    if !schema.kinds.isEmpty { return Set(schema.kinds) }
    if let values = schema.values { return Set(values.map(\.schemaKind)) }
    if let name = schema.reference { return definitions[name].flatMap { kinds(of: $0, depth: depth + 1, &steps) } }
    let choices = schema.anyOf.isEmpty ? schema.oneOf : schema.anyOf
    guard !choices.isEmpty else { return nil }
    var all: Set<JSONSchema.Kind> = []
    for choice in choices {
      guard let some = kinds(of: choice, depth: depth + 1, &steps) else { return nil }
      all.formUnion(some)
    }
    return all
  }
}

extension JSONValue {
  /// The kind of the value.
  fileprivate var schemaKind: JSONSchema.Kind {
    switch self {
    case .null: .null
    case .bool: .boolean
    case .integer, .unsigned: .integer
    case .double: .number
    case .string: .string
    case .array: .array
    case .object: .object
    }
  }
}
