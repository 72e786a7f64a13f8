/// Typed values of single nodes.
extension TapeStorage {
  @inline(__always)
  func node(_ index: Int) -> Node { unsafe nodes.unsafelyUnwrapped[index] }

  @inline(__always)
  var reader: JSONReader {
    unsafe JSONReader(UnsafeRawBufferPointer(start: base, count: end), maximumDepth: .max)
  }

  @inline(__always)
  func text(_ node: Node) -> String {
    reader.text(of: StringSpan(start: Int(node.start), end: Int(node.end), isEscaped: node.isEscaped))
  }

  @inline(__always)
  func string(_ index: Int) throws -> String {
    let node = node(index)
    guard node.kind == .string else { throw mismatch(String.self, "a string", index) }
    return text(node)
  }

  @inline(__always)
  func bool(_ index: Int) throws -> Bool {
    switch node(index).kind {
    case .yes: return true
    case .no: return false
    default: throw mismatch(Bool.self, "a boolean", index)
    }
  }

  @inline(__always)
  func integer<Value: FixedWidthInteger>(_ index: Int, _ type: Value.Type = Value.self) throws -> Value {
    let node = node(index)
    guard node.kind == .integer || node.kind == .fraction else { throw mismatch(type, "an integer", index) }
    let span = NumberSpan(start: Int(node.start), end: Int(node.end), isInteger: node.kind == .integer)
    guard let value = reader.integer(of: span, as: type) else {
      throw corrupted("\(text(node)) is not a whole number that \(type) holds.")
    }
    return value
  }

  @inline(__always)
  func double(_ index: Int) throws -> Double {
    let node = node(index)
    guard node.kind == .integer || node.kind == .fraction else { throw mismatch(Double.self, "a number", index) }
    return reader.double(of: NumberSpan(start: Int(node.start), end: Int(node.end), isInteger: false))
  }

  func float(_ index: Int) throws -> Float {
    let value = try double(index)
    // The text itself is rounded, not the double made of it.
    guard let float = Float(text(node(index))), float.isFinite else {
      throw corrupted("\(value) is more than a Float holds.")
    }
    return float
  }

  @inline(__always)
  func isNull(_ index: Int) -> Bool { node(index).kind == .null }

  /// Any value from here on.
  func value(_ index: Int) -> JSONValue {
    let node = node(index)
    switch node.kind {
    case .null: return .null
    case .yes: return .bool(true)
    case .no: return .bool(false)
    case .string: return .string(text(node))
    case .integer, .fraction:
      return reader.number(
        of: NumberSpan(start: Int(node.start), end: Int(node.end), isInteger: node.kind == .integer))
    case .array:
      var values: [JSONValue] = []
      values.reserveCapacity(Int(node.end))
      var at = index + 1
      for _ in 0..<node.end {
        values.append(value(at))
        at = Int(self.node(at).next)
      }
      return .array(values)
    case .object:
      var object = JSONObject()
      object.reserveCapacity(Int(node.end))
      var at = index + 1
      for _ in 0..<node.end {
        object.append(text(self.node(at)), value(at + 1))
        at = Int(self.node(at + 1).next)
      }
      return .object(object)
    }
  }

  @inline(__always)
  func decode<Value: Decodable>(_ type: Value.Type, _ index: Int) throws -> Value {
    if type == String.self { return reinterpret(try string(index)) }
    if type == JSONValue.self { return reinterpret(value(index)) }
    if type == [String].self { return reinterpret(try strings(index)) }
    let node = node(index)
    if node.kind == .array, node.end >= ShapeArrays.leastElements { return try decodeLarge(type, index) }
    return try decodeValue(type, index)
  }

  /// Decodes an array of many elements. One of shapes is read again from the text that the tape was made of: that is
  /// faster. Apart, as generic code that has an optional value asks the runtime for its type each time.
  @inline(never)
  private func decodeLarge<Value: Decodable>(_ type: Value.Type, _ index: Int) throws -> Value {
    var reader = reader
    reader.at = Int(node(index).start)
    if let value = ShapeArrays.read(type, &reader) { return value }
    return try decodeValue(type, index)
  }

  @inline(__always)
  func decodeValue<Value: Decodable>(_ type: Value.Type, _ index: Int) throws -> Value {
    do { return try Value(from: TapeDecoder(storage: self, index: index)) } catch {
      throw namingCases(of: type, index, error)
    }
  }

  /// For a text that is none of an enumeration's: an error that lists them, in place of one for programmers.
  @inline(never)
  private func namingCases(of type: Any.Type, _ index: Int, _ error: any Error) -> any Error {
    guard case .dataCorrupted(let context) = error as? DecodingError, context.codingPath.isEmpty,
      (try? prepare()) != nil, node(index).kind == .string, let text = try? string(index)
    else { return error }
    let values = (type as? any CaseIterable.Type).map(rawTexts) ?? []
    guard !values.isEmpty, !values.contains(text) else { return error }
    return corrupted("“\(text.prefix(60))” is not a value of it. Write one of \(values.joined(separator: ", ")).")
  }

  private func strings(_ index: Int) throws -> [String] {
    let node = node(index)
    guard node.kind == .array else { throw mismatch([String].self, "an array", index) }
    var strings: [String] = []
    strings.reserveCapacity(Int(node.end))
    var at = index + 1
    for position in 0..<Int(node.end) {
      do { strings.append(try string(at)) } catch { throw decodingError(error, prefixedBy: JSONKey(index: position)) }
      at = Int(self.node(at).next)
    }
    return strings
  }
}

/// The texts that stand for the cases of an enumeration; none for one of numbers.
private func rawTexts(_ type: any CaseIterable.Type) -> [String] {
  func texts<Enumeration: CaseIterable>(_ type: Enumeration.Type) -> [String] {
    type.allCases.compactMap { ($0 as? any RawRepresentable)?.rawValue as? String }
  }
  return texts(type)
}

/// Errors. Their coding paths are relative: each level puts its key in front while the error passes outwards.
extension TapeStorage {
  @inline(never)
  func mismatch(_ type: Any.Type, _ expected: String, _ index: Int) -> DecodingError {
    let context = DecodingError.Context(
      codingPath: [], debugDescription: "Expected \(expected), found \(kind(index)).")
    return isNull(index) ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }

  @inline(never)
  func corrupted(_ description: String) -> DecodingError {
    .dataCorrupted(.init(codingPath: [], debugDescription: description))
  }

  private func kind(_ index: Int) -> String {
    switch node(index).kind {
    case .object: "an object"
    case .array: "an array"
    case .string: "a string"
    case .integer, .fraction: "a number"
    case .yes, .no: "a boolean"
    case .null: "null"
    }
  }
}

/// Returns a decoding error with one more key in front of its path; any other error unchanged.
@inline(never)
func decodingError(_ error: any Error, prefixedBy key: any CodingKey) -> any Error {
  guard let error = error as? DecodingError else { return error }
  func longer(_ context: DecodingError.Context) -> DecodingError.Context {
    let path: [any CodingKey] = [key] + context.codingPath
    return .init(
      codingPath: path, debugDescription: context.debugDescription, underlyingError: context.underlyingError)
  }
  switch error {
  case .typeMismatch(let type, let context): return DecodingError.typeMismatch(type, longer(context))
  case .valueNotFound(let type, let context): return DecodingError.valueNotFound(type, longer(context))
  case .keyNotFound(let missing, let context): return DecodingError.keyNotFound(missing, longer(context))
  case .dataCorrupted(let context): return DecodingError.dataCorrupted(longer(context))
  @unknown default: return error
  }
}
