public import JSON

/// Checks values against a schema.
///
/// The work and what it says are bounded, whatever the schema and the value are.
public struct SchemaCheck: Sendable {
  /// What is wrong with a value, and where.
  public struct Problem: Sendable, Hashable, CustomStringConvertible {
    /// The place of the value.
    public let path: SchemaPath
    /// What is wrong, one sentence.
    public let message: String

    /// The path and the sentence.
    public var description: String { path.isRoot ? message : "\(path): \(message)" }
  }

  /// What values have to be.
  public let schema: JSONSchema
  /// What the schema refers to.
  public let definitions: SchemaDefinitions

  /// The largest number of problems in one report.
  fileprivate static let mostProblems = 20

  /// A check; the parameters are as the properties say.
  public init(_ schema: JSONSchema, _ definitions: SchemaDefinitions = SchemaDefinitions()) {
    self.schema = schema
    self.definitions = definitions
  }

  /// What is wrong with a value; empty when the schema allows it.
  ///
  /// - Parameter path: what the value is called: `params`.
  public func problems(of value: JSONValue, at path: SchemaPath = .root) -> [Problem] {
    var run = Run(definitions: definitions)
    let problems = run.problems(of: value, schema, path, depth: 0)
    return Array(problems.prefix(Self.mostProblems))
  }

  /// Whether the schema allows a value.
  public func allows(_ value: JSONValue) -> Bool { problems(of: value).isEmpty }
}

/// One check of one value.
private struct Run {
  private static let deepest = 200
  private static let longest = 400_000

  let definitions: SchemaDefinitions
  private var steps = 0

  init(definitions: SchemaDefinitions) { self.definitions = definitions }

  mutating func problems(
    of value: JSONValue, _ schema: JSONSchema, _ path: SchemaPath, depth: Int
  ) -> [SchemaCheck.Problem] {
    steps += 1
    guard depth <= Self.deepest, steps <= Self.longest else {
      return [.init(path: path, message: "The schema leads to more work than a check may take.")]
    }
    if schema.isNothing { return [.init(path: path, message: "Nothing is allowed here.")] }
    if !schema.kinds.isEmpty, !schema.kinds.contains(where: value.isOf) {
      return [.init(path: path, message: "The value is \(value.kind), not \(schema.kinds.inWords).")]
    }
    var found = plainProblems(of: value, schema, path)
    if let name = schema.reference {
      if let target = definitions[name] {
        found += problems(of: value, target, path, depth: depth + 1)
      } else {
        found.append(.init(path: path, message: "The schema refers to “\(name.prefix(80))”, which is not there."))
      }
    }
    switch value {
    case .object(let object): found += memberProblems(of: object, schema, path, depth: depth)
    case .array(let elements): found += elementProblems(of: elements, schema, path, depth: depth)
    default: break
    }
    if !schema.anyOf.isEmpty { found += alternatives(value, schema.anyOf, path, depth: depth, exactlyOne: false) }
    if !schema.oneOf.isEmpty { found += alternatives(value, schema.oneOf, path, depth: depth, exactlyOne: true) }
    return found
  }

  /// What needs no other schema.
  private func plainProblems(of value: JSONValue, _ schema: JSONSchema, _ path: SchemaPath) -> [SchemaCheck.Problem] {
    var messages: [String] = []
    if let values = schema.values, !values.contains(where: { $0.isSame(as: value) }) {
      messages.append("The value is not one of \(values.prefix(20).map(\.quoted).joined(separator: ", ")).")
    }
    if value.doubleValue != nil {
      if let minimum = schema.minimum, minimum.isAbove(value) {
        messages.append("\(value.quoted) is below \(minimum).")
      }
      if let maximum = schema.maximum, value.isAbove(maximum) {
        messages.append("\(value.quoted) is above \(maximum).")
      }
    }
    if case .string(let text) = value, schema.minLength != nil || schema.maxLength != nil {
      let count = text.unicodeScalars.count
      if count < schema.minLength ?? 0 { messages.append("The text is shorter than \(schema.minLength ?? 0).") }
      if count > schema.maxLength ?? .max { messages.append("The text is longer than \(schema.maxLength ?? .max).") }
    }
    return messages.map { SchemaCheck.Problem(path: path, message: $0) }
  }

  private mutating func memberProblems(
    of object: JSONObject, _ schema: JSONSchema, _ path: SchemaPath, depth: Int
  ) -> [SchemaCheck.Problem] {
    var found: [SchemaCheck.Problem] = []
    for name in schema.required where object[name] == nil {
      found.append(.init(path: path.appending(name), message: "The member is missing."))
    }
    for member in schema.members where found.count < SchemaCheck.mostProblems {
      guard let value = object[member.name] else { continue }
      found += problems(of: value, member.schema, path.appending(member.name), depth: depth + 1)
    }
    if schema.additional == .anything { return found }
    // By bytes, as the names of the object are.
    let known = JSONObject(schema.members.map { ($0.name, JSONValue.null) })
    for (name, value) in object where known[name] == nil && found.count < SchemaCheck.mostProblems {
      switch schema.additional {
      case .anything: break
      case .none: found.append(.init(path: path.appending(name), message: "There is no such member."))
      case .values(let inner): found += problems(of: value, inner, path.appending(name), depth: depth + 1)
      }
    }
    return found
  }

  private mutating func elementProblems(
    of elements: [JSONValue], _ schema: JSONSchema, _ path: SchemaPath, depth: Int
  ) -> [SchemaCheck.Problem] {
    var found: [SchemaCheck.Problem] = []
    if elements.count < schema.minItems ?? 0 {
      found.append(.init(path: path, message: "The array has fewer than \(schema.minItems ?? 0) elements."))
    }
    if elements.count > schema.maxItems ?? .max {
      found.append(.init(path: path, message: "The array has more than \(schema.maxItems ?? .max) elements."))
    }
    guard let items = schema.items.first else { return found }
    for (index, element) in elements.enumerated() where found.count < SchemaCheck.mostProblems {
      found += problems(of: element, items, path.appending(index), depth: depth + 1)
    }
    return found
  }

  private mutating func alternatives(
    _ value: JSONValue, _ schemas: [JSONSchema], _ path: SchemaPath, depth: Int, exactlyOne: Bool
  ) -> [SchemaCheck.Problem] {
    var closest: [SchemaCheck.Problem]?
    var matches = 0
    for schema in schemas {
      let found = problems(of: value, schema, path, depth: depth + 1)
      if found.isEmpty {
        matches += 1
        if !exactlyOne { return [] }
      } else if found.contains(where: { $0.path != path }) || schemas.count == 1 {
        // The kind was right: what is wrong lies deeper.
        closest = closest.map { $0.count <= found.count ? $0 : found } ?? found
      }
    }
    if matches == 1 { return [] }
    if matches > 1 { return [.init(path: path, message: "The value is of several forms, where one is allowed.")] }
    return closest ?? [.init(path: path, message: "The value has none of the forms that are allowed.")]
  }
}

extension [JSONSchema.Kind] {
  /// “a string or null”
  fileprivate var inWords: String {
    let words = map { kind in
      switch kind {
      case .null: "null"
      case .integer: "an integer"
      case .array: "an array"
      case .object: "an object"
      default: "a \(kind.rawValue)"
      }
    }
    return words.joined(separator: " or ")
  }
}
