extension JSONWriter {
  /// One value of any kind, compact.
  package mutating func value(_ value: JSONValue) {
    switch value {
    case .null: null()
    case .bool(let value): bool(value)
    case .integer(let value): integer(value)
    case .unsigned(let value): integer(value)
    case .double(let value): double(value)
    case .string(let value): string(value)
    case .array(let values):
      byte(0x5B)
      var isFirst = true
      for value in values {
        if !isFirst { byte(0x2C) }
        isFirst = false
        self.value(value)
      }
      byte(0x5D)
    case .object(let object):
      byte(0x7B)
      var isFirst = true
      for (key, value) in object {
        if !isFirst { byte(0x2C) }
        isFirst = false
        string(key)
        byte(0x3A)
        self.value(value)
      }
      byte(0x7D)
    }
  }

  /// One value for people: two spaces a level, a member or element on each line.
  ///
  /// - Parameter sortsKeys: members by name instead of their own order.
  package mutating func pretty(_ value: JSONValue, sortsKeys: Bool = false, level: Int = 0) {
    switch value {
    case .array(let values) where !values.isEmpty:
      byte(0x5B)
      for (index, value) in values.enumerated() {
        if index > 0 { byte(0x2C) }
        newline(level + 1)
        pretty(value, sortsKeys: sortsKeys, level: level + 1)
      }
      newline(level)
      byte(0x5D)
    case .object(let object) where !object.isEmpty:
      byte(0x7B)
      let members = sortsKeys ? object.sorted { $0.key < $1.key } : Array(object)
      for (index, member) in members.enumerated() {
        if index > 0 { byte(0x2C) }
        newline(level + 1)
        string(member.key)
        raw(": ")
        pretty(member.value, sortsKeys: sortsKeys, level: level + 1)
      }
      newline(level)
      byte(0x7D)
    default: self.value(value)
    }
  }

  private mutating func newline(_ level: Int) {
    byte(0x0A)
    for _ in 0..<level { raw("  ") }
  }
}
