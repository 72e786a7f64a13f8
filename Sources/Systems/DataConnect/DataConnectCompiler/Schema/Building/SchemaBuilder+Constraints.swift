import GraphQL

extension SchemaBuilder {
  /// Reads `@unique` and `@index` of a table and of its fields.
  mutating func readConstraints(of name: String) {
    guard let draft = drafts[name] else { return }
    for directive in draft.node.directives {
      guard ["unique", "index"].contains(directive.name.text) else { continue }
      guard let parts = directive.names("fields"), !parts.isEmpty else {
        add(
          "@\(directive.name.text) of a table does not say which fields it is about.",
          fix: "Write fields: [\"…\"].", at: directive.position)
        continue
      }
      let columns = parts.flatMap { constrained($0, of: name) }
      if !columns.isEmpty { add(directive, columns, fields: parts.count, to: name) }
    }
    for field in draft.node.fields {
      for directive in field.directives where ["unique", "index"].contains(directive.name.text) {
        if let fields = directive.arguments["fields"] {
          add(
            "@\(directive.name.text) of a field is about this field.",
            fix: "Remove \"fields\", or put it behind the name of the table.", at: fields.position)
          continue
        }
        let columns = constrained(NameNode(field.name.text, at: directive.position), of: name)
        if !columns.isEmpty { add(directive, columns, fields: 1, to: name) }
      }
    }
  }

  /// The columns of a field.
  private mutating func constrained(_ part: NameNode, of name: String) -> [Column] {
    guard let draft = drafts[name] else { return [] }
    if let column = draft.table.column(part.text) { return [column] }
    if let reference = draft.table.reference(part.text) { return reference.columns.compactMap(draft.table.column) }
    if !draft.order.contains(part.text) {
      add(
        "The table \(name.quoted) has no field \(part.text.quoted).",
        fix: suggestion(for: part.text, among: draft.order), at: part.position)
    }
    return []
  }

  private mutating func add(_ directive: DirectiveNode, _ columns: [Column], fields: Int, to name: String) {
    guard let table = drafts[name]?.table else { return }
    let words = ([table.sqlName] + columns.map(\.sqlName)).joined(separator: "_")
    if directive.name.text == "unique" {
      if let list = columns.first(where: { $0.type.isList || $0.type.scalar == .vector }) {
        add("The column \(list.name.quoted) cannot be unique.", fix: "Remove @unique.", at: directive.position)
      }
      let unique = UniqueConstraint(
        name: directive.text("indexName") ?? "\(words)_uidx", columns: columns.map(\.name))
      drafts[name]?.table.uniques.append(unique)
    } else if let kind = indexKind(directive, columns) {
      let order = directive.words("order")
      if let order, order.count != columns.count || kind != .btree {
        add(
          "\"order\" of an index has one word for each of its columns, and only a BTREE has one.",
          fix: "Write \(columns.count) of ASC and DESC, or remove it.", at: directive.position(of: "order"))
        return
      }
      let descends = columns.indices.map { order?[$0] == "DESC" }
      let letters = columns.count > 1 ? "_" + descends.map { $0 ? "d" : "a" }.joined() : ""
      drafts[name]?.table.indexes.append(
        TableIndex(
          name: directive.text("name") ?? "\(words)\(letters)_idx", columns: columns.map(\.name), descends: descends,
          kind: kind, vectorMethod: directive.words("vector_method")?.first))
    }
  }

  private mutating func indexKind(_ directive: DirectiveNode, _ columns: [Column]) -> TableIndex.Kind? {
    let given = directive.words("type")?.first.flatMap(TableIndex.Kind.init)
    let (allowed, what): ([TableIndex.Kind], String)
    if columns.contains(where: { $0.type.scalar == .vector }) {
      (allowed, what) = ([.hnsw, .ivfflat], "a vector")
    } else if columns.contains(where: \.type.isList) {
      (allowed, what) = ([.gin], "a list")
    } else {
      (allowed, what) = ([.btree, .gin], "these columns")
    }
    if let given, !allowed.contains(given) {
      add(
        "An index of \(what) cannot be \(given.rawValue).",
        fix: "Use \(allowed.map(\.rawValue).joined(separator: " or ")).", at: directive.position(of: "type"))
      return nil
    }
    if what != "a vector", let method = directive.arguments["vector_method"] {
      add("vector_method is for indexes of vectors.", fix: "Remove it.", at: method.position)
    }
    return given ?? allowed.first
  }

  /// Tells columns of a key that may be null, which the database forbids.
  mutating func checkKey(of name: String) {
    guard let table = drafts[name]?.table else { return }
    for column in table.key.compactMap(table.column) where !column.type.isNonNull {
      problems.warn(
        "\(name).\(column.name) is in the key, and so it is never null.", fix: "Write \"!\" behind its type.",
        code: Self.code, at: column.position)
    }
  }

  /// Marks the references that lead to each row at most once, and tells those that lead to no single row.
  mutating func noteUniqueReferences(of name: String) {
    guard let draft = drafts[name] else { return }
    let unique = ([draft.table.key] + draft.table.uniques.map(\.columns)).map(Set.init)
    for (index, reference) in draft.table.references.enumerated() {
      if let target = drafts[reference.target]?.table {
        let told = ([target.key] + target.uniques.map(\.columns)).map(Set.init)
        if !told.contains(Set(reference.targetColumns)) {
          add(
            "\(reference.targetColumns.joined(separator: ", ")) of \(target.name) is not unique, so that it does not "
              + "tell one row.",
            fix: "Write @unique there, or refer to its key.", at: reference.position)
        }
      }
      guard !reference.isUnique, unique.contains(Set(reference.columns)) else { continue }
      drafts[name]?.table.references[index] = reference.madeUnique
    }
  }
}

extension Reference {
  fileprivate var madeUnique: Reference {
    Reference(
      field: field, target: target, columns: columns, targetColumns: targetColumns, isNonNull: isNonNull,
      isUnique: true, constraintName: constraintName, position: position)
  }
}
