extension CELEvaluation {
  mutating func macro(
    _ macro: CELMacro, over range: CELValue, _ variable: String, _ operands: [CELNode], at offset: Int
  ) throws(CELError) -> CELValue {
    let elements: [CELValue]
    switch range {
    case .list(let values): elements = values
    case .map(let map): elements = Array(map.keys)
    default: throw CELError("\(macro.rawValue)() goes through lists and maps, not \(range.typeName).", at: offset)
    }
    try charge(elements.count, at: offset)
    variables.append((variable, .null))
    defer { variables.removeLast() }
    let own = variables.count - 1
    var (failure, found, values): (CELError?, Int, [CELValue]) = (nil, 0, [])
    for element in elements {
      variables[own].value = element
      switch macro {
      case .all, .exists:
        do {
          let isMet = try bool(value(of: operands[0]), at: operands[0].offset)
          if isMet == (macro == .exists) { return .bool(isMet) }
        } catch {
          if error.isFinal { throw error }
          failure = failure ?? error
        }
      case .existsOne: if try bool(value(of: operands[0]), at: operands[0].offset) { found += 1 }
      case .filter: if try bool(value(of: operands[0]), at: operands[0].offset) { values.append(element) }
      case .map:
        if operands.count == 2, try !bool(value(of: operands[0]), at: operands[0].offset) { continue }
        values.append(try value(of: operands[operands.count - 1]))
      }
    }
    if let failure { throw failure }
    switch macro {
    case .all: return .bool(true)
    case .exists: return .bool(false)
    case .existsOne: return .bool(found == 1)
    case .filter, .map: return .list(values)
    }
  }
}
