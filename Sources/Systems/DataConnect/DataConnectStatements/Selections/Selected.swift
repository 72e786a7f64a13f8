import DataConnectCompiler
import Text

/// A selected field of a row, with its kind.
struct Selected {
  enum Kind {
    case column(Column)
    case reference(Reference)
    case reverse(ReverseRelation)
    case join(JoinRelation)
    case aggregate(Aggregate)
    /// `_id`
    case identifier
    /// `_metadata`
    case metadata
    /// `__typename`
    case typeName
  }

  let field: CompiledField
  let kind: Kind

  var isAggregate: Bool { if case .aggregate = kind { true } else { false } }
}

extension SQLWriter {
  /// Returns the selection of a table's rows, without fields that `@skip` and `@include` omit.
  func selection(_ fields: [CompiledField], of table: Table) throws(StatementError) -> [Selected] {
    var found: [Selected] = []
    for field in fields {
      if try includes(field) { found.append(Selected(field: field, kind: try kind(of: field, table))) }
    }
    return found
  }

  private func kind(of field: CompiledField, _ table: Table) throws(StatementError) -> Selected.Kind {
    let name = field.name
    switch name {
    case "__typename": return .typeName
    case "_id": return .identifier
    case "_metadata": return .metadata
    default: break
    }
    if let column = table.column(name) { return .column(column) }
    if let reference = table.reference(name) { return .reference(reference) }
    if let relation = table.reverse.first(where: { $0.field == name }) { return .reverse(relation) }
    if let relation = table.joins.first(where: { $0.field == name }) { return .join(relation) }
    if let aggregate = table.aggregates.first(where: { $0.name == name }) { return .aggregate(aggregate) }
    throw StatementError("\(table.name) has no field \(name.shownInMessage()).")
  }

  /// Returns the columns that a selection reads, by which rows are grouped.
  func columns(for selection: [Selected], of table: Table) throws(StatementError) -> [String] {
    var names: [String] = []
    for selected in selection {
      let needed: [String]
      switch selected.kind {
      case .column(let column): needed = [column.name]
      case .reference(let reference): needed = reference.columns
      case .reverse(let relation):
        needed = try self.table(relation.source).reference(relation.reference)?.targetColumns ?? []
      case .join(let relation):
        needed = try self.table(relation.joinTable).reference(relation.near)?.targetColumns ?? []
      case .identifier: needed = table.key
      case .aggregate, .metadata, .typeName: needed = []
      }
      names += needed.filter { !names.contains($0) }
    }
    return names
  }
}
