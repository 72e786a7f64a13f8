import GraphQL

extension OperationCheck {
  /// Arguments of root fields that exclude or need each other.
  mutating func field(_ node: FieldNode, of parent: SchemaType) {
    limit(node)
    guard ["Query", "Mutation"].contains(parent.name), let action = schema.action(ofRootField: node.name.text) else {
      return
    }
    switch action.kind {
    case .lookup, .mutation(.update), .mutation(.delete):
      exactlyOne(["id", "id_expr", "key", "first"], node, of: parent, action.table)
    case .mutation(.updateMany), .mutation(.deleteMany): rows(node)
    case .similarity: exactlyOne(["compare", "compare_embed"], node, of: parent, action.table)
    case .search where given("query", node) == nil:
      add("The search says nothing of what to look for.", fix: "Write query: \"…\".", at: node.name.position)
    default: break
    }
  }

  /// A list has at most so many rows, whatever its limit.
  private mutating func limit(_ node: FieldNode) {
    guard let limit = node.arguments.first(where: { $0.name.text == "limit" }),
      case .integer(let text) = limit.value.kind,
      let number = Int(text), number > Self.mostRows
    else { return }
    problems.warn(
      "At most \(Self.mostRows) rows are answered.", fix: "Write limit: \(Self.mostRows), and page with offset.",
      code: Self.code, at: limit.value.position)
  }

  private static let mostRows = 10_000

  private func given(_ name: String, _ node: FieldNode) -> ArgumentNode? {
    node.arguments.first { $0.name.text == name && $0.value.kind != .null }
  }

  private mutating func exactlyOne(
    _ names: [String], _ node: FieldNode, of parent: SchemaType, _ table: String
  ) {
    let found = names.compactMap { given($0, node) }
    let arguments = parent.field(node.name.text)?.arguments.map(\.name.text) ?? []
    let known = names.filter(arguments.contains)
    if found.isEmpty {
      add(
        "\(node.name.text.quoted) does not say which row of \(table) is meant.",
        fix: "Give one of \(known.joined(separator: ", ")).", at: node.name.position)
    } else if found.count > 1 {
      add(
        "\(found.map(\.name.text).joined(separator: " and ")) exclude each other.", fix: "Remove all but one.",
        at: found[1].name.position)
    }
  }

  /// Checks that a mutation of rows selects some of them, or explicitly all.
  private mutating func rows(_ node: FieldNode) {
    let (condition, all) = (given("where", node), given("all", node))
    let isAll = all.map { $0.value.kind != .boolean(false) } ?? false
    if condition == nil, !isAll {
      add(
        "\(node.name.text.quoted) does not say which rows are meant.", fix: "Give \"where\", or \"all: true\".",
        at: node.name.position)
    } else if condition != nil, isAll, let all {
      add("where and all exclude each other.", fix: "Remove one.", at: all.name.position)
    }
  }

  // MARK: Refreshing

  mutating func refresh(_ directive: DirectiveNode) {
    let (every, event) = (directive.arguments["every"], directive.arguments["onMutationExecuted"])
    if (every == nil) == (event == nil) {
      return add(
        "@refresh takes exactly one of every and onMutationExecuted.",
        fix: every == nil ? "Write @refresh(every: {minutes: 1})." : "Write it twice, each with one.",
        at: directive.position)
    }
    if let every, !(10_000...3_600_000).contains(every.milliseconds ?? 0) {
      add(
        "A query is refreshed every 10 seconds at the soonest, and every hour at the latest.",
        fix: "Write @refresh(every: {minutes: 1}).", at: every.position)
    }
    for event in event?.listed ?? [] {
      guard case .object(let fields) = event.kind, let operation = fields["operation"],
        case .string(let name, _) = operation.kind, RefreshRule.known(name, among: mutations) == nil
      else { continue }
      add(
        "The connector has no mutation \(name.quoted).", fix: suggestion(for: name, among: mutations),
        at: operation.position)
    }
  }
}
