import ExtensionProtocol
public import JSON
public import JSONSchema

/// An edit is told by the one member that it has, which its decoding does not show.
extension KeyboardEdit: SchemaDescribing {
  /// An object with one of the members of edits.
  public static func schema(_ tracer: SchemaTracer) throws -> JSONSchema {
    let number = try tracer.schema(of: Exact<Int>.self)
    var range = JSONSchema.array(of: try tracer.schema(of: NonNegative<Int>.self))
    (range.minItems, range.maxItems) = (2, 2)
    var schema = JSONSchema.kind(.object)
    schema.oneOf = [
      .object([.init("insertText", .kind(.string))], required: ["insertText"]),
      .object([.init("deleteBackward", number)], required: ["deleteBackward"]),
      .object([.init("adjust", number)], required: ["adjust"]),
      .object([.init("setMarked", .kind(.string)), .init("selectedRange", range.orNull)], required: ["setMarked"]),
      .object([.init("unmark", .anything)], required: ["unmark"]),
    ]
    return schema
  }
  /// The end of marked text.
  public static var schemaExample: JSONValue { ["unmark": true] }
}
