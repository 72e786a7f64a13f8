import GraphQL

extension OperationCheck {
  mutating func variable(_ node: VariableNode) {
    let name = node.type.name.text
    guard let type = schema.graphQL.type(name) else { return }
    if type.directives["fdc_forbiddenAsVariableType"] != nil || isGeneratedScalar(name) {
      add(
        "No variable can have the type \(name.quoted): a client does not decide it.",
        fix: "Write the value into the operation.", at: node.type.position)
    }
    if node.directives["retired"] != nil, node.type.isNonNull, node.defaultValue == nil {
      add(
        "New clients do not know $\(node.name.text), and it has to be given.",
        fix: "Give it a default value, or make it nullable.", at: node.position)
    }
    allow(node, type)
  }

  /// Expressions of enumerations and keys that mutations give, which carry no directives.
  private func isGeneratedScalar(_ name: String) -> Bool {
    guard let index = name.lastIndex(of: "_") else { return false }
    let stem = String(name[..<index])
    return (name.hasSuffix("_Expr") && schema.enumeration(stem) != nil)
      || (name.hasSuffix("_KeyOutput") && schema.table(stem) != nil)
  }

  private mutating func allow(_ node: VariableNode, _ type: SchemaType) {
    let table = type.name.hasSuffix("_Data") ? schema.table(String(type.name.dropLast(5))) : nil
    guard let directive = node.directives["allow"] else {
      if table != nil, !isAdministrative {
        add(
          "A client could write every column through $\(node.name.text).",
          fix: "Write @allow(fields: \"…\") behind its type, with the names of the columns that it may write.",
          at: node.position)
      }
      return
    }
    guard table != nil else {
      return add(
        "@allow is for variables that hold whole rows, and \(type.name) is none.", fix: "Remove it.",
        at: directive.position)
    }
    if let count = directive.arguments["maxCount"] {
      if case .integer(let text) = count.kind, let number = Int32(text), number > 0 {
        if !node.type.nullable.isList {
          add("The variable holds one row.", fix: "Remove maxCount.", at: count.position)
        }
      } else {
        add("At most so many rows: that has to be more than 0.", fix: "Write maxCount: 100.", at: count.position)
      }
    }
    guard let text = directive.text("fields") else {
      return add(
        "@allow does not say which fields a client may write.", fix: "Write fields: \"…\".", at: directive.position)
    }
    guard let fields = AllowedField.read(text), !fields.isEmpty else {
      return add(
        "\(text.quoted) is not a list of fields.",
        fix: "Write names with spaces between them, those of inner rows between braces: \"title reviews { stars }\".",
        at: directive.position(of: "fields"))
    }
    allowed(fields, type, directive.position(of: "fields"))
  }

  private mutating func allowed(_ fields: [AllowedField], _ type: SchemaType, _ position: SourcePosition) {
    for field in fields {
      guard let input = type.input(field.name) else {
        add(
          "\(type.name) has no field \(field.name.quoted).",
          fix: suggestion(for: field.name, among: type.inputs.map(\.name.text)), at: position)
        continue
      }
      if input.directives["fdc_forbiddenInVariables"] != nil {
        add(
          "\(field.name.quoted) may not come through a variable.", fix: "Write it into the operation.", at: position)
      }
      guard let inner = schema.graphQL.type(input.type.name.text) else { continue }
      let isRow = inner.kind == .inputObject
      if isRow == field.fields.isEmpty {
        add(
          isRow
            ? "\(field.name.quoted) holds rows, and nothing is said of their fields."
            : "\(field.name.quoted) is a column and has no fields.",
          fix: isRow ? "Write \(field.name) { … }." : "Remove the braces.", at: position)
      } else if isRow {
        allowed(field.fields, inner, position)
      }
    }
  }
}
