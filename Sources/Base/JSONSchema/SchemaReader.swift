public import JSON

extension JSONSchema {
  /// Reads a schema from JSON, which may come from another party.
  ///
  /// - Parameters:
  ///   - json: the schema.
  ///   - path: the place of the schema, for the error.
  /// - Throws: `SchemaError` for the first keyword that this part of JSON Schema lacks or whose value has the wrong
  ///   form, and for a schema that is too deep or too large.
  public init(_ json: JSONValue, at path: SchemaPath = .root) throws(SchemaError) {
    var reader = SchemaReader()
    self = try reader.read(json, path, depth: 0)
  }
}

extension SchemaDefinitions {
  /// Reads the value of `$defs`.
  ///
  /// - Throws: as `JSONSchema.init`; a reference of one of the schemas that leads nowhere.
  public init(_ json: JSONValue, at path: SchemaPath = .root) throws(SchemaError) {
    guard let object = json.objectValue else {
      throw SchemaError(path, "$defs is \(json.kind), not an object.", recovery: "Write an object of schemas by name.")
    }
    var reader = SchemaReader()
    self.init()
    for (name, schema) in object { named[name] = try reader.read(schema, path.appending(name), depth: 0) }
    for (name, schema) in named.sorted(by: { $0.key < $1.key }) {
      try requireReferences(of: schema, at: path.appending(name))
    }
  }

  /// Checks that what a schema refers to is there.
  public func requireReferences(of schema: JSONSchema, at path: SchemaPath) throws(SchemaError) {
    if let name = schema.reference, named[name] == nil {
      throw SchemaError(
        path.appending("$ref"), "There is no definition of “\(name.prefix(80))”.", recovery: "Add it under $defs.")
    }
    for (step, inner) in schema.inner { try requireReferences(of: inner, at: path.appending(step)) }
  }
}

extension JSONSchema {
  /// The schemas in this one.
  fileprivate var inner: [(String, JSONSchema)] {
    var all = members.map { ("properties", $0.schema) }
    if case .values(let schema) = additional { all.append(("additionalProperties", schema)) }
    all += items.map { ("items", $0) }
    all += anyOf.map { ("anyOf", $0) }
    all += oneOf.map { ("oneOf", $0) }
    return all
  }
}

/// Reads schemas with one budget.
private struct SchemaReader {
  private static let deepest = 48
  /// Schemas, names and values together.
  private static let most = 20_000
  /// Keywords that decide nothing.
  private static let annotations: Set<String> = [
    "$schema", "$id", "$comment", "$defs", "title", "default", "examples", "deprecated", "readOnly", "writeOnly",
  ]

  private var count = 0

  private mutating func spend(_ amount: Int, _ path: SchemaPath) throws(SchemaError) {
    count += amount
    guard count <= Self.most else {
      throw SchemaError(path, "The schema is too large.", recovery: "Keep it below \(Self.most) values.")
    }
  }

  mutating func read(_ json: JSONValue, _ path: SchemaPath, depth: Int) throws(SchemaError) -> JSONSchema {
    try spend(1, path)
    guard depth <= Self.deepest else {
      throw SchemaError(path, "The schema is deeper than \(Self.deepest).", recovery: "Name its parts under $defs.")
    }
    if let isAnything = json.boolValue {
      var schema = JSONSchema()
      schema.isNothing = !isAnything
      return schema
    }
    guard let object = json.objectValue else {
      throw SchemaError(path, "A schema is an object or a boolean, not \(json.kind).")
    }
    var schema = JSONSchema()
    for (keyword, value) in object {
      try spend(1, path)
      try read(keyword, value, into: &schema, path.appending(keyword), depth: depth)
    }
    if object["enum"] != nil, object["const"] != nil {
      throw SchemaError(path, "A schema has enum or const, not both.", recovery: "Keep one.")
    }
    try checkBounds(schema, path)
    return schema
  }

