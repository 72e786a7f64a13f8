import GraphQL

/// The rules for operations that GraphQL does not know.
struct OperationCheck {
  let document: DocumentNode
  let schema: CompiledSchema
  var problems: ProblemList
  /// The names of the connector's mutations.
  let mutations: [String]
  /// Whether no client calls them.
  let isAdministrative: Bool

  static let code = "Operation"

  init(
    _ document: DocumentNode, _ schema: CompiledSchema, _ problems: ProblemList, isAdministrative: Bool = false
  ) {
    self.isAdministrative = isAdministrative
    self.document = document
    self.schema = schema
    self.problems = problems
    mutations = document.operations.filter { $0.kind == .mutation }.compactMap(\.name?.text)
  }

  mutating func add(_ message: String, fix: String? = nil, at position: SourcePosition) {
    problems.add(message, fix: fix, code: Self.code, at: position)
  }

  mutating func run() {
    checkNames()
    for definition in document.definitions {
      switch definition {
      case .operation(let node):
        operation(node)
        if let root = schema.graphQL.root(node.kind) { selections(node.selections, of: root) }
      case .fragment(let node):
        directives(node.directives)
        if let type = schema.graphQL.type(node.typeCondition.text) { selections(node.selections, of: type) }
      default: break
      }
    }
  }

  /// Clients call operations with their first letter in either case.
  private mutating func checkNames() {
    var seen: [String: String] = [:]
    for case .operation(let node) in document.definitions {
      guard let name = node.name else { continue }
      let other = seen.updateValue(name.text, forKey: "\(node.kind.rawValue) \(name.text.raisingFirst)")
      if let other, other != name.text {
        add(
          "\(name.text.quoted) and \(other.quoted) have the same name for clients.", fix: "Rename one.",
          at: name.position)
      }
    }
  }

  private mutating func operation(_ node: OperationNode) {
    if node.kind == .subscription {
      add(
        "A connector has queries and mutations, and no subscriptions.",
        fix: "Make it a query: clients can listen to each.", at: node.position)
    }
    guard let name = node.name else {
      if isAdministrative {
        for variable in node.variables { self.variable(variable) }
        return directives(node.directives)
      }
      return add("The operation has no name, so that no client can call it.", fix: "Name it.", at: node.position)
    }
    if name.text.hasPrefix("_") {
      add("Names that begin with _ are kept for what is generated.", fix: "Rename it.", at: name.position)
    }
    access(node, name)
    for directive in node.directives where directive.name.text == "refresh" { refresh(directive) }
    for variable in node.variables { self.variable(variable) }
    directives(node.directives)
  }

  private mutating func access(_ node: OperationNode, _ name: NameNode) {
    guard let directive = node.directives["auth"] else {
      if isAdministrative { return }
      return problems.warn(
        "\(name.text.quoted) does not say who may call it, so that no client may.",
        fix: "Write @auth(level: USER), or what else fits; @auth(level: NO_ACCESS) if that is meant.",
        code: Self.code, at: name.position)
    }
    let isGiven = ["level", "expr"].map { directive.arguments[$0].map { $0.kind != .null } ?? false }
    if isGiven[0] == isGiven[1] {
      add(
        "@auth takes exactly one of level and expr.", fix: isGiven[0] ? "Remove one." : "Write @auth(level: USER).",
        at: directive.position)
    }
  }

  // MARK: Selections

  private mutating func selections(_ selections: [SelectionNode], of parent: SchemaType) {
    for selection in selections {
      directives(selection.directives)
      switch selection {
      case .spread: break
      case .inline(let node):
        let type = node.typeCondition.map { schema.graphQL.type($0.text) } ?? parent
        if let type { self.selections(node.selections, of: type) }
      case .field(let node):
        guard let definition = schema.graphQL.field(node.name.text, of: parent) else { continue }
        field(node, of: parent)
        for argument in node.arguments {
          guard let input = definition.arguments.first(where: { $0.name.text == argument.name.text }) else { continue }
          value(argument.value, input.type)
        }
        if let type = schema.graphQL.type(definition.type.name.text) { self.selections(node.selections, of: type) }
      }
    }
  }

  /// Checks the rules of directives that are not about types.
  private mutating func directives(_ nodes: [DirectiveNode]) {
    for node in nodes {
      for argument in node.arguments where argument.name.text == "expr" {
        guard case .string(let text, _) = argument.value.kind, text.allSatisfy(\.isWhitespace) else { continue }
        add("The expression is empty.", fix: "Write one.", at: argument.value.position)
      }
    }
  }
}
