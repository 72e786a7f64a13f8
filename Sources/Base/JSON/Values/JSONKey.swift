/// Any name or position as a coding key.
///
/// What is read once in the life of a process takes this in place of keys of its own: for each type of keys the Swift
/// runtime looks through all conformances of the program, which takes a tenth of a millisecond or two.
package struct JSONKey: CodingKey, ExpressibleByStringLiteral {
  /// The name; `Index 3` for a position.
  package let stringValue: String
  /// The position; `nil` for a name.
  package let intValue: Int?
  /// A name.
  package init(_ name: String) { (stringValue, intValue) = (name, nil) }
  init(index: Int) { (stringValue, intValue) = ("Index \(index)", index) }
  /// A name.
  package init(stringLiteral name: String) { self.init(name) }
  /// A name.
  package init?(stringValue: String) { self.init(stringValue) }
  /// A number as a name.
  package init?(intValue: Int) { (stringValue, self.intValue) = (String(intValue), intValue) }
}

extension KeyedDecodingContainer<JSONKey> {
  /// The members of an object, with this module's decoder without the cast for each that the standard library makes;
  /// `nil` when there is none.
  ///
  /// - Parameters:
  ///   - decoder: what the container is of.
  ///   - expected: what each member has to be, for the error: "a string".
  ///   - read: makes a value of a member; `nil` for one of another kind.
  /// - Throws: `DecodingError`, with the name of the member in its path.
  package func dictionary<Value: Decodable>(
    forKey key: JSONKey, from decoder: any Decoder, of expected: String, _ read: (JSONValue) -> Value?
  ) throws -> [String: Value]? {
    if decoder.ownDecoder == nil { return try decodeIfPresent([String: Value].self, forKey: key) }
    guard let object = try decodeIfPresent(JSONObject.self, forKey: key) else { return nil }
    var values: [String: Value] = [:]
    for (name, member) in object {
      guard let value = read(member) else {
        throw DecodingError.typeMismatch(
          Value.self, .init(codingPath: codingPath + [key, JSONKey(name)], debugDescription: "Expected \(expected)."))
      }
      values[name] = value
    }
    return values
  }

  /// The members of an object that mostly has none, which this module's decoder finds at once.
  ///
  /// - Parameter decoder: what the container is of.
  /// - Throws: `DecodingError`.
  package func rareDictionary<Value: Decodable>(
    forKey key: JSONKey, from decoder: any Decoder
  ) throws -> [String: Value] {
    if decoder.ownDecoder != nil, try decode(JSONObject.self, forKey: key).isEmpty { return [:] }
    return try decode([String: Value].self, forKey: key)
  }
}
