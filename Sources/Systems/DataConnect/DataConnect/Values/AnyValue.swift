public import JSON

/// Any JSON: the value of a column of the type `Any`.
public struct AnyValue: Codable, Sendable, Hashable {
  /// The JSON itself.
  public let value: JSONValue

  /// A JSON value.
  public init(_ value: JSONValue) { self.value = value }

  /// The JSON of a value.
  ///
  /// - Throws: `DataConnectCodecError` when it has none.
  public init(codableValue: some Encodable) throws { value = try VariableEncoder.value(of: codableValue) }

  /// Decodes the JSON as a type.
  ///
  /// - Returns: the value; `nil` for null.
  /// - Throws: `DataConnectCodecError` when the JSON has another shape.
  public func decodeValue<Value: Decodable>(_ type: Value.Type) throws -> Value? {
    value.isNull ? nil : try ResponseValue.decode(type, from: value)
  }

  /// Reads any JSON.
  public init(from decoder: any Decoder) throws {
    if let response = decoder as? ResponseValue { value = response.value } else { value = try JSONValue(from: decoder) }
  }

  /// Writes the JSON.
  public func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}
