import Text
package import JSON

extension CELValue {
  /// A value of JSON: numbers without fraction are integers.
  package init(_ json: JSONValue) {
    switch json {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .integer(let value): self = .int(value)
    case .unsigned(let value): self = .uint(value)
    case .double(let value): self = .double(value)
    case .string(let value): self = .string(value)
    case .array(let values): self = .list(values.map { CELValue($0) })
    case .object(let members):
      var map: [CELValue: CELValue] = [:]
      map.reserveCapacity(members.count)
      for (key, value) in members { map[.string(key)] = CELValue(value) }
      self = .map(map)
    }
  }

  /// The value in JSON, as Protocol Buffers write it: a time in RFC 3339, a duration as `1.5s`, bytes in base64, an
  /// infinite or undefined double as a text. The members of a map are sorted by name.
  package var json: JSONValue {
    switch self {
    case .null: .null
    case .bool(let value): .bool(value)
    case .int(let value): .integer(value)
    case .uint(let value): JSONValue(value)
    case .double(let value): value.isFinite ? .double(value) : .string(CELText.double(value))
    case .string(let value), .type(let value): .string(value)
    case .bytes(let bytes): .string(Base64.encode(bytes))
    case .timestamp, .duration: .string(CELText.of(self) ?? "")
    case .list(let values): .array(values.map(\.json))
    case .map(let map):
      .object(
        JSONObject(
          map.map { (CELText.of($0.key) ?? "", $0.value.json) }.sorted { $0.0 < $1.0 }))
    }
  }
}
