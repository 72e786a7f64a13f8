public import PropertyList
internal import Text

/// The wire form in JSON.
///
/// Strings, numbers, Booleans, arrays and objects are written as what they are; an integer has no fraction and a real
/// has one: `1` and `1.0` differ. (A decoder that tells the kind of a value in its `userInfo`, under `json.kind`, keeps
/// them apart; with another, a real without fraction may come back as an integer.) Data is `{"$data": "<base64>"}` and
/// a date `{"$date": <seconds since 1970>}`. So a dictionary with a key that begins with `$` has no wire form, and
/// neither has a number that is not finite: encoding either fails.
extension PropertyListValue: Codable {
  private struct WireKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }

    static let data = WireKey(stringValue: "$data")
    static let date = WireKey(stringValue: "$date")
  }

  /// Writes the wire form.
  ///
  /// - Throws: `EncodingError` for what has no wire form.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .array(let elements):
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(element) }
    case .dictionary(let entries):
      var container = encoder.container(keyedBy: WireKey.self)
      for (key, value) in entries.sorted(by: { $0.key < $1.key }) {
        guard !key.hasPrefix("$") else {
          throw invalid(encoder, "The key “\(key)” begins with $, which the wire form keeps for itself.")
        }
        try container.encode(value, forKey: WireKey(stringValue: key))
      }
    case .data(let bytes):
      var container = encoder.container(keyedBy: WireKey.self)
      try container.encode(Base64.encode(bytes), forKey: .data)
    case .date(let seconds):
      guard seconds.isFinite else { throw invalid(encoder, "A date must be finite.") }
      var container = encoder.container(keyedBy: WireKey.self)
      try container.encode(seconds, forKey: .date)
    default:
      try encodeScalar(to: encoder)
    }
  }

  private func encodeScalar(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .string(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .bool(let value): try container.encode(value)
    case .real(let value):
      guard value.isFinite else { throw invalid(encoder, "A number must be finite.") }
      try container.encode(value)
    case .date, .data, .array, .dictionary: break
    }
  }

  private func invalid(_ encoder: any Encoder, _ message: String) -> EncodingError {
    .invalidValue(self, EncodingError.Context(codingPath: encoder.codingPath, debugDescription: message))
  }

  /// Reads the wire form.
  ///
  /// - Throws: `DecodingError` for other JSON, null among it.
  public init(from decoder: any Decoder) throws {
    switch Self.kind(decoder) {
    case "object": self = try Self.object(decoder.container(keyedBy: WireKey.self))
    case "array": self = .array(try Self.elements(decoder.unkeyedContainer()))
    case "string": self = .string(try decoder.singleValueContainer().decode(String.self))
    case "bool": self = .bool(try decoder.singleValueContainer().decode(Bool.self))
    case "integer": self = .integer(try decoder.singleValueContainer().decode(Int64.self))
    case "fraction": self = .real(try decoder.singleValueContainer().decode(Double.self))
    default: self = try Self.tried(decoder)
    }
  }

  private static func kind(_ decoder: any Decoder) -> String? {
    CodingUserInfoKey(rawValue: "json.kind").flatMap { decoder.userInfo[$0] as? String }
  }

  /// The value when only trying tells its kind.
  private static func tried(_ decoder: any Decoder) throws -> PropertyListValue {
    if let container = try? decoder.container(keyedBy: WireKey.self) { return try object(container) }
    if let container = try? decoder.unkeyedContainer() { return .array(try elements(container)) }
    return try scalar(decoder.singleValueContainer())
  }

  private static func elements(_ container: any UnkeyedDecodingContainer) throws -> [PropertyListValue] {
    var container = container
    var elements: [PropertyListValue] = []
    while !container.isAtEnd { elements.append(try container.decode(PropertyListValue.self)) }
    return elements
  }

  private static func object(_ container: KeyedDecodingContainer<WireKey>) throws -> PropertyListValue {
    let keys = container.allKeys
    guard let special = keys.first(where: { $0.stringValue.hasPrefix("$") }) else {
      var entries: [String: PropertyListValue] = [:]
      for key in keys { entries[key.stringValue] = try container.decode(PropertyListValue.self, forKey: key) }
      return .dictionary(entries)
    }
    switch special.stringValue {
    case WireKey.data.stringValue where keys.count == 1:
      guard let bytes = Base64.decode(try container.decode(String.self, forKey: special)) else {
        throw DecodingError.dataCorruptedError(
          forKey: special, in: container, debugDescription: "The value of $data is not base64 (RFC 4648, padded).")
      }
      return .data(bytes)
    case WireKey.date.stringValue where keys.count == 1:
      let seconds = try container.decode(Double.self, forKey: special)
      guard seconds.isFinite else {
        throw DecodingError.dataCorruptedError(
          forKey: special, in: container, debugDescription: "A date must be finite.")
      }
      return .date(seconds)
    default:
      throw DecodingError.dataCorruptedError(
        forKey: special, in: container,
        debugDescription: "The key “\(special.stringValue)” begins with $; only $data and $date may, and only alone.")
    }
  }

  private static func scalar(_ container: any SingleValueDecodingContainer) throws -> PropertyListValue {
    if container.decodeNil() {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "A property list has no null.")
    }
    if let value = try? container.decode(String.self) { return .string(value) }
    if let value = try? container.decode(Bool.self) { return .bool(value) }
    if let value = try? container.decode(Int64.self) { return .integer(value) }
    if (try? container.decode(UInt64.self)) != nil {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "An integer must not be above \(Int64.max).")
    }
    return .real(try container.decode(Double.self))
  }
}
