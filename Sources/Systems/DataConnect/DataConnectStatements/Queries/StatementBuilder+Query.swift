package import DataConnectCompiler
import Text

extension StatementBuilder {
  /// Of a field of `Query`: lookup, list, search, similarity, `_select`, `_selectFirst`.
  package static func query(_ field: CompiledField, _ context: StatementContext) throws(StatementError) -> RootStatement
  {
    let writer = SQLWriter(context)
    let arguments = writer.arguments(of: field)
    if field.name == "_select" || field.name == "_selectFirst" {
      return try writer.statement(writer.native(arguments, isFirst: field.name == "_selectFirst"))
    }
    guard let action = context.schema.action(ofRootField: field.name) else {
      throw StatementError("No table has a field \(field.name.shownInMessage()) for queries.")
    }
    let table = try writer.table(action.table)
    let text: SQLText
    switch action.kind {
    case .lookup: text = try writer.lookup(field.fields, arguments, of: table)
    case .list: text = try writer.list(field.fields, arguments, of: RowSource(table, writer))
    case .search: text = try writer.list(field.fields, arguments, of: writer.search(arguments, table))
    case .similarity(let column):
      text = try writer.list(field.fields, arguments, of: writer.similarity(arguments, table, column))
    case .mutation: throw StatementError("\(field.name.shownInMessage()) is a field of mutations.")
    }
    return try writer.statement(text)
  }
}
