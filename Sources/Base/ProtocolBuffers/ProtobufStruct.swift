package import JSON

/// `google.protobuf.Struct`, which carries JSON. Its numbers are doubles.
///
/// Source: https://github.com/protocolbuffers/protobuf/blob/main/src/google/protobuf/struct.proto.
package enum ProtobufStruct {
  /// What one value may hold.
  package struct Limits: Sendable {
    /// The most values within one another.
    package var depth = 100
    /// The most values in all.
    package var values = 100_000

    /// Creates the default limits.
    package init() {}
  }

  /// Reads a Struct.
  ///
  /// - Parameter bytes: the message. One that was sent in parts is the parts behind one another.
  /// - Throws: for what is none, for a number that JSON does not have, and beyond the limits.
  package static func object(
    _ bytes: ArraySlice<UInt8>, limits: Limits = Limits()
  ) throws(ProtobufError) -> JSONObject {
    var reading = Reading(limits: limits)
    return try reading.object(bytes, depth: 1)
  }

  // MARK: Writing

  /// Writes the fields of a Struct into its message.
  package static func write(_ object: JSONObject, to writer: inout ProtobufWriter) {
    for (name, value) in object.reversed() {
      writer.message(field: 1) { entry in
        entry.message(field: 2) { write(value, to: &$0) }
        entry.text(name, field: 1)
      }
    }
  }

  /// Writes the fields of a ListValue into its message.
  package static func write(_ list: [JSONValue], to writer: inout ProtobufWriter) {
    for value in list.reversed() { writer.message(field: 1) { write(value, to: &$0) } }
  }

  /// The fields of a Value.
  private static func write(_ value: JSONValue, to writer: inout ProtobufWriter) {
    switch value {
    case .null: writer.varint(0, field: 1)
    case .integer(let number): writer.double(Double(number), field: 2)
    case .unsigned(let number): writer.double(Double(number), field: 2)
    case .double(let number): writer.double(number, field: 2)
    case .string(let text): writer.text(text, field: 3)
    case .bool(let flag): writer.varint(flag ? 1 : 0, field: 4)
    case .object(let object): writer.message(field: 5) { write(object, to: &$0) }
    case .array(let values): writer.message(field: 6) { write(values, to: &$0) }
    }
  }

  // MARK: Reading

  private struct Reading {
    let limits: Limits
    var count = 0

    mutating func object(_ bytes: ArraySlice<UInt8>, depth: Int) throws(ProtobufError) -> JSONObject {
      guard depth <= limits.depth else { throw ProtobufError("The values are nested too deeply.") }
      var object = JSONObject()
      var reader = ProtobufReader(bytes)
      while let field = try reader.next() {
        guard field.number == 1 else { continue }
        var (name, value) = ("", JSONValue.null)
        var entry = ProtobufReader(try field.bytes())
        try countOne()
        while let part = try entry.next() {
          switch part.number {
          case 1: name = try part.text()
          case 2: value = try self.value(try part.bytes(), depth: depth + 1)
          default: break
          }
        }
        object[name] = value
      }
      return object
    }

    private mutating func value(_ bytes: ArraySlice<UInt8>, depth: Int) throws(ProtobufError) -> JSONValue {
      guard depth <= limits.depth else { throw ProtobufError("The values are nested too deeply.") }
      // A value without any kind is taken for null, as the last kind counts of several.
      var value = JSONValue.null
      var reader = ProtobufReader(bytes)
      while let field = try reader.next() {
        switch (field.number, field.value) {
        case (1, .varint): value = .null
        case (2, .fixed64(let bits)): value = try Self.number(Double(bitPattern: bits))
        case (3, .bytes): value = .string(try field.text())
        case (4, .varint(let flag)): value = .bool(flag != 0)
        case (5, .bytes(let bytes)): value = .object(try object(bytes, depth: depth + 1))
        case (6, .bytes(let bytes)): value = .array(try list(bytes, depth: depth + 1))
        case (1...6, _): throw ProtobufError("A value has another wire type.")
        default: break
        }
      }
      return value
    }

    private mutating func list(_ bytes: ArraySlice<UInt8>, depth: Int) throws(ProtobufError) -> [JSONValue] {
      var values: [JSONValue] = []
      var reader = ProtobufReader(bytes)
      while let field = try reader.next() {
        guard field.number == 1 else { continue }
        try countOne()
        values.append(try value(try field.bytes(), depth: depth + 1))
      }
      return values
    }

    private mutating func countOne() throws(ProtobufError) {
      count += 1
      if count > limits.values { throw ProtobufError("There are more than \(limits.values) values.") }
    }

    /// A number without a fraction is an integer, as in the JSON that it stands for.
    private static func number(_ number: Double) throws(ProtobufError) -> JSONValue {
      guard number.isFinite else { throw ProtobufError("A number is not finite.") }
      guard abs(number) <= 9_007_199_254_740_992, let whole = Int64(exactly: number) else { return .double(number) }
      return .integer(whole)
    }
  }
}
