import JSON

/// The fields of `__Schema`.
struct IntrospectedSchema: GraphQLObject {
  let schema: GraphQLSchema

  func resolve(_ field: GraphQLField) -> GraphQLResult {
    switch field.name {
    case "description": .text(schema.description)
    case "types":
      .list(schema.typeNames.compactMap { schema.type($0) }.map { .object(IntrospectedType(schema, $0)) })
    case "queryType": root(.query)
    case "mutationType": root(.mutation)
    case "subscriptionType": root(.subscription)
    case "directives":
      .list(
        schema.directiveNames.compactMap { schema.directives[$0] }.map {
          .object(IntrospectedDirective(schema: schema, node: $0))
        })
    default: .null
    }
  }

  private func root(_ kind: OperationKind) -> GraphQLResult {
    schema.root(kind).map { .object(IntrospectedType(schema, $0)) } ?? .null
  }
}

/// The fields of `__Directive`.
struct IntrospectedDirective: GraphQLObject {
  let schema: GraphQLSchema
  let node: DirectiveDefinitionNode

  func resolve(_ field: GraphQLField) -> GraphQLResult {
    switch field.name {
    case "name": .text(node.name.text)
    case "description": .text(node.description?.text)
    case "locations": .list(node.locations.map { .text($0.text) })
    case "args": .inputs(node.arguments, schema, field)
    case "isRepeatable": .value(.bool(node.isRepeatable))
    default: .null
    }
  }
}

extension GraphQLResult {
  static func text(_ text: String?) -> GraphQLResult { text.map { .value(.string($0)) } ?? .null }

  static func inputs(_ nodes: [InputValueNode], _ schema: GraphQLSchema, _ field: GraphQLField) -> GraphQLResult {
    .list(
      nodes.filter { field.shows($0.directives) }.map { .object(IntrospectedInput(schema: schema, node: $0)) })
  }

  static func deprecation(_ field: GraphQLField, _ directives: [DirectiveNode]) -> GraphQLResult {
    let node = directives["deprecated"]
    if field.name == "isDeprecated" { return .value(.bool(node != nil)) }
    guard let node else { return .null }
    if case .string(let reason, _) = node.arguments["reason"]?.kind { return .text(reason) }
    return .text("No longer supported")
  }
}

extension GraphQLField {
  /// Whether something with these directives is listed: what is deprecated, on demand only.
  func shows(_ directives: [DirectiveNode]) -> Bool {
    directives["deprecated"] == nil || arguments["includeDeprecated"]?.boolValue == true
  }
}
