extension JSONReader {
  /// Reads one value of any kind.
  package mutating func value() throws(JSONError) -> JSONValue {
    values &+= 1
    switch try peek() {
    case 0x7B:
      var object = JSONObject()
      var cursor = try beginObject()
      // Names that came twice are refused when the object ends, before anybody sees it.
      while let name = try nextName(&cursor) {
        values &+= 1
        if object.isEmpty { object.reserveCapacity(6) }
        object.append(text(of: name), try value())
      }
      return .object(object)
    case 0x5B:
      var elements: [JSONValue] = []
      var cursor = try beginArray()
      while try nextElement(&cursor) {
        // Such arrays are short mostly; without this one of two values is allocated twice.
        if elements.isEmpty { elements.reserveCapacity(4) }
        elements.append(try value())
      }
      return .array(elements)
    case 0x22: return .string(try string())
    case 0x74, 0x66: return .bool(try bool())
    case 0x6E:
      try literal("null")
      return .null
    default:
      let span = try numberSpan()
      return number(of: span)
    }
  }

  /// The value of a checked number.
  func number(of span: NumberSpan) -> JSONValue {
    guard span.isInteger else { return .double(double(of: span)) }
    if let value = integer(of: span, as: Int64.self) {
      // There is no negative zero among the integers.
      return value == 0 && byte(span.start) == 0x2D ? .double(-0.0) : .integer(value)
    }
    if let value = integer(of: span, as: UInt64.self) { return .unsigned(value) }
    return .double(double(of: span))
  }
}
