import GraphQL

extension SchemaBuilder {
  /// Finds the columns that tell the rows of a table, those of other tables first where a key holds a reference.
  mutating func resolveKey(of name: String) {
    guard let draft = drafts[name], draft.keyState == .unknown else { return }
    drafts[name]?.keyState = .resolving
    defer { drafts[name]?.keyState = .known }
    if draft.table.isView { return }
    guard let names = draft.keyNames else {
      if draft.order.contains("id"), draft.table.column("id") == nil {
        return add(
          "The field id leads to a table, so it cannot be the key.",
          fix: "Rename it, or write @table(key: …).", at: draft.table.position)
      }
      if draft.table.column("id") == nil { addImplicitKey(to: name) }
      drafts[name]?.table.key = ["id"]
      return
    }
    if names.isEmpty {
      let position = draft.node.directives["table"]?.position(of: "key") ?? draft.table.position
      add("The key has no fields.", fix: "Name some, or remove \"key\".", at: position)
    }
    var key: [String] = []
    for part in names {
      for column in keyColumns(part, of: name) {
        if key.contains(column) {
          add("The key has \(column.quoted) twice.", fix: "Remove one.", at: part.position)
        } else {
          key.append(column)
        }
      }
    }
    drafts[name]?.table.key = key
  }

  private mutating func keyColumns(_ part: NameNode, of name: String) -> [String] {
    guard let draft = drafts[name] else { return [] }
    if let column = draft.table.column(part.text) {
      if column.type.isList || column.type.scalar == .vector || column.type.scalar == .any {
        add("A column of type \(column.type.text) cannot be in a key.", fix: "Use another one.", at: part.position)
      }
      return [part.text]
    }
    if let index = draft.pending.firstIndex(where: { $0.field.name.text == part.text }) {
      return resolveReference(index, of: name)
    }
    if part.text == "id" {
      addImplicitKey(to: name)
      return ["id"]
    }
    // The foreign key of a reference may be named before it is created.
    for (index, pending) in draft.pending.enumerated() {
      let isNamed = pending.fields?.contains { $0.text == part.text } ?? part.text.hasPrefix(pending.field.name.text)
      if isNamed, resolveReference(index, of: name).contains(part.text) { return [part.text] }
    }
    add(
      "The table \(name.quoted) has no field \(part.text.quoted) for its key.",
      fix: suggestion(for: part.text, among: draft.order, otherwise: "Declare it."), at: part.position)
    return []
  }

  private mutating func addImplicitKey(to name: String) {
    let position = drafts[name]?.table.position ?? .none
    drafts[name]?.table.columns.append(
      Column(
        name: "id", type: ColumnType(.scalar(.uuid), isNonNull: true), sqlName: "id", sqlType: "uuid",
        defaultValue: .expression("uuidV4()"), origin: .implicitKey, searchLanguage: nil, description: nil,
        position: position))
  }

  /// Creates the foreign keys of a table's references, except those that its key already needed.
  mutating func resolveReferences(of name: String) {
    guard let draft = drafts[name] else { return }
    for index in draft.pending.indices { _ = resolveReference(index, of: name) }
    let order = Dictionary(draft.order.enumerated().map { ($1, $0) }) { first, _ in first }
    drafts[name]?.table.references.sort { (order[$0.field] ?? 0) < (order[$1.field] ?? 0) }
    let columns = Self.sorted(drafts[name]?.table.columns ?? [], order)
    drafts[name]?.table.columns = columns
  }

  /// Sorts columns: declared ones in their order, then a generated key, then foreign keys in the order of the
  /// references.
  private static func sorted(_ columns: [Column], _ order: [String: Int]) -> [Column] {
    func rank(_ column: Column) -> (Int, Int) {
      switch column.origin {
      case .declared: (0, order[column.name] ?? 0)
      case .implicitKey: (1, 0)
      case .implicitForeignKey(let field): (2, order[field] ?? 0)
      }
    }
    return columns.enumerated().sorted {
      let (left, right) = (rank($0.element), rank($1.element))
      return (left.0, left.1, $0.offset) < (right.0, right.1, $1.offset)
    }.map(\.element)
  }
}
