extension DocumentUses {
  /// What the definitions of a schema use: directives and default values.
  static func of(_ schema: GraphQLSchema) -> DocumentUses {
    var uses = DocumentUses(schema: schema)
    uses.note(schema.schemaDirectives, at: "SCHEMA")
    for name in schema.directiveNames {
      uses.note(schema.directives[name]?.arguments ?? [], at: "ARGUMENT_DEFINITION")
    }
    for name in schema.typeNames {
      if let type = schema.types[name], !type.isBuiltIn { uses.note(type) }
    }
    return uses
  }

  private mutating func note(_ type: SchemaType) {
    note(type.directives, at: type.kind.location)
    for field in type.fields {
      note(field.directives, at: "FIELD_DEFINITION")
      note(field.arguments, at: "ARGUMENT_DEFINITION")
    }
    note(type.inputs, at: "INPUT_FIELD_DEFINITION")
    for value in type.values { note(value.directives, at: "ENUM_VALUE") }
  }

  private mutating func note(_ inputs: [InputValueNode], at location: String) {
    for input in inputs {
      if let value = input.defaultValue {
        values.append(Value(node: value, type: input.type))
        look(into: value, input.type, hasDefault: false)
      }
      note(input.directives, at: location)
    }
  }
}

extension TypeKind {
  /// The name of the place of a directive at its definition.
  var location: String {
    switch self {
    case .enumeration: "ENUM"
    case .inputObject: "INPUT_OBJECT"
    default: rawValue.uppercased()
    }
  }
}
