import GraphQL

extension OperationCheck {
  private static let variants = ["expr", "date", "time", "update", "embed"]

  /// Fields of inputs that exclude each other. The parser has bounded how deep values are nested.
  mutating func value(_ node: ValueNode, _ type: TypeNode) {
    switch node.kind {
    case .list(let values):
      let inner = if case .list(let inner, _) = type.nullable { inner } else { type }
      for value in values { self.value(value, inner) }
    case .object(let fields):
      guard let input = schema.graphQL.type(type.name.text), input.kind == .inputObject else { return }
      object(fields, input, node.position)
      for field in fields {
        if let definition = input.input(field.name.text) { value(field.value, definition.type) }
      }
    default: break
    }
  }

  private mutating func object(_ fields: [ArgumentNode], _ input: SchemaType, _ position: SourcePosition) {
    var groups: [String: [ArgumentNode]] = [:]
    for field in fields where field.value.kind != .null {
      guard let group = group(of: field.name.text, input) else { continue }
      groups[group, default: []].append(field)
    }
    for fields in groups.values where fields.count > 1 {
      add(
        "\(fields.map(\.name.text).joined(separator: " and ")) of \(input.name) exclude each other.",
        fix: "Remove all but one.", at: fields[1].name.position)
    }
    references(fields, input)
    var needed: [String: [String]] = [:]
    for definition in input.inputs {
      guard let directive = definition.directives["fdc_oneOf"], directive.arguments["required"]?.kind == .boolean(true)
      else { continue }
      needed[directive.text("group") ?? "", default: []].append(definition.name.text)
    }
    for (group, names) in needed where groups[group] == nil {
      add(
        "The \(input.name) has none of \(names.joined(separator: " and ")).", fix: "Give one of them.", at: position)
    }
  }

  /// Returns the name of a group of fields of which only one may be given.
  private func group(of name: String, _ input: SchemaType) -> String? {
    if let directive = input.input(name)?.directives["fdc_oneOf"] { return directive.text("group") ?? "" }
    if input.name.hasSuffix("_ListUpdate") { return "" }
    if let index = name.lastIndex(of: "_"), Self.variants.contains(String(name[index...].dropFirst())) {
      let stem = String(name[..<index])
      if input.input(stem) != nil { return stem }
    }
    return name
  }

  /// A row that is written has a foreign key once: by its columns or by the key of the other row.
  private mutating func references(_ fields: [ArgumentNode], _ input: SchemaType) {
    guard input.name.hasSuffix("_Data"), let table = schema.table(String(input.name.dropLast(5))) else { return }
    for reference in table.references {
      guard fields[reference.field].map({ $0.kind != .null }) == true else { continue }
      for column in reference.columns {
        let names = [column, "\(column)_expr"]
        guard let twice = fields.first(where: { names.contains($0.name.text) && $0.value.kind != .null }) else {
          continue
        }
        add(
          "\(reference.field) and \(twice.name.text) are the same foreign key.", fix: "Remove one.",
          at: twice.name.position)
      }
    }
  }
}
