import GraphQL

/// Resolves the operations of checked documents: expands fragments, and merges fields with the same name.
struct SelectionResolver {
  private let schema: CompiledSchema
  private let fragments: [String: FragmentNode]
  private let mutations: [String]

  /// The conditions and directives of the fragments around a field.
  private struct Context {
    var isRedacted = false
    var conditions: [FieldCondition] = []
    var checks: [CheckRule] = []

    func inside(_ directives: [DirectiveNode]) -> Context {
      Context(
        isRedacted: isRedacted || directives["redact"] != nil, conditions: conditions + directives.conditions,
        checks: checks + directives.checks)
    }
  }

  init(_ document: DocumentNode, _ schema: CompiledSchema) {
    self.schema = schema
    mutations = document.operations.filter { $0.kind == .mutation }.compactMap(\.name?.text)
    fragments = Dictionary(document.fragments.map { ($0.name.text, $0) }) { first, _ in first }
  }

  mutating func operation(_ node: OperationNode) -> CompiledOperation? {
    guard let root = schema.graphQL.roots[node.kind] else { return nil }
    return CompiledOperation(
      name: node.name?.text ?? "", kind: node.kind, variables: node.variables.map(Self.variable),
      access: Self.access(node),
      isTransaction: node.directives["transaction"] != nil, checks: node.directives.checks,
      refreshes: node.directives.filter { $0.name.text == "refresh" }
        .flatMap { RefreshRule.rules(of: $0, mutations: mutations) },
      retirement: node.directives.retirement, fields: fields(node.selections, of: root, Context()), node: node)
  }

  private static func variable(_ node: VariableNode) -> CompiledVariable {
    CompiledVariable(
      name: node.name.text, type: node.type, defaultValue: node.defaultValue,
      allowed: node.directives["allow"].map(AllowRule.init), retirement: node.directives.retirement,
      position: node.position)
  }

  private static func access(_ node: OperationNode) -> OperationAccess {
    let directive = node.directives["auth"]
    let reason = directive?.text("insecureReason")
    if let expression = directive?.text("expr") {
      return OperationAccess(grant: .expression(expression), insecureReason: reason)
    }
    let level = directive?.words("level")?.first.flatMap(OperationAccess.Level.init)
    return OperationAccess(grant: .level(level ?? .nobody), insecureReason: reason)
  }

  // MARK: Selections

  /// The validation rules limit how many fields this produces.
  private func fields(_ selections: [SelectionNode], of parent: String, _ context: Context) -> [CompiledField] {
    var (found, indices): ([CompiledField], [String: Int]) = ([], [:])
    collect(selections, of: parent, context, into: &found, &indices)
    return found
  }

  private func collect(
    _ selections: [SelectionNode], of parent: String, _ context: Context, into found: inout [CompiledField],
    _ indices: inout [String: Int]
  ) {
    for selection in selections {
      switch selection {
      case .field(let node):
        guard let field = field(node, of: parent, context) else { continue }
        if let index = indices[field.responseName] {
          found[index].merge(field)
        } else {
          indices[field.responseName] = found.count
          found.append(field)
        }
      case .inline(let node):
        let type = node.typeCondition?.text ?? parent
        collect(node.selections, of: type, context.inside(node.directives), into: &found, &indices)
      case .spread(let node):
        guard let fragment = fragments[node.name.text] else { continue }
        let inside = context.inside(node.directives).inside(fragment.directives)
        collect(fragment.selections, of: fragment.typeCondition.text, inside, into: &found, &indices)
      }
    }
  }

  private func field(_ node: FieldNode, of parent: String, _ context: Context) -> CompiledField? {
    guard let type = schema.graphQL.type(parent),
      let definition = schema.graphQL.field(node.name.text, of: type)
    else { return nil }
    let inside = context.inside(node.directives)
    return CompiledField(
      responseName: node.responseName, name: node.name.text, parent: parent, type: definition.type,
      arguments: node.arguments, fields: fields(node.selections, of: definition.type.name.text, Context()),
      isRedacted: inside.isRedacted, conditions: inside.conditions, checks: inside.checks,
      retirement: node.directives.retirement, position: node.position)
  }
}

extension CompiledField {
  /// Puts in what is selected of the same field at another place.
  fileprivate mutating func merge(_ other: CompiledField) {
    var other = other
    if presences != other.presences {
      limitFields()
      other.limitFields()
    }
    isRedacted = isRedacted && other.isRedacted
    if conditions.isEmpty || other.conditions.isEmpty {
      (conditions, otherConditions) = ([], [])
    } else {
      otherConditions += other.presences.filter { !presences.contains($0) }
    }
    checks += other.checks.filter { !checks.contains($0) }
    for field in other.fields {
      if let index = fields.firstIndex(where: { $0.responseName == field.responseName }) {
        fields[index].merge(field)
      } else {
        fields.append(field)
      }
    }
  }

  /// Has what this place selects of the field be there where this place has the field, and not where only another does.
  /// With conditions of several places it is so already.
  private mutating func limitFields() {
    guard !conditions.isEmpty, otherConditions.isEmpty else { return }
    for index in fields.indices {
      fields[index].conditions = conditions + fields[index].conditions
      fields[index].otherConditions = fields[index].otherConditions.map { conditions + $0 }
    }
  }
}