  private mutating func read(
    _ keyword: String, _ value: JSONValue, into schema: inout JSONSchema, _ path: SchemaPath, depth: Int
  ) throws(SchemaError) {
    switch keyword {
    case "description": schema.summary = try text(value, path)
    case "$ref":
      guard let name = JSONSchema.name(of: try text(value, path)) else {
        throw SchemaError(path, "A reference is not to a definition of this document.", recovery: "Write #/$defs/NAME.")
      }
      schema.reference = name
    case "type": schema.kinds = try kinds(value, path)
    case "const": schema.values = [value]
    case "enum": schema.values = try array(value, path)
    case "properties":
      for (name, member) in try object(value, path) {
        schema.members.append(.init(name, try read(member, path.appending(name), depth: depth + 1)))
      }
    case "required": for name in try array(value, path) { schema.required.append(try text(name, path)) }
    case "additionalProperties":
      let inner = try read(value, path, depth: depth + 1)
      schema.additional = inner.isNothing ? .none : inner == .anything ? .anything : .values(inner)
    case "items": schema.items = [try read(value, path, depth: depth + 1)]
    case "minimum": schema.minimum = try number(value, path)
    case "maximum": schema.maximum = try number(value, path)
    case "minLength": schema.minLength = try length(value, path)
    case "maxLength": schema.maxLength = try length(value, path)
    case "minItems": schema.minItems = try length(value, path)
    case "maxItems": schema.maxItems = try length(value, path)
    case "anyOf": schema.anyOf = try schemas(value, path, depth: depth)
    case "oneOf": schema.oneOf = try schemas(value, path, depth: depth)
    case _ where Self.annotations.contains(keyword) || keyword.hasPrefix("x-"): break
    default: throw SchemaError(path, "This host does not know the keyword “\(keyword.prefix(80))”.")
    }
  }

  private func checkBounds(_ schema: JSONSchema, _ path: SchemaPath) throws(SchemaError) {
    let isEmpty =
      zip(schema.minimum.map { [$0] } ?? [], schema.maximum.map { [$0] } ?? []).contains { $0.isAbove($1) }
      || (schema.minLength ?? 0) > (schema.maxLength ?? .max) || (schema.minItems ?? 0) > (schema.maxItems ?? .max)
    if isEmpty { throw SchemaError(path, "The least is more than the most.", recovery: "Swap the two.") }
  }

  // MARK: Values of keywords

  private func text(_ value: JSONValue, _ path: SchemaPath) throws(SchemaError) -> String {
    if let text = value.stringValue { return text }
    throw wrong(value, "a string", path)
  }

  private mutating func array(_ value: JSONValue, _ path: SchemaPath) throws(SchemaError) -> [JSONValue] {
    guard let array = value.arrayValue else { throw wrong(value, "an array", path) }
    try spend(array.count, path)
    return array
  }

  private mutating func object(_ value: JSONValue, _ path: SchemaPath) throws(SchemaError) -> JSONObject {
    guard let object = value.objectValue else { throw wrong(value, "an object", path) }
    return object
  }

  private func number(_ value: JSONValue, _ path: SchemaPath) throws(SchemaError) -> JSONValue {
    if value.doubleValue != nil { return value }
    throw wrong(value, "a number", path)
  }

  private func length(_ value: JSONValue, _ path: SchemaPath) throws(SchemaError) -> Int {
    guard let length = value.integerValue, length >= 0, length <= 1 << 40 else {
      throw wrong(value, "a length", path)
    }
    return Int(length)
  }

  private mutating func schemas(
    _ value: JSONValue, _ path: SchemaPath, depth: Int
  ) throws(SchemaError) -> [JSONSchema] {
    var schemas: [JSONSchema] = []
    for (index, schema) in try array(value, path).enumerated() {
      schemas.append(try read(schema, path.appending(index), depth: depth + 1))
    }
    if schemas.isEmpty { throw SchemaError(path, "The list is empty, so nothing is allowed.") }
    return schemas
  }

  private mutating func kinds(_ value: JSONValue, _ path: SchemaPath) throws(SchemaError) -> [JSONSchema.Kind] {
    let names = value.stringValue != nil ? [value] : try array(value, path)
    var kinds: [JSONSchema.Kind] = []
    for name in names {
      guard let kind = JSONSchema.Kind(rawValue: try text(name, path)) else {
        throw SchemaError(
          path, "“\(try text(name, path).prefix(80))” is not a type.",
          recovery: "Use \(JSONSchema.Kind.allCases.map(\.rawValue).joined(separator: ", ")).")
      }
      kinds.append(kind)
    }
    if kinds.isEmpty { throw SchemaError(path, "The list is empty, so nothing is allowed.") }
    return kinds
  }

  private func wrong(_ value: JSONValue, _ wanted: String, _ path: SchemaPath) -> SchemaError {
    SchemaError(path, "The value is \(value.kind), not \(wanted).", recovery: "Write \(wanted).")
  }
}
