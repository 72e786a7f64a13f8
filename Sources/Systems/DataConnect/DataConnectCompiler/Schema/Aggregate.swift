/// A generated field that is computed from all rows of a table, or from a group of them.
package struct Aggregate: Sendable, Hashable {
  /// The functions of SQL that a field may compute.
  package enum Function: String, Sendable, Hashable, CaseIterable {
    case count, sum, avg, min, max
  }

  /// The function that computes the value.
  package let function: Function
  /// The column that it is computed from; `nil` when it counts rows.
  package let column: String?
  /// The name of the generated field.
  package let name: String
  /// The type of the generated field, as GraphQL writes it.
  package let type: String

  /// Whether the field takes the argument `distinct`.
  package var takesDistinct: Bool { column != nil && [.count, .sum, .avg].contains(function) }
}

extension Table {
  /// The aggregates of the table, sorted by function and then by field name.
  package var aggregates: [Aggregate] {
    var found = [Aggregate(function: .count, column: nil, name: "_count", type: "Int!")]
    let scalars = columns.filter { !$0.type.isList }
    for function in Aggregate.Function.allCases {
      let fields = scalars.compactMap { column -> Aggregate? in
        guard let type = column.type.aggregateType(function) else { return nil }
        return Aggregate(
          function: function, column: column.name, name: "\(column.name)_\(function.rawValue)", type: type)
      }
      found += fields.sorted(byName: \.name)
    }
    return found
  }

  /// The columns with vectors, by name.
  package var vectors: [Column] { columns.filter { $0.type.scalar == .vector }.sorted(byName: \.name) }
  /// Whether the words in it can be searched.
  package var isSearchable: Bool { columns.contains { $0.searchLanguage != nil } }

  /// The names of the fields of queries that lead to it.
  var rootFields: [String] {
    (isView ? [] : [singular]) + [plural] + (isSearchable ? ["\(plural)_search"] : [])
      + vectors.map { "\(plural)_\($0.name)_similarity" }
  }

  /// The suffixes of generated type names.
  static let generatedTypeSuffixes: Set = [
    "Data", "Expr", "Filter", "FirstRow", "Having", "Key", "KeyOutput", "ListFilter", "ListUpdate", "Order",
  ]
}

extension ColumnType {
  /// The type of an aggregate of it; `nil` where there is none.
  fileprivate func aggregateType(_ function: Aggregate.Function) -> String? {
    switch function {
    case .count: "Int!"
    case .sum: scalar?.isNumber == true ? base.name : nil
    case .avg: scalar?.isNumber == true ? "Float" : nil
    case .min, .max: scalar?.hasExtremes == true ? base.name : nil
    }
  }
}
