extension Expansion {
  /// The scalars and inputs of all tables and enumerations, together sorted by the names of these.
  var inputs: [SDLDefinition] {
    var scalars: [(String, SDLDefinition)] = []
    for table in writable {
      let words = "The key of a row of `\(table.name)`, as mutations give it: like `\(table.name)_Key`."
      scalars.append((table.name, .scalar("\(table.name)_KeyOutput", description: words)))
    }
    for type in enumerations {
      scalars.append((type.name, .scalar("\(type.name)_Expr", description: "An expression in CEL for `\(type.name)`.")))
    }
    let inputs =
      tables.map { ($0.name, self.inputs(of: $0)) } + enumerations.map { ($0.name, self.inputs(of: $0)) }
    return scalars.sorted(byName: \.0).map(\.1) + inputs.sorted(byName: \.0).flatMap(\.1)
  }

  private func inputs(of table: Table) -> [SDLDefinition] {
    let name = table.name
    let first: SDLDefinition = .input(
      "\(name)_FirstRow", description: "Which row of `\(name)` comes first.",
      [
        SDLInput(name: "orderBy", type: "[\(name)_Order!]", description: "In which order."),
        SDLInput(name: "where", type: "\(name)_Filter", description: "Of which rows."),
      ])
    let key: SDLDefinition = .input(
      "\(name)_Key", description: "The key of a row of `\(name)`.",
      table.key.compactMap(table.column).flatMap { column in
        [plain(column, table)] + keyVariants(column).map { variant(column, table, $0.suffix, $0.type) }
      })
    let list: SDLDefinition = .input(
      "\(name)_ListFilter", description: "Conditions on rows of `\(name)` that lead to another row.",
      [
        SDLInput(
          name: "count", type: "Int_Filter", defaultValue: "{gt:0}",
          description: "How many of them: by default at least one."),
        SDLInput(name: "exist", type: "\(name)_Filter", description: "Which of them."),
      ])
    if table.isView { return [filter(of: table), having(of: table), list, order(of: table)] }
    return [data(of: table), filter(of: table), first, having(of: table), key, list, order(of: table)]
  }

  // MARK: Fields of inputs

  private func words(_ table: Table, _ field: String, _ type: String) -> String {
    "From `\(table.name)`.`\(field)`, which is `\(type)`."
  }

  private func plain(_ column: Column, _ table: Table) -> SDLInput {
    SDLInput(
      name: column.name, type: column.type.nullableText, description: words(table, column.name, column.type.text))
  }

  private func variant(_ column: Column, _ table: Table, _ suffix: String, _ type: String) -> SDLInput {
    SDLInput(
      name: "\(column.name)_\(suffix)", type: type, isForbiddenInVariables: true,
      description: "In place of `\(column.name)`. \(words(table, column.name, column.type.text))")
  }

  private func data(of table: Table) -> SDLDefinition {
    let (columns, references, rest) = table.inputColumns
    var fields = columns.flatMap { dataFields($0, table) }
    for reference in references {
      let type = reference.target + (reference.isNonNull ? "!" : "")
      fields.append(
        SDLInput(
          name: reference.field, type: "\(reference.target)_Key", isForbiddenInVariables: true,
          description: words(table, reference.field, type)))
    }
    fields += rest.flatMap { dataFields($0, table) }
    for relation in table.reverse where self.table(relation.source)?.isView == false {
      let type = relation.isOne ? relation.source : "[\(relation.source)!]!"
      fields.append(
        SDLInput(
          name: relation.field, type: relation.isOne ? "\(relation.source)_Data" : "[\(relation.source)_Data!]",
          description: words(table, relation.field, type)))
    }
    return .input("\(table.name)_Data", description: "The values of a row of `\(table.name)`.", fields)
  }

  private func dataFields(_ column: Column, _ table: Table) -> [SDLInput] {
    let variants: [(suffix: String, type: String)] =
      switch column.type.base {
      case _ where column.type.isList: [("update", "[\(column.type.base.name)_ListUpdate!]")]
      case .enumeration(let name): [("expr", "\(name)_Expr")]
      case .scalar(let scalar): scalar.dataVariants
      }
    return [plain(column, table)] + variants.map { variant(column, table, $0.suffix, $0.type) }
  }

  /// The fields that `_Key` offers besides the value itself: it can be computed, and not changed in steps.
  private func keyVariants(_ column: Column) -> [(suffix: String, type: String)] {
    guard case .scalar(let scalar) = column.type.base else { return [("expr", "\(column.type.base.name)_Expr")] }
    return scalar.dataVariants.filter { $0.suffix != "update" }
  }

  private func filter(of table: Table) -> SDLDefinition {
    let name = "\(table.name)_Filter"
    let (columns, references, rest) = table.inputColumns
    func condition(_ column: Column) -> SDLInput {
      SDLInput(
        name: column.name, type: "\(column.type.base.name)_\(column.type.isList ? "ListFilter" : "Filter")",
        description: words(table, column.name, column.type.text))
    }
    var fields = logic(name) + columns.map(condition)
    fields += references.map {
      SDLInput(
        name: $0.field, type: "\($0.target)_Filter",
        description: words(table, $0.field, $0.target + ($0.isNonNull ? "!" : "")))
    }
    fields += rest.map(condition)
    fields += table.reverse.map {
      SDLInput(
        name: $0.field, type: "\($0.source)_\($0.isOne ? "Filter" : "ListFilter")",
        description: words(table, $0.field, $0.isOne ? $0.source : "[\($0.source)!]!"))
    }
    fields += table.joins.map {
      SDLInput(
        name: $0.field, type: "\($0.target)_ListFilter", description: words(table, $0.field, "[\($0.target)!]!"))
    }
    return .input(name, description: "Conditions on rows of `\(table.name)`.", fields)
  }

  private func logic(_ name: String, isGrouping: Bool = false) -> [SDLInput] {
    let distinct = SDLInput(
      name: "_distinct", type: "Boolean", description: "Whether equal values are counted once.")
    return [SDLInput(name: "_and", type: "[\(name)!]", description: "All of these.")]
      + (isGrouping ? [distinct] : [])
      + [
        SDLInput(name: "_not", type: name, description: "Not this."),
        SDLInput(name: "_or", type: "[\(name)!]", description: "At least one of these."),
      ]
  }

  private func having(of table: Table) -> SDLDefinition {
    let name = "\(table.name)_Having"
    let fields = table.aggregates.map { aggregate in
      let base = aggregate.type.hasSuffix("!") ? String(aggregate.type.dropLast()) : aggregate.type
      return SDLInput(
        name: aggregate.name, type: "\(base)_Filter", description: words(table, aggregate.name, aggregate.type))
    }
    return .input(
      name, description: "Conditions on groups of rows of `\(table.name)`.", logic(name, isGrouping: true) + fields)
  }

  private func order(of table: Table) -> SDLDefinition {
    let (columns, references, rest) = table.inputColumns
    func direction(_ column: Column) -> SDLInput? {
      if column.type.isList { return nil }
      return SDLInput(
        name: column.name, type: "OrderDirection", description: words(table, column.name, column.type.text))
    }
    var fields = columns.compactMap(direction)
    fields += references.map {
      SDLInput(
        name: $0.field, type: "\($0.target)_Order",
        description: words(table, $0.field, $0.target + ($0.isNonNull ? "!" : "")))
    }
    fields += rest.compactMap(direction)
    fields += table.aggregates.map {
      SDLInput(name: $0.name, type: "OrderDirection", description: words(table, $0.name, $0.type))
    }
    return .input("\(table.name)_Order", description: "The order of rows of `\(table.name)`.", fields)
  }
}
