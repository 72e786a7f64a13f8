extension CELEvaluation {
  func negative(_ value: CELValue, at offset: Int) throws(CELError) -> CELValue {
    switch value {
    case .int(let value):
      let (result, overflows) = Int64(0).subtractingReportingOverflow(value)
      if overflows { throw overflow(offset) }
      return .int(result)
    case .double(let value): return .double(-value)
    default: throw CELError("\(value.typeName) has no negative.", at: offset)
    }
  }

  private func overflow(_ offset: Int) -> CELError { CELError("The result is too large, or no number.", at: offset) }

  mutating func binary(
    _ symbol: CELOperator, _ left: CELValue, _ right: CELValue, at offset: Int
  ) throws(CELError) -> CELValue {
    switch symbol {
    case .equal: return .bool(try isEqual(left, right, at: offset))
    case .unequal: return .bool(try !isEqual(left, right, at: offset))
    case .less, .atMost, .greater, .atLeast:
      guard let order = try order(left, right, at: offset) else { return .bool(false) }
      switch symbol {
      case .less: return .bool(order < 0)
      case .atMost: return .bool(order <= 0)
      case .greater: return .bool(order > 0)
      default: return .bool(order >= 0)
      }
    case .element: return .bool(try isElement(left, of: right, at: offset))
    case .plus, .minus, .times, .over, .modulo:
      if let value = try joined(symbol, left, right, at: offset) { return value }
      if let value = try moved(symbol, left, right, at: offset) { return value }
      return try reckoned(symbol, left, right, at: offset)
    }
  }

  private mutating func isElement(
    _ value: CELValue, of container: CELValue, at offset: Int
  ) throws(CELError) -> Bool {
    switch container {
    case .list(let values):
      for other in values where try isEqual(value, other, at: offset) { return true }
      return false
    case .map(let map):
      guard let key = value.key else { return false }
      if case .string(let text) = key { try charge(text.utf8.count, at: offset) }
      return map[key] != nil
    default: throw CELError("Nothing is in \(container.typeName).", at: offset)
    }
  }

  /// Texts, bytes and lists, one behind the other.
  private mutating func joined(
    _ symbol: CELOperator, _ left: CELValue, _ right: CELValue, at offset: Int
  ) throws(CELError) -> CELValue? {
    guard symbol == .plus else { return nil }
    switch (left, right) {
    case (.string(let left), .string(let right)):
      try charge(left.utf8.count + right.utf8.count, at: offset)
      return .string(left + right)
    case (.bytes(let left), .bytes(let right)):
      try charge(left.count + right.count, at: offset)
      return .bytes(left + right)
    case (.list(let left), .list(let right)):
      try charge(left.count + right.count, at: offset)
      return .list(left + right)
    default: return nil
    }
  }

  /// Times and durations.
  private func moved(
    _ symbol: CELOperator, _ left: CELValue, _ right: CELValue, at offset: Int
  ) throws(CELError) -> CELValue? {
    guard let one = left.nanoseconds, let other = right.nanoseconds else { return nil }
    let result: CELValue?
    switch (left, symbol, right) {
    case (.timestamp, .plus, .duration), (.duration, .plus, .timestamp): result = .timestamp(nanoseconds: one + other)
    case (.timestamp, .minus, .duration): result = .timestamp(nanoseconds: one - other)
    case (.timestamp, .minus, .timestamp), (.duration, .minus, .duration): result = .duration(nanoseconds: one - other)
    case (.duration, .plus, .duration): result = .duration(nanoseconds: one + other)
    default: return nil
    }
    guard let result else { throw overflow(offset) }
    return result
  }

  private func reckoned(
    _ symbol: CELOperator, _ left: CELValue, _ right: CELValue, at offset: Int
  ) throws(CELError) -> CELValue {
    guard let one = CELNumber(left), let other = CELNumber(right) else {
      throw CELError("\(left.typeName) \(symbol.rawValue) \(right.typeName) is not defined.", at: offset)
    }
    switch (left, right) {
    case (.int(let left), .int(let right)): return .int(try whole(symbol, left, right, at: offset))
    case (.uint(let left), .uint(let right)): return .uint(try whole(symbol, left, right, at: offset))
    case (.int, .uint), (.uint, .int):
      throw CELError("\(left.typeName) \(symbol.rawValue) \(right.typeName) is not defined.", at: offset)
    default: break
    }
    switch symbol {
    case .plus: return .double(one.double + other.double)
    case .minus: return .double(one.double - other.double)
    case .times: return .double(one.double * other.double)
    case .over: return .double(one.double / other.double)
    default: throw CELError("% is defined for whole numbers alone.", at: offset)
    }
  }

  private func whole<T: FixedWidthInteger>(
    _ symbol: CELOperator, _ left: T, _ right: T, at offset: Int
  ) throws(CELError) -> T {
    let (value, overflows) =
      switch symbol {
      case .plus: left.addingReportingOverflow(right)
      case .minus: left.subtractingReportingOverflow(right)
      case .times: left.multipliedReportingOverflow(by: right)
      case .over: left.dividedReportingOverflow(by: right)
      default: left.remainderReportingOverflow(dividingBy: right)
      }
    if overflows { throw right == 0 ? CELError("Nothing is divided by zero.", at: offset) : overflow(offset) }
    return value
  }
}
