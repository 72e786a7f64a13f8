/// What every schema has without saying so.
enum BuiltIns {
  private static let text = """
    scalar Int
    scalar Float
    scalar String
    scalar Boolean
    scalar ID
    "Leaves a field or fragment out, unless the condition is true."
    directive @include("Whether to have it." if: Boolean!) on FIELD | FRAGMENT_SPREAD | INLINE_FRAGMENT
    "Leaves a field or fragment out when the condition is true."
    directive @skip("Whether to leave it out." if: Boolean!) on FIELD | FRAGMENT_SPREAD | INLINE_FRAGMENT
    "Marks what should not be used any more."
    directive @deprecated(
      "Why, and what to use in its place, as Markdown." reason: String = "No longer supported"
    ) on FIELD_DEFINITION | ARGUMENT_DEFINITION | INPUT_FIELD_DEFINITION | ENUM_VALUE
    "Says where the form of a scalar's values is described."
    directive @specifiedBy("The URL of the description." url: String!) on SCALAR
    type __Schema {
      description: String
      types: [__Type!]!
      queryType: __Type!
      mutationType: __Type
      subscriptionType: __Type
      directives: [__Directive!]!
    }
    type __Type {
      kind: __TypeKind!
      name: String
      description: String
      specifiedByURL: String
      fields(includeDeprecated: Boolean = false): [__Field!]
      interfaces: [__Type!]
      possibleTypes: [__Type!]
      enumValues(includeDeprecated: Boolean = false): [__EnumValue!]
      inputFields(includeDeprecated: Boolean = false): [__InputValue!]
      ofType: __Type
    }
    type __Field {
      name: String!
      description: String
      args(includeDeprecated: Boolean = false): [__InputValue!]!
      type: __Type!
      isDeprecated: Boolean!
      deprecationReason: String
    }
    type __InputValue {
      name: String!
      description: String
      type: __Type!
      defaultValue: String
      isDeprecated: Boolean!
      deprecationReason: String
    }
    type __EnumValue {
      name: String!
      description: String
      isDeprecated: Boolean!
      deprecationReason: String
    }
    type __Directive {
      name: String!
      description: String
      locations: [__DirectiveLocation!]!
      args(includeDeprecated: Boolean = false): [__InputValue!]!
      isRepeatable: Boolean!
    }
    enum __TypeKind { SCALAR OBJECT INTERFACE UNION ENUM INPUT_OBJECT LIST NON_NULL }
    enum __DirectiveLocation { \(locations.joined(separator: " ")) }
    type __Fields { __typename: String! __schema: __Schema! __type(name: String!): __Type }
    """

  /// Where directives may stand.
  static let locations =
    executableLocations + [
      "SCHEMA", "SCALAR", "OBJECT", "FIELD_DEFINITION", "ARGUMENT_DEFINITION", "INTERFACE", "UNION", "ENUM",
      "ENUM_VALUE", "INPUT_OBJECT", "INPUT_FIELD_DEFINITION",
    ]
  static let executableLocations = [
    "QUERY", "MUTATION", "SUBSCRIPTION", "FIELD", "FRAGMENT_DEFINITION", "FRAGMENT_SPREAD", "INLINE_FRAGMENT",
    "VARIABLE_DEFINITION",
  ]

  private static let definitions =
    GraphQLParser.read([GraphQLSource(text)], limits: .sources, keepsPositions: false).document.definitions

  static let types: [TypeDefinitionNode] = definitions.compactMap { definition -> TypeDefinitionNode? in
    if case .type(let node) = definition, node.name.text != "__Fields" { node } else { nil }
  }
  static let directives: [DirectiveDefinitionNode] = definitions.compactMap { definition -> DirectiveDefinitionNode? in
    if case .directive(let node) = definition { node } else { nil }
  }
  static let directiveNames = Set(directives.map(\.name.text))
  static let scalarNames: Set = ["Int", "Float", "String", "Boolean", "ID"]

  private static let fields: [FieldDefinitionNode] = definitions.flatMap { definition -> [FieldDefinitionNode] in
    if case .type(let node) = definition, node.name.text == "__Fields" { node.fields } else { [] }
  }
  static let typeName = fields.first { $0.name.text == "__typename" }
  static let schema = fields.first { $0.name.text == "__schema" }
  static let type = fields.first { $0.name.text == "__type" }
}
