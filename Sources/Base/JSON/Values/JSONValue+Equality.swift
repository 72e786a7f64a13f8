extension JSONValue: Hashable {
  /// Whether both are of one kind and value. Strings are equal when their Unicode code points are (RFC 8259, section
  /// 8.3): two spellings of an accent are two values.
  public static func == (left: JSONValue, right: JSONValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    case (.unsigned(let left), .unsigned(let right)): left == right
    case (.double(let left), .double(let right)): left == right
    case (.string(let left), .string(let right)): left.hasEqualBytes(right)
    case (.array(let left), .array(let right)): left == right
    case (.object(let left), .object(let right)): left == right
    default: false
    }
  }

  /// Hashes the kind and the value.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let value): hasher.combine(value)
    case .integer(let value): hasher.combine(value)
    case .unsigned(let value): hasher.combine(value)
    case .double(let value): hasher.combine(value)
    case .string(let value): value.hashBytes(into: &hasher)
    case .array(let values): hasher.combine(values)
    case .object(let object): hasher.combine(object)
    }
  }
}

/// The name of a member: equal to the same code points only, as `JSONValue.string` is.
struct MemberName: Hashable, Sendable {
  let text: String

  static func == (left: MemberName, right: MemberName) -> Bool { left.text.hasEqualBytes(right.text) }
  func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}

extension String {
  /// `==` says so of two spellings of an accent too.
  func hasEqualBytes(_ other: String) -> Bool {
    var (left, right) = (self, other)
    return left.withUTF8 { left in
      right.withUTF8 { right in
        guard left.count == right.count else { return false }
        guard let first = left.baseAddress, let second = right.baseAddress else { return left.isEmpty }
        return unsafe memoryIsEqual(first, second, left.count)
      }
    }
  }

  func hashBytes(into hasher: inout Hasher) {
    var text = self
    text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
