import DataConnectCompiler
import GraphQL

extension ExpressionTable {
  /// The defaults of columns.
  mutating func add(_ schema: CompiledSchema) {
    for table in schema.tables {
      for column in table.columns {
        guard case .expression(let text) = column.defaultValue else { continue }
        add(text, at: column.position, isText: false, in: schema.sources)
      }
    }
  }

  /// Adds the expressions in the directives and arguments of a connector's operations.
  mutating func add(_ connector: CompiledConnector) {
    for operation in connector.operations {
      add(operation.node.directives, connector)
      add(operation.fields, connector)
    }
    for fragment in connector.document.fragments {
      add(fragment.directives, connector)
      add(fragment.selections, connector)
    }
    for operation in connector.document.operations { add(operation.selections, connector) }
  }

  /// Every `@check` and `@auth`.
  private mutating func add(_ directives: [DirectiveNode], _ connector: CompiledConnector) {
    for directive in directives {
      switch directive.name.text {
      case "auth", "check":
        guard let value = directive.arguments["expr"], case .string(let text, _) = value.kind else { continue }
        add(text, at: value.position, in: connector.document.sources)
      case "refresh":
        for event in directive.arguments["onMutationExecuted"]?.listed ?? [] {
          guard case .object(let fields) = event.kind, let value = fields["condition"],
            case .string(let text, _) = value.kind
          else { continue }
          add(text, at: value.position, in: connector.document.sources)
        }
      default: break
      }
    }
  }

  private mutating func add(_ selections: [SelectionNode], _ connector: CompiledConnector) {
    for selection in selections {
      add(selection.directives, connector)
      switch selection {
      case .field(let node): add(node.selections, connector)
      case .inline(let node): add(node.selections, connector)
      case .spread: break
      }
    }
  }

  /// Adds the default expressions of checks, and the expressions in arguments.
  private mutating func add(_ fields: [CompiledField], _ connector: CompiledConnector) {
    let schema = connector.schema.graphQL
    for field in fields {
      for check in field.checks {
        add(check.expression, at: check.position, isText: false, in: connector.document.sources)
      }
      let definition = schema.type(field.parent).flatMap { schema.field(field.name, of: $0) }
      for argument in field.arguments {
        let type = definition?.arguments.first { $0.name.text == argument.name.text }?.type
        add(argument, type, connector)
      }
      add(field.fields, connector)
    }
  }

  /// An argument, or a field of an input: an expression by its type, or by its name where anything may stand.
  private mutating func add(_ argument: ArgumentNode, _ type: TypeNode?, _ connector: CompiledConnector) {
    let isExpression = type?.name.text.hasSuffix("_Expr") ?? (argument.name.text == "_expr")
    if isExpression, case .string(let text, _) = argument.value.kind {
      add(text, at: argument.value.position, in: connector.document.sources)
    } else {
      add(argument.value, type, connector)
    }
  }

  private mutating func add(_ value: ValueNode, _ type: TypeNode?, _ connector: CompiledConnector) {
    switch value.kind {
    case .list(let values): for value in values { add(value, type, connector) }
    case .object(let fields):
      let input = type.flatMap { connector.schema.graphQL.type($0.name.text) }
      for field in fields { add(field, input?.input(field.name.text)?.type, connector) }
    default: break
    }
  }
}

extension ExpressionTable {
  /// The texts of an operation's expressions.
  static func texts(of operation: CompiledOperation) -> Set<String> {
    var texts: Set<String> = []
    if case .expression(let text) = operation.access.grant { texts.insert(text) }
    texts.formUnion(operation.checks.map(\.expression))
    for refresh in operation.refreshes {
      if case .mutation(_, let condition?) = refresh { texts.insert(condition) }
    }
    collect(operation.fields, &texts)
    return texts
  }

  private static func collect(_ fields: [CompiledField], _ texts: inout Set<String>) {
    for field in fields {
      texts.formUnion(field.checks.map(\.expression))
      for argument in field.arguments { collect(argument, &texts) }
      collect(field.fields, &texts)
    }
  }

  private static func collect(_ argument: ArgumentNode, _ texts: inout Set<String>) {
    if argument.name.text.hasSuffix("_expr"), case .string(let text, _) = argument.value.kind { texts.insert(text) }
    collect(argument.value, &texts)
  }

  private static func collect(_ value: ValueNode, _ texts: inout Set<String>) {
    switch value.kind {
    case .list(let values): for value in values { collect(value, &texts) }
    case .object(let fields): for field in fields { collect(field, &texts) }
    default: break
    }
  }
}
