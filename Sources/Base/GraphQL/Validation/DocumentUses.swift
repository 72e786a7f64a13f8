/// Everything that a document uses, with what the schema knows of it, in the order of the document: what rules look at.
struct DocumentUses {
  /// A field, and the definition that it has in the type that it is selected from.
  struct Field {
    let node: FieldNode
    let parent: SchemaType
    let definition: FieldDefinitionNode?
  }

  /// A fragment that is spread, or written in place.
  struct Spread {
    /// The name of the fragment; `nil` for one in place.
    let fragment: NameNode?
    /// Of one in place.
    let typeCondition: NameNode?
    let parent: SchemaType?
    /// The index of the definition that contains it.
    let owner: Int
    let position: SourcePosition
  }

  /// The arguments that a field or a directive gets.
  struct Arguments {
    enum Owner {
      case field(SchemaType, FieldDefinitionNode)
      case directive(DirectiveDefinitionNode)
      case unknown
    }

    let owner: Owner
    let given: [ArgumentNode]
    let position: SourcePosition

    var definitions: [InputValueNode]? {
      switch owner {
      case .field(_, let definition): definition.arguments
      case .directive(let definition): definition.arguments
      case .unknown: nil
      }
    }

    /// The use in the words of an error message.
    var words: String {
      switch owner {
      case .field(let type, let definition): "the field \(type.name).\(definition.name.text)".shownInError
      case .directive(let definition): "the directive @\(definition.name.text)".shownInError
      case .unknown: "it"
      }
    }
  }

  /// The directives at one place.
  struct Directives {
    let nodes: [DirectiveNode]
    let location: String
  }

  /// A value, and the type that it should have.
  struct Value {
    let node: ValueNode
    let type: TypeNode
  }

  /// A variable in a value.
  struct Variable {
    let name: NameNode
    /// What is wanted there; `nil` where the schema does not say.
    let type: TypeNode?
    /// Whether the argument or input field there has a default.
    let hasDefault: Bool
    let owner: Int
  }

  var fields: [Field] = []
  var spreads: [Spread] = []
  var arguments: [Arguments] = []
  var directives: [Directives] = []
  var values: [Value] = []
  var variables: [Variable] = []
  /// The fields of each input object that is written.
  var objects: [[ArgumentNode]] = []
  /// The definition that is being looked at.
  var owner = 0

  let schema: GraphQLSchema

  init(schema: GraphQLSchema) { self.schema = schema }

  mutating func note(_ nodes: [DirectiveNode], at location: String) {
    if nodes.isEmpty { return }
    directives.append(Directives(nodes: nodes, location: location))
    for node in nodes {
      let owner = schema.directives[node.name.text].map(Arguments.Owner.directive) ?? .unknown
      note(Arguments(owner: owner, given: node.arguments, position: node.position))
    }
  }

  mutating func note(_ use: Arguments) {
    arguments.append(use)
    let definitions = use.definitions
    for argument in use.given {
      let definition = definitions?.first { $0.name.text == argument.name.text }
      if let definition { values.append(Value(node: argument.value, type: definition.type)) }
      look(into: argument.value, definition?.type, hasDefault: definition?.defaultValue != nil)
    }
  }

  /// Notes the variables and objects in a value. The parser has bounded its depth.
  mutating func look(into value: ValueNode, _ type: TypeNode?, hasDefault: Bool) {
    switch value.kind {
    case .variable(let name):
      let node = NameNode(text: name, position: value.position)
      variables.append(Variable(name: node, type: type, hasDefault: hasDefault, owner: owner))
    case .list(let values):
      // A list where no list is expected is reported by the scalar or by another rule.
      let inner = type.flatMap { if case .list(let inner, _) = $0.nullable { inner } else { nil } }
      for value in values { look(into: value, inner, hasDefault: false) }
    case .object(let fields):
      objects.append(fields)
      let object = type.flatMap { schema.type($0.name.text) }
      for field in fields {
        let definition = object?.input(field.name.text)
        look(into: field.value, definition?.type, hasDefault: definition?.defaultValue != nil)
      }
    default: break
    }
  }
}

extension TypeNode {
  /// The type without its `!`.
  package var nullable: TypeNode { if case .nonNull(let inner) = self { inner } else { self } }
  /// Whether null is no value of it.
  package var isNonNull: Bool { if case .nonNull = self { true } else { false } }
}
