/// JSON text from values and values from JSON text: for messages, files and tools alike.
package enum JSONCoding {
  /// Any value from JSON text.
  package static func parse(
    _ bytes: UnsafeRawBufferPointer, maximumDepth: Int = JSONReader.defaultMaximumDepth
  ) throws(JSONError) -> JSONValue {
    var reader = unsafe JSONReader(bytes, maximumDepth: maximumDepth)
    try reader.refuseByteOrderMark()
    let value = try reader.value()
    try reader.finish()
    return value
  }

  /// Parses bytes as one JSON value.
  ///
  /// - Throws: ``JSONError`` with the offset of the first fault.
  package static func parse(
    _ bytes: [UInt8], maximumDepth: Int = JSONReader.defaultMaximumDepth
  ) throws(JSONError) -> JSONValue {
    try unsafe withRawBytes(bytes) { bytes throws(JSONError) in try unsafe parse(bytes, maximumDepth: maximumDepth) }
  }

  /// Parses a text as one JSON value.
  ///
  /// - Throws: ``JSONError`` with the offset of the first fault.
  package static func parse(
    _ text: String, maximumDepth: Int = JSONReader.defaultMaximumDepth
  ) throws(JSONError) -> JSONValue {
    try parse(Array(text.utf8), maximumDepth: maximumDepth)
  }

  /// A typed value from JSON text.
  ///
  /// - Throws: `JSONError` when the text is no JSON, `DecodingError` with the coding path when it is another shape.
  package static func decode<Value: Decodable>(
    _ type: Value.Type, from bytes: UnsafeRawBufferPointer, maximumDepth: Int = JSONReader.defaultMaximumDepth
  ) throws -> Value {
    var values = 0
    return try unsafe decode(type, from: bytes, maximumDepth: maximumDepth, counting: &values)
  }

  /// As ``decode(_:from:maximumDepth:)``.
  ///
  /// - Parameter values: how many values, members' names among them, the text is made of; as it was when it is no JSON.
  package static func decode<Value: Decodable>(
    _ type: Value.Type, from bytes: UnsafeRawBufferPointer, maximumDepth: Int, counting values: inout Int
  ) throws -> Value {
    let storage = try unsafe TapeStorage(bytes, maximumDepth: maximumDepth)
    defer { if storage.values > 0 { values = storage.values } }
    return try storage.decodeRoot(type)
  }

  /// Decodes a value from bytes of JSON.
  ///
  /// - Throws: ``JSONError`` for bytes that are not JSON, `DecodingError` for a value that does not fit.
  package static func decode<Value: Decodable>(
    _ type: Value.Type, from bytes: [UInt8], maximumDepth: Int = JSONReader.defaultMaximumDepth
  ) throws -> Value {
    try unsafe bytes.withUnsafeBytes { try unsafe decode(type, from: $0, maximumDepth: maximumDepth) }
  }

  /// A typed value from a value of any kind.
  package static func decode<Value: Decodable>(_ type: Value.Type, from value: JSONValue) throws -> Value {
    var writer = JSONWriter()
    writer.value(value)
    return try unsafe writer.withBytes { try unsafe decode(type, from: $0, maximumDepth: .max) }
  }

  /// Appends a value to `writer`.
  ///
  /// - Throws: `EncodingError` for NaN and infinities, and what the value's `encode(to:)` throws.
  package static func encode<Value: Encodable>(_ value: Value, to writer: inout JSONWriter) throws {
    try EncodingState.encodeRoot(value, to: &writer)
  }

  /// The compact JSON text of a value.
  package static func encode<Value: Encodable>(_ value: Value) throws -> [UInt8] {
    var writer = JSONWriter()
    try encode(value, to: &writer)
    return unsafe writer.withBytes { unsafe [UInt8]($0) }
  }

  /// Any encodable value as a value of any kind.
  package static func value(of value: some Encodable) throws -> JSONValue {
    if let value = value as? JSONValue { return value }
    return try parse(encode(value), maximumDepth: .max)
  }

  /// Returns the compact JSON text of a value.
  package static func text(of value: JSONValue) -> String {
    var writer = JSONWriter()
    writer.value(value)
    return unsafe writer.withBytes { unsafe String(decoding: $0, as: UTF8.self) }
  }

  /// The text for people: two spaces a level, no line break at the end.
  package static func prettyText(of value: JSONValue, sortsKeys: Bool = false) -> String {
    var writer = JSONWriter()
    writer.pretty(value, sortsKeys: sortsKeys)
    return unsafe writer.withBytes { unsafe String(decoding: $0, as: UTF8.self) }
  }

  static func nonFinite(_ value: Any) -> EncodingError {
    .invalidValue(value, .init(codingPath: [], debugDescription: "JSON has no NaN and no infinities."))
  }
}

extension JSONValue {
  /// Any value from JSON text.
  public init(parsing text: String) throws(JSONError) { self = try JSONCoding.parse(text) }
}

/// The bytes of an array with typed throws.
private func withRawBytes<Result>(
  _ bytes: [UInt8], _ body: (UnsafeRawBufferPointer) throws(JSONError) -> Result
) throws(JSONError) -> Result {
  let outcome: Swift.Result<Result, JSONError> = unsafe bytes.withUnsafeBytes { pointer in
    do throws(JSONError) { return .success(try unsafe body(pointer)) } catch { return .failure(error) }
  }
  return try outcome.get()
}

extension DecodingError {
  /// The coding path as `a.b[2].c`, and what is wrong there.
  package var pathAndDescription: (path: String, description: String) {
    let context: Context
    let path: [any CodingKey]
    switch self {
    case .typeMismatch(_, let found), .valueNotFound(_, let found), .dataCorrupted(let found):
      context = found
      path = found.codingPath
    case .keyNotFound(let key, let found):
      context = found
      path = found.codingPath + [key]
    @unknown default: return ("", "\(self)")
    }
    var text = ""
    for key in path {
      if let index = key.intValue, !(key.stringValue == "\(index)") {
        text += "[\(index)]"
      } else {
        text += text.isEmpty ? key.stringValue : ".\(key.stringValue)"
      }
    }
    return (text, context.debugDescription)
  }
}
