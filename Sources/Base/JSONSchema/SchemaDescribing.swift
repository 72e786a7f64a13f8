public import JSON

/// A type whose schema cannot be told from how it is decoded, and which therefore says it itself: one that is decoded from
/// values of several forms, for example.
public protocol SchemaDescribing: Decodable {
  /// The schema. A tracer gives the schemas of other types that it consists of.
  static func schema(_ tracer: SchemaTracer) throws -> JSONSchema
  /// A value of the type in its JSON form: a member of this type is decoded from it while the type around it is traced.
  static var schemaExample: JSONValue { get }
}

/// A number is outside of the bounds that its type has. The error underneath a `DecodingError` tells a ``SchemaTracer``
/// which bounds they are.
public struct OutOfBounds: Error, Sendable, Hashable {
  /// What is allowed.
  public let range: ClosedRange<Int>
  /// - Parameter range: what is allowed.
  public init(_ range: ClosedRange<Int>) { self.range = range }
}

extension JSONValue: SchemaDescribing {
  /// Anything.
  public static func schema(_ tracer: SchemaTracer) -> JSONSchema { .anything }
  /// Null.
  public static var schemaExample: JSONValue { .null }
}

extension JSONObject: SchemaDescribing {
  /// Any object.
  public static func schema(_ tracer: SchemaTracer) -> JSONSchema { .kind(.object) }
  /// An object without members.
  public static var schemaExample: JSONValue { [:] }
}
