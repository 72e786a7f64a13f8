import GraphQL

extension SchemaBuilder {
  /// Returns the columns of a reference's foreign key, and creates those that the developer has not declared.
  mutating func resolveReference(_ index: Int, of name: String) -> [String] {
    guard let draft = drafts[name] else { return [] }
    let pending = draft.pending[index]
    let field = pending.field.name
    if let done = draft.table.reference(field.text) { return done.columns }
    guard let targets = targetColumns(pending, of: name) else { return [] }
    if let given = pending.fields, given.count != targets.count {
      add(
        "The foreign key has \(given.count) fields, and \(pending.target) is told by \(targets.count).",
        fix: "Name one field for each of \(targets.map(\.name).joined(separator: ", ")).",
        at: given.first?.position ?? field.position)
      return []
    }
    let names =
      pending.fields ?? targets.map { NameNode(field.text + $0.name.raisingFirst, at: field.position) }
    for (own, target) in zip(names, targets) { checkForeignKey(own, target, pending, of: name) }
    let columns = names.map(\.text)
    let sqlNames = columns.map { drafts[name]?.table.column($0)?.sqlName ?? SQLName.snake($0) }
    drafts[name]?.table.references.append(
      Reference(
        field: field.text, target: pending.target, columns: columns, targetColumns: targets.map(\.name),
        isNonNull: pending.field.type.isNonNull, isUnique: pending.isUnique,
        constraintName: pending.constraintName ?? "\(draft.table.sqlName)_\(sqlNames.joined(separator: "_"))_fkey",
        position: field.position))
    return columns
  }

  private mutating func targetColumns(_ pending: PendingReference, of name: String) -> [Column]? {
    let field = pending.field.name
    if pending.references == nil, drafts[pending.target]?.keyState == .resolving {
      add(
        "The key of \(pending.target.quoted) depends on itself through \(name).\(field.text).",
        fix: "Give one of the tables a key of its own columns.", at: field.position)
      return nil
    }
    resolveKey(of: pending.target)
    guard let target = drafts[pending.target]?.table else { return nil }
    guard let given = pending.references else {
      let key = target.key.compactMap(target.column)
      return key.isEmpty ? nil : key
    }
    var columns: [Column] = []
    for part in given {
      if let column = target.column(part.text) {
        columns.append(column)
      } else {
        add(
          "The table \(target.name.quoted) has no column \(part.text.quoted).",
          fix: suggestion(for: part.text, among: target.columns.map(\.name)), at: part.position)
      }
    }
    return columns.count == given.count && !columns.isEmpty ? columns : nil
  }

  /// Compares a column that is declared with the one that it has to match, or makes it.
  private mutating func checkForeignKey(
    _ own: NameNode, _ target: Column, _ pending: PendingReference, of name: String
  ) {
    guard let draft = drafts[name] else { return }
    let field = pending.field
    guard let column = draft.table.column(own.text) else {
      if draft.order.contains(own.text) || !own.text.isGraphQLName || own.text.hasPrefix("_") {
        return add("The field \(own.text.quoted) is not a column.", fix: "Name a column.", at: own.position)
      }
      let sqlType = ["serial": "integer", "bigserial": "bigint", "smallserial": "smallint"][target.sqlType.lowercased()]
      drafts[name]?.table.columns.append(
        Column(
          name: own.text, type: ColumnType(target.type.base, isNonNull: field.type.isNonNull),
          sqlName: SQLName.snake(own.text), sqlType: sqlType ?? target.sqlType, defaultValue: nil,
          origin: .implicitForeignKey(of: field.name.text), searchLanguage: nil, description: nil,
          position: field.name.position))
      return
    }
    if column.type.base != target.type.base || column.type.isList {
      add(
        "The foreign key \(name).\(own.text) is \(column.type.nullableText), and it has to match "
          + "\(pending.target).\(target.name), which is \(target.type.nullableText).",
        fix: "Declare it as \(target.type.base.name).", at: column.position)
    } else if field.type.isNonNull, !column.type.isNonNull, !draft.table.isView {
      problems.warn(
        "\(name).\(field.name.text) cannot be null, and its foreign key \(own.text) can.",
        fix: "Write \"!\" behind the type of \(own.text).", code: Self.code, at: column.position)
    }
  }
}

extension NameNode {
  init(_ text: String, at position: SourcePosition) { self.init(text: text, position: position) }
}
