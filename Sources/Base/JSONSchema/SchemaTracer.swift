import JSON

/// Derives schemas from types, by decoding them with a decoder that records what each type asks for.
///
/// A schema demands what the decoding of the type demands, and nothing else. A member that is decoded “if present” may
/// be missing or null. Enumerations list their cases by `CaseIterable`. Numbers have the bounds at which their decoding
/// fails with ``OutOfBounds``. A type that is decoded in several ways states its schema itself (``SchemaDescribing``).
///
/// Structures and enumerations become definitions, named like their types without the module; each is traced once.
public final class SchemaTracer {
  /// The definitions so far.
  public private(set) var definitions = SchemaDefinitions()
  /// What is known of a type: what to write where it is used, and a value of it.
  private var known: [ObjectIdentifier: (schema: JSONSchema, sample: Any)] = [:]
  /// The types that are being traced, and the names of their definitions.
  private var pending: [ObjectIdentifier: String] = [:]
  private var owners: [String: ObjectIdentifier] = [:]

  /// A tracer that knows nothing yet.
  public init() {}

  /// What to write where a type is used: a reference, for a type that has a definition.
  ///
  /// - Throws: ``SchemaTracingError`` when the type has to say its schema itself.
  public func schema(of type: any Decodable.Type) throws -> JSONSchema { try traced(type).schema }

  /// Writes the schema of a type under a name; a type that has a definition of its own already is referred to.
  public func define(_ name: String, as type: any Decodable.Type) throws { try defineTraced(name, type) }

  /// Writes a schema under a name.
  public func define(_ name: String, _ schema: JSONSchema) { definitions[name] = schema }

  private func defineTraced<Value: Decodable>(_ name: String, _ type: Value.Type) throws {
    let isOwn = known[ObjectIdentifier(type)] == nil && !(type is any ContainerOfTypes.Type)
    if isOwn { owners[name] = ObjectIdentifier(type) }
    let schema = try trace(type, as: isOwn ? name : nil).schema
    if definitions[name] == nil || schema.reference != name { definitions[name] = schema }
  }

  private func traced<Value: Decodable>(_ type: Value.Type) throws -> (schema: JSONSchema, sample: Any) {
    let (schema, sample) = try trace(type)
    return (schema, sample)
  }

  /// The schema of a type and a value of it.
  func trace<Value: Decodable>(
    _ type: Value.Type, as name: String? = nil
  ) throws -> (schema: JSONSchema, sample: Value) {
    if let known = known[ObjectIdentifier(type)], let sample = known.sample as? Value { return (known.schema, sample) }
    if let container = type as? any ContainerOfTypes.Type {
      let (schema, sample) = try container.trace(self)
      guard let sample = sample as? Value else {
        throw SchemaTracingError(type, "It is not a container of its own type.")
      }
      return (schema, sample)
    }
    let name = name ?? self.name(of: type)
    guard pending[ObjectIdentifier(type)] == nil else {
      throw SchemaTracingError(type, "It contains itself without an end.")
    }
    pending[ObjectIdentifier(type)] = name
    defer { pending[ObjectIdentifier(type)] = nil }
    var (schema, sample) = try type is any SchemaDescribing.Type ? described(type) : decoded(type)
    if schema.isWorthAName {
      definitions[name] = schema
      owners[name] = ObjectIdentifier(type)
      schema = .reference(name)
    }
    known[ObjectIdentifier(type)] = (schema, sample)
    return (schema, sample)
  }

  /// A reference to a type that is being traced: it contains itself, in an array or where it may be missing.
  func circle(_ type: any Decodable.Type) -> JSONSchema? { pending[ObjectIdentifier(type)].map { .reference($0) } }

  // MARK: Two ways

  private func described<Value: Decodable>(_ type: Value.Type) throws -> (schema: JSONSchema, sample: Value) {
    guard let describing = type as? any SchemaDescribing.Type else { throw SchemaTracingError(type, "") }
    do {
      return (try describing.schema(self), try JSONCoding.decode(Value.self, from: describing.schemaExample))
    } catch let error as DecodingError {
      throw SchemaTracingError(type, "It is not decoded from its example: \(error)")
    }
  }

  /// Decodes a value as often as its bounded numbers make it necessary: each time one more of them is known.
  private func decoded<Value: Decodable>(_ type: Value.Type) throws -> (schema: JSONSchema, sample: Value) {
    var bounds: [String: ClosedRange<Int>] = [:]
    var probes = true
    while true {
      let trace = DecodingTrace(of: type, tracer: self, bounds: bounds, probes: probes)
      do {
        let sample = try Value(from: TracingDecoder(trace: trace))
        return (try trace.schema(), sample)
      } catch let error as DecodingError {
        if let (path, range) = error.outOfBounds, bounds.updateValue(range, forKey: path) == nil { continue }
        guard probes else {
          throw SchemaTracingError(type, "It cannot be decoded from the plainest values: \(error)")
        }
        // A number without bounds may have other rules, which the extreme values break.
        probes = false
      }
    }
  }

  // MARK: Names

  /// The type's name without its module, with a number when another type has it.
  private func name(of type: any Any.Type) -> String {
    let full = String(reflecting: type).split(separator: ".").dropFirst().filter { !$0.hasPrefix("(") }
    let plain = full.joined(separator: ".").map { $0.isLetter || $0.isNumber || $0 == "." ? $0 : "_" }
    let base = plain.isEmpty ? "Value" : String(plain)
    var name = base
    var number = 2
    while let owner = owners[name], owner != ObjectIdentifier(type) {
      name = "\(base)\(number)"
      number += 1
    }
    return name
  }
}

/// An error: no schema could be derived from a type.
public struct SchemaTracingError: Error, Sendable, CustomStringConvertible {
  /// The type and the reason, with what to do.
  public let description: String

  init(_ type: any Any.Type, _ reason: String) {
    description =
      "The schema of \(String(reflecting: type)) cannot be determined from how it is decoded. \(reason) "
      + "Make it conform to SchemaDescribing, or to CaseIterable where it is an enumeration."
  }
}

extension JSONSchema {
  /// Whether the schema of a type is to stand under a name of its own.
  fileprivate var isWorthAName: Bool {
    summary != nil || values != nil || !anyOf.isEmpty || !oneOf.isEmpty || !members.isEmpty
  }
}

extension DecodingError {
  /// The number that a sample lies outside of, and where it is.
  fileprivate var outOfBounds: (path: String, range: ClosedRange<Int>)? {
    guard case .dataCorrupted(let context) = self, let error = context.underlyingError as? OutOfBounds else {
      return nil
    }
    return (context.codingPath.map(\.stringValue).joined(separator: "/"), error.range)
  }
}
