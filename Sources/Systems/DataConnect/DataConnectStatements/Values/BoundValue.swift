import DataConnectCompiler
package import GraphQL
import JSON
import PostgreSQL

/// What a value of a statement comes from.
package enum ValueOrigin: Sendable {
  /// The operation writes it, or the variable.
  case written(ValueNode)
  /// A member of the object in a variable, and the names that lead to it: ``VariableForm`` tells that it is there.
  case member(ValueNode, names: [String])
  /// The result of an expression, which is evaluated for each call.
  case expression(String)
  /// A part of a client's value.
  case part

  /// In how many objects of a variable this lies; `nil` where it is of no variable, or nothing tells of it.
  var depth: Int? {
    switch self {
    case .written: 0
    case .member(_, let names): names.count
    case .expression, .part: nil
    }
  }

  /// The origin of a member of an object that comes from here.
  func member(_ name: String) -> ValueOrigin {
    switch self {
    case .written(let variable): .member(variable, names: [name])
    case .member(let variable, let names): .member(variable, names: names + [name])
    case .expression, .part: .part
    }
  }
}

/// Learns whether a statement's text depends on a client's value.
///
/// A value may be read while it is bound: that changes what the statement is called with, and not its text.
package final class ValueReads {
  /// Whether a value was read for something else than to bind it.
  private(set) var areInText = false
  private var isBinding = false

  /// Notes that a value is read.
  func note() { if !isBinding { areInText = true } }

  /// Runs `body`, which makes a parameter of a value.
  func binding<Result>(_ body: () throws(StatementError) -> Result) throws(StatementError) -> Result {
    let outer = isBinding
    isBinding = true
    defer { isBinding = outer }
    return try body()
  }
}

/// How a parameter is made of the variables and expressions of a call.
struct BoundValue: Sendable {
  /// Makes the parameter's text of a value; `nil` is NULL.
  typealias Reading = @Sendable (InputValue) throws(StatementError) -> String?

  private enum Source: Sendable {
    case constant(PostgreSQLValue)
    case read(ValueOrigin, path: [String], Reading)
  }

  private let source: Source

  /// Creates a parameter that is the same for all calls.
  init(_ constant: PostgreSQLValue) { source = .constant(constant) }

  /// Creates a parameter that `reading` makes of such a value as `value`, which was bound as `bound`.
  init(_ value: InputValue, _ bound: PostgreSQLValue, _ reading: @escaping Reading) {
    if case .written(let node) = value.origin, !node.hasVariables {
      source = .constant(bound)
    } else {
      source = .read(value.origin, path: value.path, reading)
    }
  }

  /// The parameter for a call.
  func value(_ context: StatementContext) throws(StatementError) -> PostgreSQLValue {
    switch source {
    case .constant(let value): return value
    case .read(.written(let node), let path, let reading):
      // An element of a list that is not set is null.
      let value = InputValue(node, context.variables, path: path) ?? InputValue(.null, path: path)
      return try PostgreSQLValue(bound: reading(value))
    case .read(.member(let node, let names), let path, let reading):
      guard case .variable(let name) = node.kind, let whole = context.variables[name],
        let part = names.reduce(whole, { $0?[$1] })
      else { throw StatementError("A part of the variable is not there.", path: path) }
      return try PostgreSQLValue(bound: reading(InputValue(part, path: path)))
    case .read(.expression(let text), let path, let reading):
      let value = try InputValue(context.evaluated(text, at: path), path: path, from: .expression(text))
      return try PostgreSQLValue(bound: reading(value))
    case .read(.part, _, _): throw StatementError("A part of a value is not known by itself.")
    }
  }
}

extension PostgreSQLValue {
  /// - Throws: for a text that the database cannot hold.
  init(bound text: String?) throws(StatementError) {
    if text?.utf8.contains(0) == true {
      throw StatementError("A text has the character U+0000, which the database cannot hold.")
    }
    self = text.map(PostgreSQLValue.text) ?? .null
  }

  /// The size of a text.
  var textSize: Int { if case .text(let text) = self { text.utf8.count } else { 0 } }
}

extension StatementContext {
  /// Evaluates an expression that stands at `path`.
  func evaluated(_ text: String, at path: [String]) throws(StatementError) -> JSONValue {
    do throws(StatementError) {
      return try evaluate(text)
    } catch {
      throw error.path.isEmpty ? StatementError(error.message, path: path) : error
    }
  }
}

extension ValueNode {
  /// Whether the value or a part of it is a variable.
  var hasVariables: Bool {
    switch kind {
    case .variable: true
    case .list(let nodes): nodes.contains(where: \.hasVariables)
    case .object(let fields): fields.contains(where: \.value.hasVariables)
    default: false
    }
  }

  /// Adds the names of the variables in it.
  func addVariables(to names: inout Set<String>) {
    switch kind {
    case .variable(let name): names.insert(name)
    case .list(let nodes): for node in nodes { node.addVariables(to: &names) }
    case .object(let fields): for field in fields { field.value.addVariables(to: &names) }
    default: break
    }
  }
}
