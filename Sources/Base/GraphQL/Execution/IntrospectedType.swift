import JSON

/// The fields of `__Type`, for types with names and for lists and non-null types of them.
struct IntrospectedType: GraphQLObject {
  private let schema: GraphQLSchema
  private let node: TypeNode
  private let type: SchemaType?

  init(_ schema: GraphQLSchema, _ type: SchemaType) {
    self.init(schema, .named(NameNode(text: type.name, position: .none)))
  }

  init(_ schema: GraphQLSchema, _ node: TypeNode) {
    self.schema = schema
    self.node = node
    if case .named(let name) = node { type = schema.type(name.text) } else { type = nil }
  }

  func resolve(_ field: GraphQLField) -> GraphQLResult {
    switch field.name {
    case "kind": .text(kind)
    case "name": .text(type?.name)
    case "description": .text(type?.description)
    case "specifiedByURL": specification
    case "ofType":
      switch node {
      case .named: .null
      case .list(let inner, _), .nonNull(let inner): .object(IntrospectedType(schema, inner))
      }
    default: type.map { members(of: $0, field) } ?? .null
    }
  }

  private var kind: String {
    switch node {
    case .list: "LIST"
    case .nonNull: "NON_NULL"
    case .named: (type?.kind ?? .scalar).location
    }
  }

  private var specification: GraphQLResult {
    guard type?.kind == .scalar, case .string(let url, _) = type?.directives["specifiedBy"]?.arguments["url"]?.kind
    else { return .null }
    return .text(url)
  }

  private func members(of type: SchemaType, _ field: GraphQLField) -> GraphQLResult {
    let hasFields = type.kind == .object || type.kind == .interface
    switch field.name {
    case "fields" where hasFields:
      return .list(
        type.fields.filter { field.shows($0.directives) }.map {
          .object(IntrospectedField(schema: schema, node: $0))
        })
    case "interfaces" where hasFields:
      return .list(type.definition.interfaces.map { .object(IntrospectedType(schema, .named($0))) })
    case "possibleTypes" where type.isAbstract:
      return .list(
        schema.possibleTypes(of: type.name).compactMap { schema.type($0) }.map { .object(IntrospectedType(schema, $0)) }
      )
    case "enumValues" where type.kind == .enumeration:
      return .list(
        type.values.filter { field.shows($0.directives) }.map { .object(IntrospectedValue(node: $0)) })
    case "inputFields" where type.kind == .inputObject: return .inputs(type.inputs, schema, field)
    default: return .null
    }
  }
}

/// The fields of `__Field`.
struct IntrospectedField: GraphQLObject {
  let schema: GraphQLSchema
  let node: FieldDefinitionNode

  func resolve(_ field: GraphQLField) -> GraphQLResult {
    switch field.name {
    case "name": .text(node.name.text)
    case "description": .text(node.description?.text)
    case "args": .inputs(node.arguments, schema, field)
    case "type": .object(IntrospectedType(schema, node.type))
    default: .deprecation(field, node.directives)
    }
  }
}

/// The fields of `__InputValue`.
struct IntrospectedInput: GraphQLObject {
  let schema: GraphQLSchema
  let node: InputValueNode

  func resolve(_ field: GraphQLField) -> GraphQLResult {
    switch field.name {
    case "name": .text(node.name.text)
    case "description": .text(node.description?.text)
    case "type": .object(IntrospectedType(schema, node.type))
    case "defaultValue": .text(node.defaultValue.map(GraphQLPrinter.text))
    default: .deprecation(field, node.directives)
    }
  }
}

/// The fields of `__EnumValue`.
struct IntrospectedValue: GraphQLObject {
  let node: EnumValueNode

  func resolve(_ field: GraphQLField) -> GraphQLResult {
    switch field.name {
    case "name": .text(node.name.text)
    case "description": .text(node.description?.text)
    default: .deprecation(field, node.directives)
    }
  }
}
