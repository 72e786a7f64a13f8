import JSON

/// A value that filters compare.
enum Comparand: Sendable, Equatable {
  case null
  case text(String)
  case integer(Int64)
  case number(Double)
  case bool(Bool)
  case moment(Int64)

  /// The way in which the values of a field are compared.
  enum Form: Sendable, Equatable {
    case text
    case number
    case bool
    case moment(Moment.Form)
  }

  init(_ json: JSONValue?, _ form: Form) {
    guard let json else {
      self = .null
      return
    }
    switch (form, json) {
    case (.text, .string(let text)): self = .text(text)
    case (.bool, .bool(let value)): self = .bool(value)
    case (.moment(let form), .string(let text)): self = Moment(text, form).map { .moment($0.milliseconds) } ?? .null
    case (.number, .integer(let value)): self = .integer(value)
    case (.number, _): self = json.doubleValue.map(Comparand.number) ?? .null
    default: self = .null
    }
  }

  /// Returns a negative number when this value precedes the other, a positive one when it follows; nil for values that
  /// cannot be compared.
  func order(_ other: Comparand) -> Int? {
    switch (self, other) {
    case (.integer(let one), .integer(let two)): one < two ? -1 : one > two ? 1 : 0
    case (.moment(let one), .moment(let two)): one < two ? -1 : one > two ? 1 : 0
    default:
      if let one = double, let two = other.double { one < two ? -1 : one > two ? 1 : 0 } else { nil }
    }
  }

  var double: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }
}

extension FieldType {
  /// The way in which values of the type are compared; nil for types without comparison.
  var form: Comparand.Form? {
    switch self {
    case .text, .enumeration, .tags: .text
    case .float, .integer, .long: .number
    case .boolean: .bool
    case .date: .moment(.date)
    case .time: .moment(.time)
    case .dateTime: .moment(.dateTime)
    case .multiLine, .content, .fragment, .json: nil
    }
  }
}
