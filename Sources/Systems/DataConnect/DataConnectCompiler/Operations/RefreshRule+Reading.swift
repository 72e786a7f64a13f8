import GraphQL

extension RefreshRule {
  /// - Returns: `nil` when it says nothing that can be understood.
  init?(_ directive: DirectiveNode) {
    if let every = directive.arguments["every"], let milliseconds = every.milliseconds {
      self = .every(milliseconds: milliseconds)
      return
    }
    guard case .object(let fields) = directive.arguments["onMutationExecuted"]?.kind,
      case .string(let name, _) = fields["operation"]?.kind
    else { return nil }
    var condition: String?
    if case .string(let text, _) = fields["condition"]?.kind { condition = text }
    self = .mutation(name: name, condition: condition)
  }
}

extension ValueNode {
  private static let units = [
    "milliseconds": 1, "seconds": 1_000, "minutes": 60_000, "hours": 3_600_000, "days": 86_400_000,
    "weeks": 604_800_000,
  ]

  /// A duration in milliseconds: `{minutes: 1, seconds: 30}`. `nil` for months, years, and what is longer than a year.
  var milliseconds: Int? {
    guard case .object(let fields) = kind else { return nil }
    var sum = 0
    for field in fields {
      guard case .integer(let text) = field.value.kind, let number = Int32(text), abs(number) <= 1_000_000_000,
        let unit = Self.units[field.name.text]
      else { return nil }
      sum += Int(number) * unit
    }
    return abs(sum) <= 31_536_000_000 ? sum : nil
  }
}
