import JSON

/// Encodes variables as JSON: a UUID as 32 digits, an `Int64` as a text; unset variables are left out.
final class VariableEncoder: Encoder {
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]
  private(set) var part = Part.value(.null)

  /// The encoded values. Containers share a part when they write to the same place.
  enum Part {
    case value(JSONValue)
    case object(Members)
    case list(Elements)
  }

  final class Members { var members: [(String, Part)] = [] }
  final class Elements { var elements: [Part] = [] }

  /// - Throws: `DataConnectCodecError`.
  static func object(of variables: some Encodable) throws -> JSONObject {
    guard let object = try value(of: variables).objectValue else {
      throw DataConnectCodecError(.encodingFailed, "Variables are written as one object.")
    }
    return object
  }

  /// - Throws: `DataConnectCodecError`.
  static func value(of value: some Encodable) throws -> JSONValue {
    do {
      return json(try part(of: value))
    } catch let error as DataConnectCodecError {
      throw error
    } catch {
      throw DataConnectCodecError(.encodingFailed, "The variables cannot be written: \(error)", error)
    }
  }

  static func part(of value: some Encodable) throws -> Part {
    if let uuid = WireUUID.text(of: value) { return .value(.string(uuid)) }
    if let any = value as? AnyValue { return .value(any.value) }
    if let number = value as? Int64 { return .value(.string(String(number))) }
    let encoder = VariableEncoder()
    try value.encode(to: encoder)
    return encoder.part
  }

  /// - Throws: `DataConnectCodecError` for what JSON has no number for.
  static func number(_ value: Double) throws -> JSONValue {
    guard value.isFinite else {
      throw DataConnectCodecError(.encodingFailed, "\(value) is not a number that can be sent.")
    }
    return .double(value)
  }

  private static func json(_ part: Part) -> JSONValue {
    switch part {
    case .value(let value): value
    case .object(let object): .object(JSONObject(object.members.map { ($0.0, json($0.1)) }))
    case .list(let list): .array(list.elements.map(json))
    }
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if case .object(let members) = part { return KeyedEncodingContainer(VariableObject<Key>(members: members)) }
    let members = Members()
    part = .object(members)
    return KeyedEncodingContainer(VariableObject<Key>(members: members))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    let elements = Elements()
    part = .list(elements)
    return VariableList(elements: elements)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  func take(_ part: Part) { self.part = part }
}

extension VariableEncoder: SingleValueEncodingContainer {
  func encodeNil() { take(.value(.null)) }
  func encode<Value: Encodable>(_ value: Value) throws { take(try Self.part(of: value)) }
  func encode(_ value: Bool) { take(.value(.bool(value))) }
  func encode(_ value: String) { take(.value(.string(value))) }
  func encode(_ value: Double) throws { take(.value(try Self.number(value))) }
  func encode(_ value: Float) throws { take(.value(try Self.number(Double(value)))) }
  func encode(_ value: Int) { take(.value(JSONValue(value))) }
  func encode(_ value: Int8) { take(.value(JSONValue(value))) }
  func encode(_ value: Int16) { take(.value(JSONValue(value))) }
  func encode(_ value: Int32) { take(.value(JSONValue(value))) }
  func encode(_ value: Int64) { take(.value(.string(String(value)))) }
  func encode(_ value: UInt) { take(.value(JSONValue(value))) }
  func encode(_ value: UInt8) { take(.value(JSONValue(value))) }
  func encode(_ value: UInt16) { take(.value(JSONValue(value))) }
  func encode(_ value: UInt32) { take(.value(JSONValue(value))) }
  func encode(_ value: UInt64) { take(.value(JSONValue(value))) }
}
