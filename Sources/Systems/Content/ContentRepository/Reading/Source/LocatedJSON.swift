import JSON

/// A value of a JSON file that knows where it stands.
struct LocatedJSON: Sendable {
  /// The number of bytes before the value.
  let offset: Int
  let kind: Kind

  indirect enum Kind: Sendable {
    case scalar(JSONValue)
    case array([LocatedJSON])
    case object([Member])
  }

  /// A member of an object.
  struct Member: Sendable {
    let name: String
    let offset: Int
    let value: LocatedJSON
  }

  /// - Throws: where the text is no JSON.
  static func parse(_ bytes: [UInt8], depth: Int = 64) throws(JSONError) -> LocatedJSON {
    let outcome: Result<LocatedJSON, JSONError> = unsafe bytes.withUnsafeBytes { pointer in
      do throws(JSONError) {
        var reader = unsafe JSONReader(pointer, maximumDepth: depth)
        try reader.refuseByteOrderMark()
        let value = try read(&reader)
        try reader.finish()
        return .success(value)
      } catch {
        return .failure(error)
      }
    }
    return try outcome.get()
  }

  private static func read(_ reader: inout JSONReader) throws(JSONError) -> LocatedJSON {
    let first = try reader.peek()
    let start = reader.at
    switch first {
    case 0x7B:
      var members: [Member] = []
      var cursor = try reader.beginObject()
      while let span = try reader.nextName(&cursor) {
        members.append(Member(name: reader.text(of: span), offset: span.start - 1, value: try read(&reader)))
      }
      return LocatedJSON(offset: start, kind: .object(members))
    case 0x5B:
      var elements: [LocatedJSON] = []
      var cursor = try reader.beginArray()
      while try reader.nextElement(&cursor) { elements.append(try read(&reader)) }
      return LocatedJSON(offset: start, kind: .array(elements))
    default: return LocatedJSON(offset: start, kind: .scalar(try reader.value()))
    }
  }

  /// The value without its places.
  var json: JSONValue {
    switch kind {
    case .scalar(let value): value
    case .array(let elements): .array(elements.map(\.json))
    case .object(let members): .object(JSONObject(members.map { ($0.name, $0.value.json) }))
    }
  }

  var isNull: Bool { if case .scalar(.null) = kind { true } else { false } }
  var string: String? { if case .scalar(.string(let text)) = kind { text } else { nil } }
  var bool: Bool? { if case .scalar(.bool(let value)) = kind { value } else { nil } }
  var elements: [LocatedJSON]? { if case .array(let elements) = kind { elements } else { nil } }
  var members: [Member]? { if case .object(let members) = kind { members } else { nil } }

  /// The value of the member of an object.
  subscript(name: String) -> LocatedJSON? { members?.first { $0.name == name }?.value }

  /// For messages: what it is.
  var words: String {
    switch kind {
    case .scalar(.null): "null"
    case .scalar(.bool): "a boolean"
    case .scalar(.string): "a text"
    case .scalar: "a number"
    case .array: "an array"
    case .object: "an object"
    }
  }
}
