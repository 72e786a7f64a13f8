import GraphQL

extension SchemaBuilder {
  /// Adds the fields that lead back from a table to those that refer to it.
  mutating func addRelations(to name: String) {
    let referring = referringTables[name] ?? []
    var (many, one, joins): ([ReverseRelation], [ReverseRelation], [JoinRelation]) = ([], [], [])
    for source in referring {
      guard let table = drafts[source]?.table else { continue }
      for reference in table.references where reference.target == name {
        let noun = reference.isUnique ? table.singular : table.plural
        let relation = ReverseRelation(
          field: "\(noun)_on_\(reference.field)", source: source, reference: reference.field,
          isOne: reference.isUnique)
        if reference.isUnique { one.append(relation) } else { many.append(relation) }
      }
      joins += self.joins(from: name, through: table)
    }
    drafts[name]?.table.reverse = many.sorted(byName: \.field) + one.sorted(byName: \.field)
    drafts[name]?.table.joins = joins.sorted(byName: \.field)
  }

  /// Notes the tables by those that they refer to, each once, sorted.
  mutating func noteReferringTables() {
    var found: [String: [String]] = [:]
    for name in names {
      for target in Set((drafts[name]?.table.references ?? []).map(\.target)) {
        found[target, default: []].append(name)
      }
    }
    referringTables = found
  }

  /// The fields through a join table, whose key is two references and nothing else. Where both lead to one table, that
  /// table has a field for each of them, and each is named after the reference that leads to the row itself.
  private func joins(from name: String, through table: Table) -> [JoinRelation] {
    if table.isView { return [] }
    let key = Set(table.key)
    let ends = table.references.filter { key.isSuperset(of: $0.columns) }
    guard ends.count == 2, key == Set(ends.flatMap(\.columns)) else { return [] }
    let isSelf = ends[0].target == ends[1].target
    return [(ends[0], ends[1]), (ends[1], ends[0])].compactMap { near, far in
      guard near.target == name, let target = drafts[far.target]?.table else { return nil }
      let suffix = isSelf ? "_on_\(near.field)" : ""
      return JoinRelation(
        field: "\(target.plural)_via_\(table.name)\(suffix)", joinTable: table.name, near: near.field, far: far.field,
        target: far.target)
    }
  }

  // MARK: Names

  /// Tells names that would stand for two things.
  mutating func checkNames() {
    for name in names { checkFields(of: name) }
    var (roots, sqlNames): ([String: String], [String: String]) = ([:], [:])
    for name in names {
      guard let table = drafts[name]?.table else { continue }
      if !table.isView, table.singular == table.plural {
        add(
          "One \(name) is called \(table.singular.quoted), and so are several.",
          fix: "Write @table(plural: \"all\(name)\"), or another name.", at: table.position)
      }
      for root in Set(table.rootFields).sorted() {
        if let other = roots[root] {
          add(
            "The field \(root.quoted) would come from \(name) and from \(other).",
            fix: "Give one of them other names with singular and plural.", at: table.position)
        }
        roots[root] = name
      }
      if let other = sqlNames[table.sqlName], table.kind == .table {
        add(
          "The tables \(name) and \(other) are both called \(table.sqlName.quoted) in the database.",
          fix: "Write @table(name: …).", at: table.position)
      }
      if table.kind == .table { sqlNames[table.sqlName] = name }
    }
    checkTypeNames()
  }

  private mutating func checkTypeNames() {
    for name in Array(drafts.keys) + Array(enumerations.keys) {
      guard let index = name.lastIndex(of: "_") else { continue }
      let (stem, suffix) = (String(name[..<index]), String(name[index...].dropFirst()))
      let isTaken = drafts[stem] != nil || enumerations[stem] != nil
      if isTaken, Table.generatedTypeSuffixes.contains(suffix) {
        add(
          "The name \(name.quoted) is kept for what is generated of \(stem).", fix: "Rename it.",
          at: drafts[name]?.table.position ?? enumerations[name]?.position ?? .none)
      }
    }
  }

  private mutating func checkFields(of name: String) {
    guard let draft = drafts[name] else { return }
    let table = draft.table
    var seen = Set(draft.order)
    for column in table.columns where column.origin != .declared { seen.insert(column.name) }
    for field in table.aggregates.map(\.name) where draft.order.contains(field) {
      let position = draft.node.fields.first { $0.name.text == field }?.name.position ?? table.position
      add("The field \(field.quoted) would also be generated of another column.", fix: "Rename it.", at: position)
    }
    for field in table.reverse.map(\.field) + table.joins.map(\.field) where !seen.insert(field).inserted {
      add(
        "The field \(field.quoted) of \(name) would stand for two relations.",
        fix: "Rename a reference, or give a table other names with singular and plural.", at: table.position)
    }
    var sqlNames: [String: String] = [:]
    for column in table.columns {
      if let other = sqlNames[column.sqlName] {
        add(
          "The columns \(column.name) and \(other) are both called \(column.sqlName.quoted) in the database.",
          fix: "Write @col(name: …).", at: column.position)
      }
      sqlNames[column.sqlName] = column.name
    }
  }
}
