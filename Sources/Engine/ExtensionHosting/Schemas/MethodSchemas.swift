public import ExtensionProtocol
public import JSON
public import JSONSchema

/// The schemas of some methods: in definitions that are named after them, `widget.performUpdate.params` and
/// `widget.performUpdate.result`, and those of the types that they share.
public struct MethodSchemas: Sendable {
  /// The methods in the order of their names.
  public private(set) var methods: [MethodSchema]
  /// What their schemas refer to.
  public let definitions: SchemaDefinitions

  /// Schemas that are known already.
  public init(_ methods: [MethodSchema], _ definitions: SchemaDefinitions) {
    self.methods = methods.sorted { $0.method < $1.method }
    self.definitions = definitions
  }

  /// Derives the schemas of the calls of the host and of extensions.
  ///
  /// - Throws: `internalError` when the schema of a type cannot be derived from its decoding.
  public init(calls: [HostCall], methods: [any RemoteMethod.Type]) throws(ExtensionError) {
    let tracer = SchemaTracer()
    var found: [MethodSchema] = []
    do {
      for call in calls where !found.contains(where: { $0.method == call.method }) {
        guard let types = call.types else { continue }
        var schema = try Self.define(call.method, .host, types, tracer)
        schema.deadline = call.deadline
        schema.since = call.since
        schema.isOptional = call.isOptional
        schema.transfers = call.transfers
        found.append(schema)
      }
      for type in methods {
        if let known = found.firstIndex(where: { $0.method == type.method }) {
          found[known].caller = .either
        } else {
          found.append(try Self.define(type.method, .extension, (type, type.resultType), tracer))
        }
      }
    } catch {
      throw ExtensionError(.internalError, "\(error)")
    }
    self.init(found, tracer.definitions)
  }

  private static func define(
    _ method: String, _ caller: MethodSchema.Caller, _ types: (params: any Codable.Type, result: (any Codable.Type)?),
    _ tracer: SchemaTracer
  ) throws -> MethodSchema {
    let stem = MethodSchema.stem(of: method)
    try tracer.define("\(stem).params", as: types.params)
    guard let result = types.result else {
      return MethodSchema(method, caller: caller, params: .reference("\(stem).params"), result: nil)
    }
    if String(reflecting: result).hasSuffix(".Result") {
      try tracer.define("\(stem).result", as: result)
    } else {
      tracer.define("\(stem).result", try tracer.schema(of: result))
    }
    return MethodSchema(
      method, caller: caller, params: .reference("\(stem).params"), result: .reference("\(stem).result"))
  }

  /// The schemas of a method.
  public subscript(method: String) -> MethodSchema? { methods.first { $0.method == method } }

  /// What a schema refers to, where it is nothing but a reference.
  public func resolved(_ schema: JSONSchema) -> JSONSchema {
    var schema = schema
    for _ in 0..<8 {
      guard let name = schema.reference, let next = definitions[name] else { break }
      schema = next
    }
    return schema
  }

  /// What is wrong with the params of a call; empty when nothing is, and for a method that is not among these.
  public func problems(ofParams params: JSONValue, of method: String) -> [SchemaCheck.Problem] {
    guard let schema = self[method]?.params else { return [] }
    return SchemaCheck(schema, definitions).problems(of: params, at: SchemaPath("params"))
  }

  /// What is wrong with the result of a call.
  public func problems(ofResult result: JSONValue, of method: String) -> [SchemaCheck.Problem] {
    guard let schema = self[method]?.result else { return [] }
    return SchemaCheck(schema, definitions).problems(of: result, at: SchemaPath("result"))
  }
}
