extension Expansion {
  /// The fields that queries begin at.
  var queries: [SDLDefinition] {
    [
      .extendType(
        "Query",
        writable.map { single($0) } + tables.map { multiple($0) }
          + tables.flatMap { table in table.vectors.map { similarity(table, $0) } }
          + tables.filter(\.isSearchable).map { search($0) })
    ]
  }

  private func single(_ table: Table) -> SDLField {
    SDLField(
      name: table.singular, arguments: selectors(of: table), type: table.name, from: table.name,
      purpose: "QUERY_SINGLE", description: "One row of `\(table.name)`, or null.")
  }

  /// The arguments that tell one row.
  private func selectors(of table: Table) -> [SDLInput] {
    var arguments: [SDLInput] = []
    if table.hasIDArgument, let type = table.column("id")?.type {
      arguments.append(SDLInput(name: "id", type: type.nullableText, description: "The row with this `id`."))
      if type.scalar == .string {
        arguments.append(
          SDLInput(name: "id_expr", type: "String_Expr", description: "The row with the `id` of the expression."))
      }
    }
    return arguments + [
      SDLInput(name: "key", type: "\(table.name)_Key", description: "The row with this key."),
      SDLInput(name: "first", type: "\(table.name)_FirstRow", description: "The first row of these."),
    ]
  }

  private func multiple(_ table: Table) -> SDLField {
    SDLField(
      name: table.plural, arguments: listArguments(of: table), type: "[\(table.name)!]!", from: table.name,
      purpose: "QUERY_MULTIPLE", description: "Rows of `\(table.name)`.")
  }

  private func similarity(_ table: Table, _ column: Column) -> SDLField {
    SDLField(
      name: "\(table.plural)_\(column.name)_similarity",
      arguments: [
        SDLInput(name: "compare", type: "Vector", description: "The vector to compare with."),
        SDLInput(
          name: "compare_embed", type: "Vector_Embed", description: "The vector to compare with, made of a text."),
        SDLInput(
          name: "method", type: "VectorSimilarityMethod", defaultValue: "INNER_PRODUCT",
          description: "How to compare."),
        SDLInput(name: "within", type: "Float", description: "How far away at most."),
        SDLInput(name: "where", type: "\(table.name)_Filter", description: "Which rows."),
        SDLInput(name: "limit", type: "Int", defaultValue: "100", description: "How many rows at most."),
      ], type: "[\(table.name)!]!", from: "\(table.name).\(column.name)", purpose: "QUERY_MULTIPLE_BY_SIMILARITY",
      description: "Rows of `\(table.name)` whose `\(column.name)` is near a vector, the nearest first.")
  }

  private func search(_ table: Table) -> SDLField {
    SDLField(
      name: "\(table.plural)_search",
      arguments: [
        SDLInput(name: "query", type: "String", description: "The words."),
        SDLInput(
          name: "queryFormat", type: "Search_QueryFormat", defaultValue: "QUERY", description: "How to read them."),
        SDLInput(name: "relevanceThreshold", type: "Float", description: "How well rows fit at least."),
        SDLInput(name: "where", type: "\(table.name)_Filter", description: "Which rows."),
        SDLInput(name: "limit", type: "Int", defaultValue: "100", description: "How many rows at most."),
        SDLInput(name: "offset", type: "Int", description: "How many rows to leave out at the beginning."),
      ], type: "[\(table.name)!]!", from: table.name, purpose: "QUERY_MULTIPLE_BY_FULL_TEXT_SEARCH",
      description: "Rows of `\(table.name)` in which words are found, the best first.")
  }

  // MARK: Mutations

  /// The fields that mutations begin at: by kind, each by table.
  var mutations: [SDLDefinition] {
    let fields = MutationKind.allCases.flatMap { kind in writable.map { mutation(kind, $0) } }
    return [.extendType("Mutation", fields)]
  }

  private func mutation(_ kind: MutationKind, _ table: Table) -> SDLField {
    let (name, output) = (table.name, "\(table.name)_KeyOutput")
    let data = SDLInput(name: "data", type: "\(name)_Data!", description: "The values.")
    let rows = SDLInput(name: "data", type: "[\(name)_Data!]!", description: "The values of each row.")
    let several = [
      SDLInput(name: "where", type: "\(name)_Filter", description: "Which rows."),
      SDLInput(name: "all", type: "Boolean", defaultValue: "false", description: "Whether all rows are meant."),
    ]
    let (arguments, type): ([SDLInput], String) =
      switch kind {
      case .insert, .upsert: ([data], "\(output)!")
      case .insertMany, .upsertMany: ([rows], "[\(output)!]!")
      case .update: (selectors(of: table) + [data], output)
      case .updateMany: (several + [data], "Int!")
      case .delete: (selectors(of: table), output)
      case .deleteMany: (several, "Int!")
      }
    return SDLField(
      name: "\(table.singular)_\(kind.rawValue)", arguments: arguments, type: type, from: name,
      purpose: kind.purpose, description: kind.words(name))
  }
}

/// The kinds of mutation.
package enum MutationKind: String, Sendable, Hashable, CaseIterable {
  case insert, insertMany, upsert, upsertMany, update, updateMany, delete, deleteMany

  var purpose: String {
    let name = rawValue.hasSuffix("Many") ? String(rawValue.dropLast(4)) : rawValue
    return "\(name.uppercased())_\(rawValue.hasSuffix("Many") ? "MULTIPLE" : "SINGLE")"
  }

  func words(_ table: String) -> String {
    switch self {
    case .insert: "Inserts a row into `\(table)` and gives its key."
    case .insertMany: "Inserts rows into `\(table)` and gives their keys."
    case .upsert: "Inserts a row into `\(table)`, or changes the one with its key, and gives the key."
    case .upsertMany: "Inserts rows into `\(table)`, or changes those with their keys, and gives the keys."
    case .update: "Changes one row of `\(table)` and gives its key, or null where there is none."
    case .updateMany: "Changes rows of `\(table)` and gives their number."
    case .delete: "Deletes one row of `\(table)` and gives its key, or null where there is none."
    case .deleteMany: "Deletes rows of `\(table)` and gives their number."
    }
  }
}
