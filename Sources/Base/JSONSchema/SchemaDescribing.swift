public import JSON

/// A type that states its schema itself, because its decoding does not show it: a type that is decoded from values of
/// several forms, for example.
public protocol SchemaDescribing: Decodable {
  /// The schema. A tracer gives the schemas of other types that it consists of.
  static func schema(_ tracer: SchemaTracer) throws -> JSONSchema
  /// A value of the type in its JSON form: a member of this type is decoded from it while the type around it is traced.
  static var schemaExample: JSONValue { get }
}

/// An error: a number lies outside of the bounds of its type. As the underlying error of a `DecodingError` it tells a
/// ``SchemaTracer`` the bounds.
public struct OutOfBounds: Error, Sendable, Hashable {
  /// The allowed numbers.
  public let range: ClosedRange<Int>
  /// - Parameter range: what is allowed.
  public init(_ range: ClosedRange<Int>) { self.range = range }
}

extension JSONValue: SchemaDescribing {
  /// Returns a schema that allows every value.
  public static func schema(_ tracer: SchemaTracer) -> JSONSchema { .anything }
  /// The example of a value: null.
  public static var schemaExample: JSONValue { .null }
}

extension JSONObject: SchemaDescribing {
  /// Returns a schema that allows every object.
  public static func schema(_ tracer: SchemaTracer) -> JSONSchema { .kind(.object) }
  /// An object without members.
  public static var schemaExample: JSONValue { [:] }
}
