/// The rules of the type system, each in a file of its own.
struct TypeSystemCheck {
  let parts: SchemaParts
  /// The types that are not built in, in the order of their definitions.
  let types: [SchemaType]

  static func check(_ parts: SchemaParts, _ scalars: [String: GraphQLScalar], _ errors: inout ErrorList) {
    let types = parts.typeNames.compactMap { parts.types[$0] }.filter { !$0.isBuiltIn }
    let check = TypeSystemCheck(parts: parts, types: types)
    check.rootTypes(&errors)
    check.reservedNames(&errors)
    check.uniqueMembers(&errors)
    check.nonEmptyTypes(&errors)
    check.knownTypes(&errors)
    check.interfaces(&errors)
    check.unions(&errors)
    check.directiveDefinitions(&errors)
    check.inputCycles(&errors)
    check.requiredInputs(&errors)
    check.defaultValues(&errors)
    // The rest follows from one type to the other and relies on the rules above.
    if errors.errors.isEmpty {
      let schema = GraphQLSchema(parts, scalars: scalars)
      let input = ValidationInput(schema: schema, uses: DocumentUses.of(schema))
      for rule in ValidationRule.system where !errors.isFull { rule.check(input, &errors) }
    }
  }

  /// The type of a definition's name, if there is one.
  func type(_ node: TypeNode) -> SchemaType? { parts.types[node.name.text] }

  /// All arguments and input fields, each with words for its place.
  var inputs: [(owner: String, input: InputValueNode)] {
    var found: [(String, InputValueNode)] = []
    for type in types {
      for input in type.inputs { found.append(("\(type.name).\(input.name.text)", input)) }
      for field in type.fields {
        for argument in field.arguments {
          found.append(("\(type.name).\(field.name.text)(\(argument.name.text):)", argument))
        }
      }
    }
    for directive in ownDirectives {
      for argument in directive.arguments {
        found.append(("@\(directive.name.text)(\(argument.name.text):)", argument))
      }
    }
    return found
  }

  /// The directives that the sources define.
  var ownDirectives: [DirectiveDefinitionNode] {
    parts.directiveNames.compactMap { parts.directives[$0] }.filter { $0.position != .none }
  }
}
