import JSON

/// A type that is decoded directly, without a definition of its own: plain values, and what consists of other types.
protocol ContainerOfTypes: Decodable {
  /// The schema of the type and a value of it.
  static func trace(_ tracer: SchemaTracer) throws -> (schema: JSONSchema, sample: any Decodable)
}

extension Optional: ContainerOfTypes where Wrapped: Decodable {
  static func trace(_ tracer: SchemaTracer) throws -> (schema: JSONSchema, sample: any Decodable) {
    (try tracer.reference(to: Wrapped.self).orNull, Wrapped?.none)
  }
}

extension Array: ContainerOfTypes where Element: Decodable {
  static func trace(_ tracer: SchemaTracer) throws -> (schema: JSONSchema, sample: any Decodable) {
    (.array(of: try tracer.reference(to: Element.self)), [Element]())
  }
}

extension Set: ContainerOfTypes where Element: Decodable {
  static func trace(_ tracer: SchemaTracer) throws -> (schema: JSONSchema, sample: any Decodable) {
    (.array(of: try tracer.reference(to: Element.self)), Set<Element>())
  }
}

extension Dictionary: ContainerOfTypes where Key: Decodable, Value: Decodable {
  static func trace(_ tracer: SchemaTracer) throws -> (schema: JSONSchema, sample: any Decodable) {
    guard Key.self == String.self else {
      throw SchemaTracingError(Self.self, "Its keys are not strings.")
    }
    return (.dictionary(of: try tracer.reference(to: Value.self)), [Key: Value]())
  }
}

extension SchemaTracer {
  /// What to write where a type is used that need not be there.
  func reference<Value: Decodable>(to type: Value.Type) throws -> JSONSchema {
    try circle(type) ?? trace(type).schema
  }
}

extension Bool: ContainerOfTypes {
  static func trace(_ tracer: SchemaTracer) -> (schema: JSONSchema, sample: any Decodable) { (.kind(.boolean), false) }
}

extension String: ContainerOfTypes {
  static func trace(_ tracer: SchemaTracer) -> (schema: JSONSchema, sample: any Decodable) { (.kind(.string), "") }
}

extension Double: ContainerOfTypes {
  static func trace(_ tracer: SchemaTracer) -> (schema: JSONSchema, sample: any Decodable) { (.kind(.number), 0.0) }
}

extension Float: ContainerOfTypes {
  static func trace(_ tracer: SchemaTracer) -> (schema: JSONSchema, sample: any Decodable) {
    (.kind(.number), Float(0))
  }
}

extension ContainerOfTypes where Self: FixedWidthInteger {
  /// Integers have the bounds of their type, where JSON's own exactness has not ended before.
  static func trace(_ tracer: SchemaTracer) -> (schema: JSONSchema, sample: any Decodable) {
    var schema = JSONSchema.kind(.integer)
    if !isSigned { schema.minimum = 0 }
    if bitWidth < 64 {
      schema.minimum = .integer(Int64(truncatingIfNeeded: min))
      schema.maximum = .integer(Int64(truncatingIfNeeded: max))
    }
    return (schema, Self.zero)
  }
}

extension Int: ContainerOfTypes {}
extension Int8: ContainerOfTypes {}
extension Int16: ContainerOfTypes {}
extension Int32: ContainerOfTypes {}
extension Int64: ContainerOfTypes {}
extension UInt: ContainerOfTypes {}
extension UInt8: ContainerOfTypes {}
extension UInt16: ContainerOfTypes {}
extension UInt32: ContainerOfTypes {}
extension UInt64: ContainerOfTypes {}
