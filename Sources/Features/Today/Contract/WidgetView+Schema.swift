public import JSON
public import JSONSchema

/// A view is a text or an object, which its decoding does not show.
extension WidgetView: SchemaDescribing {
  /// A text, or an object with title, text and rows.
  public static func schema(_ tracer: SchemaTracer) throws -> JSONSchema {
    let rows = JSONSchema.array(of: try tracer.schema(of: Row.self))
    return .any(of: [
      .kind(.string),
      .object([
        .init("title", .kind(.string, .null)), .init("text", .kind(.string, .null)), .init("rows", rows.orNull),
      ]),
    ])
  }
  /// An empty text.
  public static var schemaExample: JSONValue { "" }
}
