/// A value that is bound to a parameter of a statement.
package enum PostgreSQLValue: Equatable, Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case real(Double)
  /// Text of whatever type the statement wants there: a date, a UUID or JSON as well. It holds no NUL.
  case text(String)
  case bytes([UInt8])
  case integers([Int64])
  case manyBytes([[UInt8]?])

  /// The type's number in every server; 0 lets the server decide.
  ///
  /// Source: https://github.com/postgres/postgres/blob/REL_15_STABLE/src/include/catalog/pg_type.dat.
  var type: UInt32 {
    switch self {
    case .null, .text: 0
    case .boolean: 16
    case .bytes: 17
    case .integer: 20
    case .real: 701
    case .manyBytes: 1001
    case .integers: 1016
    }
  }

  var isBinary: Bool {
    if case .text = self { false } else { true }
  }

  /// Appends the value as the server reads it.
  func encode(into bytes: inout [UInt8]) {
    switch self {
    case .null: break
    case .boolean(let value): bytes.append(value ? 1 : 0)
    case .integer(let value): Self.append(value, to: &bytes)
    case .real(let value): Self.append(value.bitPattern, to: &bytes)
    case .text(let text):
      bytes.append(contentsOf: text.utf8)
      bytes.append(0)
    case .bytes(let value): bytes.append(contentsOf: value)
    case .integers(let values):
      Self.appendArray(of: 20, values, to: &bytes) { value, bytes in
        Self.append(Int32(8), to: &bytes)
        Self.append(value, to: &bytes)
      }
    case .manyBytes(let values):
      Self.appendArray(of: 17, values, to: &bytes) { value, bytes in
        Self.append(value.map { Int32(clamping: $0.count) } ?? -1, to: &bytes)
        bytes.append(contentsOf: value ?? [])
      }
    }
  }

  /// One dimension that begins at 1.
  private static func appendArray<Element>(
    of type: Int32, _ elements: [Element], to bytes: inout [UInt8], _ append: (Element, inout [UInt8]) -> Void
  ) {
    Self.append(Int32(elements.isEmpty ? 0 : 1), to: &bytes)
    Self.append(Int32(1), to: &bytes)
    Self.append(type, to: &bytes)
    if elements.isEmpty { return }
    Self.append(Int32(clamping: elements.count), to: &bytes)
    Self.append(Int32(1), to: &bytes)
    for element in elements { append(element, &bytes) }
  }

  private static func append(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
    for shift in stride(from: value.bitWidth - 8, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }
}
