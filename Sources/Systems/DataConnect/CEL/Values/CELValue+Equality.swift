import Text

extension CELValue: Hashable {
  /// Texts are equal by their code points, as the language has it: two spellings of an accent are two keys of a map.
  package static func == (left: CELValue, right: CELValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.int(let left), .int(let right)): left == right
    case (.uint(let left), .uint(let right)): left == right
    case (.double(let left), .double(let right)): left == right
    case (.string(let left), .string(let right)), (.type(let left), .type(let right)): left.hasBytes(of: right)
    case (.bytes(let left), .bytes(let right)): left == right
    case (.timestamp(let seconds, let nanoseconds), .timestamp(let other, let others)),
      (.duration(let seconds, let nanoseconds), .duration(let other, let others)):
      (seconds, nanoseconds) == (other, others)
    case (.list(let left), .list(let right)): left == right
    case (.map(let left), .map(let right)): left == right
    default: false
    }
  }

  package func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let value): hasher.combine(value)
    case .int(let value): hasher.combine(value)
    case .uint(let value): hasher.combine(value)
    case .double(let value): hasher.combine(value)
    case .string(let text), .type(let text): hasher.combine(ExactText(text))
    case .bytes(let bytes): hasher.combine(bytes)
    case .timestamp(let seconds, let nanoseconds), .duration(let seconds, let nanoseconds):
      hasher.combine(seconds)
      hasher.combine(nanoseconds)
    case .list(let values): hasher.combine(values)
    case .map(let members): hasher.combine(members)
    }
  }
}
