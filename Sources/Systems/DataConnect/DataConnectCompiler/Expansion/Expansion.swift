/// The generated parts of a schema: implicit columns, relations, root fields and inputs, sorted as the public tools
/// sort them.
struct Expansion {
  let tables: [Table]
  let enumerations: [DataEnumeration]
  private let tablesByName: [String: Table]

  /// - Parameters:
  ///   - tables: sorted by name.
  ///   - enumerations: sorted by name.
  init(tables: [Table], enumerations: [DataEnumeration]) {
    self.tables = tables
    self.enumerations = enumerations
    tablesByName = Dictionary(tables.map { ($0.name, $0) }) { first, _ in first }
  }

  func table(_ name: String) -> Table? { tablesByName[name] }

  /// The tables, without views.
  var writable: [Table] { tables.filter { !$0.isView } }

  /// The files with their contents, by names, in the order in which they build on each other.
  var parts: [(name: String, definitions: [SDLDefinition])] {
    [
      ("implicit.gql", implicit), ("relation.gql", relations), ("input.gql", inputs), ("query.gql", queries),
      ("mutation.gql", mutations),
    ]
  }

  /// Everything as one text, for checking operations.
  var bareText: String { parts.map { SDLWriter.text(of: $0.definitions, isBare: true) }.joined() }

  // MARK: Implicit columns

  private var implicit: [SDLDefinition] {
    tables.map { table in
      .extendType(
        table.name,
        table.columns.compactMap { column in
          switch column.origin {
          case .declared: nil
          case .implicitKey:
            SDLField(
              name: column.name, type: column.type.text, directives: " @default(expr: \"uuidV4()\")", from: table.name,
              purpose: "IMPLICIT_KEY_FIELD", description: "The key of a row, made anew when it is inserted.")
          case .implicitForeignKey(let field): foreignKey(column, of: field, in: table)
          }
        })
    }
  }

  private func foreignKey(_ column: Column, of field: String, in table: Table) -> SDLField {
    let reference = table.reference(field)
    let index = reference?.columns.firstIndex(of: column.name) ?? 0
    let target = reference.map { "`\($0.target)`.`\($0.targetColumns[index])`" } ?? ""
    return SDLField(
      name: column.name, type: column.type.text, from: "\(table.name).\(field)", purpose: "IMPLICIT_REF_FIELD",
      description: "The foreign key of `\(table.name)`.`\(field)`: the value of \(target).")
  }
}
