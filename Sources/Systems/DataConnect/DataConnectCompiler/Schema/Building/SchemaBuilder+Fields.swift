import GraphQL

extension SchemaBuilder {
  /// Reads the fields of a table: columns, and references to other tables.
  mutating func readFields(of name: String) {
    guard let fields = drafts[name]?.node.fields else { return }
    var seen: Set<String> = []
    for field in fields where seen.insert(field.name.text).inserted { read(field, of: name) }
  }

  private mutating func read(_ field: FieldDefinitionNode, of name: String) {
    let position = field.name.position
    if field.name.text.hasPrefix("_") {
      add("Names that begin with _ are kept for what is generated.", fix: "Rename it.", at: position)
    }
    if let argument = field.arguments.first {
      add("The fields of tables have no arguments.", fix: "Remove them.", at: argument.name.position)
    }
    drafts[name]?.order.append(field.name.text)
    let type = field.type.name.text
    if let target = drafts[type] {
      readReference(field, to: target.table, of: name)
    } else if let base = base(type) {
      readColumn(field, base, of: name)
    } else if Self.isKnown(type) {
      add(
        "A column cannot have the type \(type.quoted).",
        fix: "Columns have \(DataScalar.allCases.map(\.rawValue).joined(separator: ", ")) or an enumeration.",
        at: field.type.position)
    }
  }

  private func base(_ name: String) -> ColumnType.Base? {
    if let scalar = DataScalar(rawValue: name) { return .scalar(scalar) }
    return enumerations[name] == nil ? nil : .enumeration(name)
  }

  /// Whether a type exists but cannot be that of a column. GraphQL's validation reports unknown types.
  private static func isKnown(_ name: String) -> Bool { name == "ID" || Prelude.typeNames.contains(name) }

  // MARK: References

  private mutating func readReference(_ field: FieldDefinitionNode, to target: Table, of name: String) {
    if field.type.isList {
      return add(
        "A table cannot hold a list of \(target.name.quoted).",
        fix: "Give \(target.name) a field of type \(name): the list \(target.plural)_on_… comes from it.",
        at: field.type.position)
    }
    if target.isView {
      return add(
        "Nothing can refer to the view \(target.name.quoted), which has no key.",
        fix: "Refer to a table.", at: field.type.position)
    }
    for directive in field.directives where ["col", "default", "searchable"].contains(directive.name.text) {
      add(
        "@\(directive.name.text) belongs to columns, and this field leads to a table.",
        fix: "Declare the column of its foreign key, and write it there.", at: directive.position)
    }
    let reference = field.directives["ref"]
    drafts[name]?.pending.append(
      PendingReference(
        field: field, target: target.name, fields: reference?.names("fields"),
        references: reference?.names("references"), constraintName: reference?.text("constraintName"),
        isUnique: field.directives["unique"] != nil))
  }

  // MARK: Columns

  private mutating func readColumn(_ field: FieldDefinitionNode, _ base: ColumnType.Base, of name: String) {
    guard let type = columnType(field, base) else { return }
    let (column, search) = (field.directives["col"], field.directives["searchable"])
    if let reference = field.directives["ref"] {
      add("@ref belongs to a field that leads to a table.", fix: "Remove it.", at: reference.position)
    }
    if let search, type.scalar != .string {
      add("Only columns of type String can be searched.", fix: "Remove @searchable.", at: search.position)
    }
    let isView = drafts[name]?.table.isView == true
    let made = Column(
      name: field.name.text, type: type, sqlName: column?.text("name") ?? SQLName.snake(field.name.text),
      sqlType: sqlType(type, column, field), defaultValue: defaultValue(field, type, isView: isView),
      origin: .declared, searchLanguage: search.map { $0.text("language") ?? "english" },
      description: field.description?.text, position: field.name.position)
    drafts[name]?.table.columns.append(made)
    if isView, type.isNonNull {
      problems.warn(
        "A column of a view may be null whatever its statement says.", fix: "Remove the \"!\".", code: Self.code,
        at: field.type.position)
    }
  }

  private mutating func columnType(_ field: FieldDefinitionNode, _ base: ColumnType.Base) -> ColumnType? {
    switch field.type.nullable {
    case .list(let element, let position):
      if case .list = element.nullable {
        add("A column cannot hold lists of lists.", fix: "Use the type Any.", at: position)
        return nil
      }
      if base == .scalar(.vector) {
        add("A column cannot hold a list of vectors.", fix: "Put them into a table of their own.", at: position)
        return nil
      }
      return ColumnType(
        base, isList: true, hasNonNullElements: element.isNonNull, isNonNull: field.type.isNonNull)
    default: return ColumnType(base, isNonNull: field.type.isNonNull)
    }
  }

  private mutating func sqlType(
    _ type: ColumnType, _ column: DirectiveNode?, _ field: FieldDefinitionNode
  ) -> String {
    var size: Int?
    if case .integer(let text) = column?.arguments["size"]?.kind { size = Int(text) }
    if let column, column.arguments["size"] != nil, !(type.scalar == .vector && (1...16_000).contains(size ?? 0)) {
      add(
        "A size from 1 to 16000 belongs to columns of type Vector.", fix: "Remove it.",
        at: column.position(of: "size"))
    }
    if type.scalar == .vector, size == nil {
      add(
        "The column \(field.name.text.quoted) does not say how long its vectors are.",
        fix: "Write @col(size: 768) behind its type.", at: field.type.position)
    }
    if let own = column?.text("dataType") { return own }
    switch type.base {
    case .enumeration(let name): return "\"\(SQLName.snake(name))\"\(type.isList ? "[]" : "")"
    case .scalar(.vector): return "vector(\(size ?? 0))"
    case .scalar(let scalar): return scalar.sqlType + (type.isList ? "[]" : "")
    }
  }
}

extension TypeNode {
  /// Whether the type is a list, nullable or not.
  var isList: Bool { if case .list = nullable { true } else { false } }
}
