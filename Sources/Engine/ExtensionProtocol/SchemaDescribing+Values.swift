public import JSON
public import JSONSchema
public import PropertyList

/// A bounded number that is no member: an element of an array, for example.
extension Bounded: SchemaDescribing {
  /// The number's schema with the bounds.
  public static func schema(_ tracer: SchemaTracer) throws -> JSONSchema {
    try tracer.schema(of: Value.self).bounded(by: Bounds.range)
  }
  /// The number nearest to zero that is allowed.
  public static var schemaExample: JSONValue {
    .integer(Int64(min(max(0, Bounds.range.lowerBound), Bounds.range.upperBound)))
  }
}

extension PropertyListValue: SchemaDescribing {
  /// Any value but null; the values of a dictionary may not be null either. Data and dates are objects of one member,
  /// `$data` and `$date`.
  public static func schema(_ tracer: SchemaTracer) -> JSONSchema {
    var schema = JSONSchema.kind(.boolean, .number, .string, .array, .object)
    let value = JSONSchema.reference("PropertyListValue")
    schema.summary = "A value of a property list: data is {\"$data\": base64}, a date {\"$date\": seconds since 1970}."
    schema.items = [value]
    schema.additional = .values(value)
    return schema
  }
  /// An empty text as an example.
  public static var schemaExample: JSONValue { "" }
}

extension PointVersion: SchemaDescribing {
  /// A text of two numbers.
  public static func schema(_ tracer: SchemaTracer) throws -> JSONSchema {
    var schema = JSONSchema.kind(.string)
    schema.summary = "The version of an extension point: two whole numbers joined by a dot, as in 1.2."
    schema.minLength = 3
    schema.maxLength = 13
    return schema
  }
  /// The first version as an example.
  public static var schemaExample: JSONValue { "1.0" }
}
