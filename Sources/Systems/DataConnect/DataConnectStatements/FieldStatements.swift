package import DataConnectCompiler
import GraphQL
import JSON
import PostgreSQL
import Synchronization

/// The statements of one root field, each of which is made once.
///
/// The text of a statement depends on which variables and which members of small objects are set, null, true or false,
/// and seldom on their other values (such as the rows of a list). A call whose variables are like those of an earlier one
/// uses its text, and only makes the parameters.
package final class FieldStatements: Sendable {
  /// How many texts a field keeps, and of how many bytes: a client chooses which variables are set.
  private static let (mostTexts, mostBytes) = (16, 1 << 16)

  private enum Entry {
    case template(StatementTemplate)
    /// The text depends on values.
    case none
  }

  private let field: CompiledField
  private let isMutation: Bool
  private let variables: [String]
  private let entries = Mutex<[[VariableForm]: Entry]>([:])

  /// Creates the statements of a root field of a query or a mutation.
  package init(_ field: CompiledField, isMutation: Bool) {
    self.field = field
    self.isMutation = isMutation
    var names: Set<String> = []
    field.addVariables(to: &names)
    variables = names.sorted()
  }

  /// How many texts are kept.
  package var keptTexts: Int {
    entries.withLock { $0.values.count { if case .template = $0 { true } else { false } } }
  }

  /// Returns the statement for a call.
  ///
  /// - Throws: `StatementError`, as ``StatementBuilder`` does.
  package func statement(_ context: StatementContext) throws(StatementError) -> RootStatement {
    let form = variables.map { VariableForm(context.variables[$0]) }
    let entry = entries.withLock { entries in entries[form] ?? (entries.count < Self.mostTexts ? nil : Entry.none) }
    switch entry {
    case .template(let template): return try template.statement(context)
    case .some(.none): return try make(SQLWriter(context))
    case nil: break
    }
    let writer = SQLWriter(context, reads: ValueReads())
    let statement = try make(writer)
    let template = statement.text.utf8.count > Self.mostBytes ? nil : writer.template(of: statement)
    entries.withLock { entries in
      if entries.count < Self.mostTexts { entries[form] = template.map(Entry.template) ?? Entry.none }
    }
    return statement
  }

  private func make(_ writer: SQLWriter) throws(StatementError) -> RootStatement {
    isMutation ? try StatementBuilder.mutation(field, writer) : try StatementBuilder.query(field, writer)
  }
}

/// A statement without the values of a call.
struct StatementTemplate: Sendable {
  let text: String
  let answer: RootStatement.Answer
  let values: [BoundValue]
  /// What counts of the text for the limit of bytes, beside the values.
  let bytes: Int

  /// Makes the parameters for a call.
  func statement(_ context: StatementContext) throws(StatementError) -> RootStatement {
    var parameters: [PostgreSQLValue] = []
    parameters.reserveCapacity(values.count)
    var bytes = bytes
    for value in values {
      let parameter = try value.value(context)
      bytes += parameter.textSize
      guard bytes <= context.limits.bytes else { throw StatementError.tooLong(context.limits) }
      parameters.append(parameter)
    }
    return RootStatement(text: text, parameters: parameters, answer: answer)
  }
}

extension CompiledField {
  /// Adds the names of the variables of the field and of everything selected from it.
  fileprivate func addVariables(to names: inout Set<String>) {
    for argument in arguments { argument.value.addVariables(to: &names) }
    for condition in presences.joined() { condition.value.addVariables(to: &names) }
    for field in fields { field.addVariables(to: &names) }
  }
}
