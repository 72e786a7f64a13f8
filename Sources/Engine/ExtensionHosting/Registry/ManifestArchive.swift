import PropertyList

/// A property list with its lines as a few bytes, for this project's own files: four times as quick to read as XML.
enum ManifestArchive {
  private enum Tag: UInt8 {
    case string, integer, real, no, yes, date, data, array, dictionary
  }

  // MARK: Writing

  /// Adds a property list to some bytes.
  static func append(_ node: PropertyListNode, to bytes: inout [UInt8]) {
    func begin(_ tag: Tag) {
      bytes.append(tag.rawValue)
      append(UInt64(node.line ?? 0), to: &bytes)
    }
    switch node.content {
    case .array(let elements):
      begin(.array)
      append(UInt64(elements.count), to: &bytes)
      for element in elements { append(element, to: &bytes) }
    case .dictionary(let entries):
      begin(.dictionary)
      append(UInt64(entries.count), to: &bytes)
      for entry in entries {
        append(entry.key.utf8, to: &bytes)
        append(entry.node, to: &bytes)
      }
    case .scalar(let value):
      switch value {
      case .string(let text):
        begin(.string)
        append(text.utf8, to: &bytes)
      case .data(let data):
        begin(.data)
        append(data, to: &bytes)
      case .integer(let number):
        begin(.integer)
        append(UInt64(bitPattern: number), to: &bytes)
      case .real(let number):
        begin(.real)
        append(number.bitPattern, to: &bytes)
      case .date(let seconds):
        begin(.date)
        append(seconds.bitPattern, to: &bytes)
      case .bool(let truth): begin(truth ? .yes : .no)
      // A node holds these as nodes.
      case .array, .dictionary: append(PropertyListNode(value), to: &bytes)
      }
    }
  }

  private static func append(_ content: some Collection<UInt8>, to bytes: inout [UInt8]) {
    append(UInt64(content.count), to: &bytes)
    bytes.append(contentsOf: content)
  }

  /// Seven bits in a byte, the lowest first; the eighth says that there is more.
  private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
    var rest = number
    while rest > 0x7F {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  // MARK: Reading

  /// The property list that some bytes hold, all of them.
  ///
  /// - Returns: `nil` for bytes that ``append(_:to:)`` does not write.
  static func node(_ bytes: ArraySlice<UInt8>) -> PropertyListNode? {
    var reader = Reader(rest: bytes)
    guard let node = reader.node(depth: 0), reader.rest.isEmpty else { return nil }
    return node
  }

  private struct Reader {
    var rest: ArraySlice<UInt8>

    mutating func node(depth: Int) -> PropertyListNode? {
      guard let tag = rest.popFirst().flatMap(Tag.init), let line = number(), line <= Int32.max,
        let content = content(tag, depth: depth)
      else { return nil }
      return PropertyListNode(content, line: line == 0 ? nil : Int(line))
    }

    private mutating func content(_ tag: Tag, depth: Int) -> PropertyListNode.Content? {
      switch tag {
      case .yes: return .scalar(.bool(true))
      case .no: return .scalar(.bool(false))
      case .string: return text().map { .scalar(.string($0)) }
      case .data: return run().map { .scalar(.data(Array($0))) }
      case .integer: return number().map { .scalar(.integer(Int64(bitPattern: $0))) }
      case .real: return number().map { .scalar(.real(Double(bitPattern: $0))) }
      case .date: return number().map { .scalar(.date(Double(bitPattern: $0))) }
      case .array:
        guard let count = count(depth) else { return nil }
        var elements: [PropertyListNode] = []
        elements.reserveCapacity(count)
        for _ in 0..<count {
          guard let element = node(depth: depth + 1) else { return nil }
          elements.append(element)
        }
        return .array(elements)
      case .dictionary:
        guard let count = count(depth) else { return nil }
        var entries: [PropertyListNode.Entry] = []
        entries.reserveCapacity(count)
        for _ in 0..<count {
          guard let key = text(), let value = node(depth: depth + 1) else { return nil }
          entries.append(.init(key, value))
        }
        return .dictionary(entries)
      }
    }

    /// Reads the number of elements, each of which takes at least two bytes.
    private mutating func count(_ depth: Int) -> Int? {
      guard depth < PropertyListLimits.manifest.depth, let count = number(), count <= rest.count / 2 else { return nil }
      return Int(count)
    }

    private mutating func text() -> String? { run().flatMap { String(validating: $0, as: UTF8.self) } }

    private mutating func run() -> ArraySlice<UInt8>? {
      guard let count = number(), count <= rest.count else { return nil }
      defer { rest = rest.dropFirst(Int(count)) }
      return rest.prefix(Int(count))
    }

    private mutating func number() -> UInt64? {
      var number: UInt64 = 0
      for shift in stride(from: UInt64(0), to: 64, by: 7) {
        guard let byte = rest.popFirst() else { return nil }
        number |= UInt64(byte & 0x7F) << shift
        if byte & 0x80 == 0 { return number }
      }
      return nil
    }
  }
}
