import Text

/// A single evaluation of an expression.
struct CELEvaluation {
  let bindings: [String: CELValue]
  /// The variables of the macros around, the innermost last.
  var variables: [(name: String, value: CELValue)] = []
  private var left: Int
  private let cost: Int

  init(bindings: [String: CELValue], cost: Int) {
    (self.bindings, self.cost, left) = (bindings, cost, cost)
  }

  /// - Throws: `CELError`, which no operator catches, when no steps are left.
  mutating func charge(_ steps: Int, at offset: Int) throws(CELError) {
    left -= min(steps, left + 1)
    if left < 0 { throw CELError("The expression takes more than \(cost) steps.", at: offset, isFinal: true) }
  }

  /// Charges a step for each value inside of a value, which may be there many times and kept once.
  mutating func charge(_ value: CELValue, at offset: Int) throws(CELError) {
    try charge(1, at: offset)
    switch value {
    case .list(let values): for value in values { try charge(value, at: offset) }
    case .map(let map): for value in map.values { try charge(value, at: offset) }
    default: break
    }
  }

  mutating func value(of node: CELNode) throws(CELError) -> CELValue {
    try charge(1, at: node.offset)
    switch node.kind {
    case .literal(let value): return value
    case .name(let name): return try named(name, at: node.offset)
    case .member(let map, let name): return try member(.string(name), of: value(of: map), at: node.offset)
    case .has(let map, let name):
      guard case .map(let map) = try value(of: map) else {
        throw CELError("has() looks into maps alone.", at: node.offset)
      }
      try charge(name.utf8.count, at: node.offset)
      return .bool(map[.string(name)] != nil)
    case .element(let list, let index): return try member(value(of: index), of: value(of: list), at: node.offset)
    case .call(let function, let operands):
      var values: [CELValue] = []
      for operand in operands { values.append(try value(of: operand)) }
      return try call(function, values, at: node.offset)
    case .list(let nodes):
      var values: [CELValue] = []
      for node in nodes { values.append(try value(of: node)) }
      return .list(values)
    case .map(let entries): return try map(entries)
    case .not(let operand): return .bool(try !bool(value(of: operand), at: node.offset))
    case .negative(let operand): return try negative(value(of: operand), at: node.offset)
    case .binary(let symbol, let left, let right):
      return try binary(symbol, value(of: left), value(of: right), at: node.offset)
    case .and(let operands): return .bool(try logic(operands, deciding: false, at: node.offset))
    case .or(let operands): return .bool(try logic(operands, deciding: true, at: node.offset))
    case .conditional(let condition, let one, let other):
      return try value(of: bool(value(of: condition), at: condition.offset) ? one : other)
    case .macro(let macro, let range, let variable, let operands):
      return try self.macro(macro, over: value(of: range), variable, operands, at: node.offset)
    }
  }

  func bool(_ value: CELValue, at offset: Int) throws(CELError) -> Bool {
    guard case .bool(let value) = value else {
      throw CELError("There is \(value.typeName) where a bool is needed.", at: offset)
    }
    return value
  }

  private func named(_ name: String, at offset: Int) throws(CELError) -> CELValue {
    if let variable = variables.last(where: { $0.name == name }) { return variable.value }
    if let value = bindings[name] { return value }
    if CELValue.typeNames.contains(name) { return .type(name) }
    throw CELError("There is no \(name.shownInMessage(limit: 40)) here.", at: offset)
  }

  private mutating func member(_ key: CELValue, of value: CELValue, at offset: Int) throws(CELError) -> CELValue {
    switch value {
    case .map(let map):
      guard let key = key.key else { throw CELError("\(key.typeName) is not a key of a map.", at: offset) }
      if case .string(let text) = key { try charge(text.utf8.count, at: offset) }
      guard let value = map[key] else {
        throw CELError("There is no \((CELText.of(key) ?? "").shownInMessage(limit: 40)).", at: offset)
      }
      return value
    case .list(let values):
      guard case .int(let index)? = key.key, index >= 0, index < values.count else {
        throw CELError("The list has no such element.", at: offset)
      }
      return values[Int(index)]
    default: throw CELError("\(value.typeName) has no members.", at: offset)
    }
  }

  private mutating func map(_ entries: [(key: CELNode, value: CELNode)]) throws(CELError) -> CELValue {
    var map: [CELValue: CELValue] = [:]
    for (key, node) in entries {
      let written = try value(of: key)
      guard let name = written.key else {
        throw CELError("\(written.typeName) is not a key of a map.", at: key.offset)
      }
      if case .string(let text) = name { try charge(text.utf8.count, at: key.offset) }
      guard map.updateValue(try value(of: node), forKey: name) == nil else {
        throw CELError("A key is there twice.", at: key.offset)
      }
    }
    return .map(map)
  }

  /// `&&` and `||`: an operand that decides is the result whatever errors the others are.
  private mutating func logic(
    _ operands: [CELNode], deciding: Bool, at offset: Int
  ) throws(CELError) -> Bool {
    var failure: CELError?
    for operand in operands {
      do {
        if try bool(value(of: operand), at: operand.offset) == deciding { return deciding }
      } catch {
        if error.isFinal { throw error }
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
    return !deciding
  }
}
