extension Expansion {
  /// The fields of tables that lead to other rows, and what is computed of them.
  var relations: [SDLDefinition] {
    tables.map { table in
      .extendType(
        table.name,
        table.reverse.compactMap { reverse($0, of: table) } + table.joins.compactMap { join($0) }
          + [metadata(of: table)] + table.aggregates.map { aggregate($0, of: table) } + identifier(of: table))
    }
  }

  private func reverse(_ relation: ReverseRelation, of table: Table) -> SDLField? {
    guard let source = self.table(relation.source) else { return nil }
    let from = "\(source.name).\(relation.reference)"
    if relation.isOne {
      return SDLField(
        name: relation.field, type: source.name, from: from, purpose: "QUERY_SINGLE_ONE_TO_ONE",
        description: "The `\(source.name)` whose `\(relation.reference)` is this row, or null.")
    }
    return SDLField(
      name: relation.field, arguments: listArguments(of: source), type: "[\(source.name)!]!", from: from,
      purpose: "QUERY_MULTIPLE_ONE_TO_MANY",
      description: "Rows of `\(source.name)` whose `\(relation.reference)` is this row.")
  }

  private func join(_ relation: JoinRelation) -> SDLField? {
    guard let join = table(relation.joinTable) else { return nil }
    return SDLField(
      name: relation.field, arguments: listArguments(of: join), type: "[\(relation.target)!]!", from: join.name,
      purpose: "QUERY_MULTIPLE_MANY_TO_MANY",
      description:
        "Rows of `\(relation.target)` that a `\(join.name)` leads to, whose `\(relation.near)` is this row and whose "
        + "`\(relation.far)` is that one. Conditions and order are those of `\(join.name)`.")
  }

  private func metadata(of table: Table) -> SDLField {
    SDLField(
      name: "_metadata", type: "_Metadata", from: table.name, purpose: "METADATA_FIELD",
      description: "What is known of the row beside its columns.")
  }

  private func aggregate(_ aggregate: Aggregate, of table: Table) -> SDLField {
    let column = aggregate.column ?? ""
    let (words, distinct) =
      switch aggregate.function {
      case .count where aggregate.column == nil: ("How many rows of `\(table.name)` there are.", "")
      case .count: ("How many rows of `\(table.name)` have a value for `\(column)`.", "count")
      case .sum: ("The sum of `\(column)` in `\(table.name)`.", "add")
      case .avg: ("The average of `\(column)` in `\(table.name)`.", "average")
      case .min: ("The smallest `\(column)` in `\(table.name)`.", "")
      case .max: ("The greatest `\(column)` in `\(table.name)`.", "")
      }
    let argument = SDLInput(
      name: "distinct", type: "Boolean", defaultValue: "false",
      description: "Whether to \(distinct) equal values once.")
    return SDLField(
      name: aggregate.name, arguments: aggregate.takesDistinct ? [argument] : [], type: aggregate.type,
      from: "\(table.name).\(column)", purpose: "QUERY_\(aggregate.function.rawValue.uppercased())",
      description: words)
  }

  private func identifier(of table: Table) -> [SDLField] {
    if table.isView { return [] }
    return [
      SDLField(
        name: "_id", type: "ID!", from: "\(table.name).\(table.key.joined(separator: ","))", purpose: "ENTITY_ID",
        description: "What clients keep the row by.")
    ]
  }

  /// The arguments of a list of rows.
  func listArguments(of table: Table) -> [SDLInput] {
    [
      SDLInput(name: "where", type: "\(table.name)_Filter", description: "Which rows."),
      SDLInput(name: "orderBy", type: "[\(table.name)_Order!]", description: "In which order."),
      SDLInput(name: "offset", type: "Int", description: "How many rows to leave out at the beginning."),
      SDLInput(name: "limit", type: "Int", defaultValue: "100", description: "How many rows at most."),
      SDLInput(
        name: "distinct", type: "Boolean", defaultValue: "false", description: "Whether to give equal results once."),
      SDLInput(name: "having", type: "\(table.name)_Having", description: "Which groups of rows."),
    ]
  }
}
