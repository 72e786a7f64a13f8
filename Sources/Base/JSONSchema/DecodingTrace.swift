import JSON

/// What a type asked for while it was decoded once.
final class DecodingTrace {
  /// What is asked of a decoder.
  enum Form { case members, elements, value }

  let type: any Decodable.Type
  let tracer: SchemaTracer
  /// The bounds of numbers, by their paths, as far as they are known.
  let bounds: [String: ClosedRange<Int>]
  /// Whether numbers are decoded as extreme ones, so that they show their bounds.
  let probes: Bool
  /// Where in the type this is: for containers in containers.
  let path: [any CodingKey]

  private(set) var form: Form?
  private var members: [JSONSchema.Member] = []
  private var required: [String] = []
  private var value: JSONSchema?
  /// The containers in members. Their schemas are derived at the end.
  private var nested: [(name: String, trace: DecodingTrace)] = []

  init(
    of type: any Decodable.Type, tracer: SchemaTracer, bounds: [String: ClosedRange<Int>], probes: Bool,
    path: [any CodingKey] = []
  ) {
    self.type = type
    self.tracer = tracer
    self.bounds = bounds
    self.probes = probes
    self.path = path
  }

  /// Records that the type is decoded from values of this form.
  func isDecoded(as form: Form) throws {
    if self.form == nil { self.form = form }
    guard self.form == form else { throw SchemaTracingError(type, "It is decoded from values of several forms.") }
  }

  /// The first time that a member is asked for counts.
  func note(_ name: String, _ schema: JSONSchema, isRequired: Bool) {
    if !members.contains(where: { $0.name == name }) { members.append(.init(name, schema)) }
    if isRequired, !required.contains(name) { required.append(name) }
  }

  /// What an element is, or the value itself.
  func note(_ schema: JSONSchema) throws {
    guard value == nil || value == schema else {
      throw SchemaTracingError(type, "Its elements are of several types.")
    }
    value = schema
  }

  func nest(_ name: String) -> DecodingTrace {
    let inner = DecodingTrace(of: type, tracer: tracer, bounds: bounds, probes: probes, path: path + [TraceKey(name)])
    nested.append((name, inner))
    note(name, .anything, isRequired: true)
    return inner
  }

  /// The value that a member, an element or the value itself is decoded as; noted with its schema.
  func sample<Value: Decodable>(_ type: Value.Type, _ name: String, note: (JSONSchema) throws -> Void) throws -> Value {
    let (schema, sample) = try tracer.trace(type)
    guard let probe = type as? any BoundsProbe.Type else {
      try note(schema)
      return sample
    }
    let range = bounds[(path.map(\.stringValue) + [name]).joined(separator: "/")]
    try note(range.map { schema.bounded(by: $0) } ?? schema)
    if let range { return probe.inside(range) as? Value ?? sample }
    return probes ? probe.outside as? Value ?? sample : sample
  }

  /// The raw values of the type's cases, where it lists them.
  var cases: [Any] { (type as? any CaseIterable.Type)?.rawValues ?? [] }

  /// What was asked for.
  func schema() throws -> JSONSchema {
    switch form {
    case nil: return .kind(.object)  // A structure without members asks for nothing.
    case .value: return value ?? .anything
    case .elements:
      return value.map { .array(of: $0) } ?? .kind(.array)
    case .members:
      var all = members
      for (name, trace) in nested {
        guard let index = all.firstIndex(where: { $0.name == name }) else { continue }
        all[index].schema = try trace.schema()
      }
      return .object(all, required: required)
    }
  }
}

/// A name as a coding key.
struct TraceKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }
  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { nil }
}

extension CaseIterable {
  fileprivate static var rawValues: [Any] { allCases.compactMap { ($0 as? any RawRepresentable)?.rawValue } }
}
