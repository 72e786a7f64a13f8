import JSON

/// A value that fragments are sorted by. Null precedes all others; values of different kinds are ordered by kind.
enum SortKey: Sendable, Equatable, Comparable {
  case null
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  case text(String)

  init(_ value: Comparand) {
    self =
      switch value {
      case .null: .null
      case .text(let text): .text(text)
      case .integer(let number), .moment(let number): .integer(number)
      case .number(let number): .number(number)
      case .bool(let value): .bool(value)
      }
  }

  private var rank: Int {
    switch self {
    case .null: 0
    case .bool: 1
    case .integer, .number: 2
    case .text: 3
    }
  }

  private var double: Double {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: 0
    }
  }

  static func < (left: SortKey, right: SortKey) -> Bool {
    switch (left, right) {
    case (.bool(let one), .bool(let other)): !one && other
    case (.integer(let one), .integer(let other)): one < other
    case (.text(let one), .text(let other)): one < other
    default: left.rank == right.rank ? left.double < right.double : left.rank < right.rank
    }
  }

  // MARK: Cursors

  /// On one line, for a cursor.
  var line: String {
    switch self {
    case .null: "-"
    case .bool(let value): "b\(value)"
    case .integer(let value): "i\(value)"
    case .number(let value): "n\(value)"
    case .text(let text): "t\(JSONCoding.text(of: .string(text)))"
    }
  }

  init?(line: Substring) {
    let rest = line.dropFirst()
    switch line.first {
    case "-": self = .null
    case "b": self = .bool(rest == "true")
    case "i":
      guard let value = Int64(rest) else { return nil }
      self = .integer(value)
    case "n":
      guard let value = Double(rest), value.isFinite else { return nil }
      self = .number(value)
    case "t":
      guard let text = try? JSONCoding.parse(String(rest)), case .string(let text) = text else { return nil }
      self = .text(text)
    default: return nil
    }
  }
}
