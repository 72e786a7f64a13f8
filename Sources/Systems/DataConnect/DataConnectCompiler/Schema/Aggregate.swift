/// A field that is computed of all rows, or of a group of them.
package struct Aggregate: Sendable, Hashable {
  package enum Function: String, Sendable, Hashable, CaseIterable {
    case count, sum, avg, min, max
  }

  package let function: Function
  /// `nil` for the number of rows.
  package let column: String?
  /// The name of its field.
  package let name: String
  /// The type of its field.
  package let type: String

  /// Whether equal values may be left out.
  package var takesDistinct: Bool { column != nil && [.count, .sum, .avg].contains(function) }
}

extension Table {
  /// What can be computed of it, in the order of the fields: by function, each by the names of the fields.
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

  /// What the names of generated types end with.
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
