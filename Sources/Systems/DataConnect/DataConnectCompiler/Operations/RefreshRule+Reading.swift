package import GraphQL

extension RefreshRule {
  /// Returns the rules of a directive: one for each mutation that it names.
  ///
  /// - Parameter mutations: the names of the connector's mutations. Their first letter may be written in either case.
  static func rules(of directive: DirectiveNode, mutations: [String]) -> [RefreshRule] {
    if let every = directive.arguments["every"], let milliseconds = every.milliseconds {
      return [.every(milliseconds: milliseconds)]
    }
    return (directive.arguments["onMutationExecuted"]?.listed ?? []).compactMap { event in
      guard case .object(let fields) = event.kind, case .string(let name, _) = fields["operation"]?.kind else {
        return nil
      }
      var condition: String?
      if case .string(let text, _) = fields["condition"]?.kind { condition = text }
      return .mutation(name: known(name, among: mutations) ?? name, condition: condition)
    }
  }

  /// The name of a mutation as the connector writes it.
  static func known(_ name: String, among mutations: [String]) -> String? {
    mutations.contains(name) ? name : mutations.first { $0.raisingFirst == name.raisingFirst }
  }
}

extension ValueNode {
  /// The values of a list; one value alone is a list of it.
  package var listed: [ValueNode] {
    switch kind {
    case .list(let values): values
    case .null: []
    default: [self]
    }
  }

  private static let units = [
    "milliseconds": 1, "seconds": 1_000, "minutes": 60_000, "hours": 3_600_000, "days": 86_400_000,
    "weeks": 604_800_000,
  ]

  /// A duration in milliseconds: `{minutes: 1, seconds: 30}`. `nil` for months, years, and what is longer than a year.
  var milliseconds: Int? {
    guard case .object(let fields) = kind else { return nil }
    var sum = 0
    for field in fields {
      guard case .integer(let text) = field.value.kind, let number = Int(text), number.magnitude <= 1_000_000_000,
        let unit = Self.units[field.name.text]
      else { return nil }
      // A member may be written any number of times.
      sum += number * unit
      guard sum.magnitude <= 1 << 60 else { return nil }
    }
    return abs(sum) <= 31_536_000_000 ? sum : nil
  }
}
