extension DocumentUses {
  /// What operations and fragments use.
  static func of(_ definitions: [DefinitionNode], _ schema: GraphQLSchema) -> DocumentUses {
    var uses = DocumentUses(schema: schema)
    for (index, definition) in definitions.enumerated() {
      uses.owner = index
      switch definition {
      case .operation(let node):
        for variable in node.variables {
          if let value = variable.defaultValue {
            uses.values.append(Value(node: value, type: variable.type))
            uses.look(into: value, variable.type, hasDefault: false)
          }
          uses.note(variable.directives, at: "VARIABLE_DEFINITION")
        }
        uses.note(node.directives, at: node.kind.rawValue.uppercased())
        uses.select(node.selections, schema.root(node.kind))
      case .fragment(let node):
        uses.note(node.directives, at: "FRAGMENT_DEFINITION")
        uses.select(node.selections, schema.type(node.typeCondition.text))
      default: break
      }
    }
    return uses
  }

  private mutating func select(_ selections: [SelectionNode], _ parent: SchemaType?) {
    for selection in selections {
      switch selection {
      case .field(let node): field(node, parent)
      case .spread(let node):
        spreads.append(
          Spread(fragment: node.name, typeCondition: nil, parent: parent, owner: owner, position: node.position))
        note(node.directives, at: "FRAGMENT_SPREAD")
      case .inline(let node):
        spreads.append(
          Spread(
            fragment: nil, typeCondition: node.typeCondition, parent: parent, owner: owner, position: node.position))
        note(node.directives, at: "INLINE_FRAGMENT")
        select(node.selections, node.typeCondition.map { schema.type($0.text) } ?? parent)
      }
    }
  }

  private mutating func field(_ node: FieldNode, _ parent: SchemaType?) {
    let definition = parent.flatMap { schema.field(node.name.text, of: $0) }
    if let parent, parent.isComposite {
      fields.append(Field(node: node, parent: parent, definition: definition))
    }
    let arguments = parent.flatMap { parent in definition.map { Arguments.Owner.field(parent, $0) } }
    note(Arguments(owner: arguments ?? .unknown, given: node.arguments, position: node.name.position))
    note(node.directives, at: "FIELD")
    if !node.selections.isEmpty {
      select(node.selections, definition.flatMap { schema.type($0.type.name.text) })
    }
  }
}
