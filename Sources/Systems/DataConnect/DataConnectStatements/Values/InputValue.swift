package import GraphQL
package import JSON

/// A value of an argument, or of a part of it: written in the operation, or given by a client through a variable.
///
/// What is not set, because nobody gave the variable, is no value at all, and so is apart from null.
package struct InputValue: Sendable {
  private enum Source: Sendable {
    case document(ValueNode)
    case variable(JSONValue)
  }

  private let source: Source
  private let variables: JSONObject
  /// Where it is in the arguments: `["where", "title", "eq"]`.
  package let path: [String]

  /// `nil` where it is a variable that is not set.
  package init?(_ node: ValueNode, _ variables: JSONObject, path: [String] = []) {
    if case .variable(let name) = node.kind {
      guard let value = variables[name] else { return nil }
      source = .variable(value)
    } else {
      source = .document(node)
    }
    self.variables = variables
    self.path = path
  }

  /// A value that did not come with the operation, such as that of an expression.
  package init(_ value: JSONValue, path: [String]) {
    (source, variables, self.path) = (.variable(value), [:], path)
  }

  /// Whether a client decided it: expressions and statements are the developer's alone.
  package var isFromVariable: Bool { if case .variable = source { true } else { false } }

  package var isNull: Bool {
    switch source {
    case .document(let node): node.kind == .null
    case .variable(let value): value.isNull
    }
  }

  package func error(_ message: String) -> StatementError { StatementError(message, path: path) }

  // MARK: Parts

  /// Its members that are set, in order.
  ///
  /// - Throws: where it is no object.
  package func object() throws(StatementError) -> InputObject {
    switch source {
    case .document(let node):
      guard case .object(let fields) = node.kind else { throw error("This has to be an object.") }
      return InputObject(fields, variables, path: path)
    case .variable(.object(let object)):
      return InputObject(members: object.map { ($0.key, InputValue($0.value, path: path + [$0.key])) }, path: path)
    case .variable: throw error("This has to be an object.")
    }
  }

  /// The elements of a list; one value alone is a list of it. What is not set in a list is null.
  package var elements: [InputValue] {
    switch source {
    case .document(let node):
      guard case .list(let nodes) = node.kind else { return [self] }
      return nodes.enumerated().map { index, node in
        InputValue(node, variables, path: path + ["\(index)"]) ?? InputValue(.null, path: path + ["\(index)"])
      }
    case .variable(.array(let values)):
      return values.enumerated().map { InputValue($1, path: path + ["\($0)"]) }
    case .variable: return [self]
    }
  }

  /// It as JSON: words of enumerations are strings, what is not set in an object is left out.
  package var json: JSONValue {
    switch source {
    case .variable(let value): value
    case .document(let node): Self.json(node, variables) ?? .null
    }
  }

  private static func json(_ node: ValueNode, _ variables: JSONObject) -> JSONValue? {
    switch node.kind {
    case .variable(let name): variables[name]
    case .integer(let digits):
      Int64(digits).map(JSONValue.integer) ?? UInt64(digits).map(JSONValue.unsigned)
        ?? .double(Double(digits) ?? .infinity)
    case .float(let digits): .double(Double(digits) ?? .infinity)
    case .string(let text, _), .enumeration(let text): .string(text)
    case .boolean(let truth): .bool(truth)
    case .null: .null
    case .list(let nodes): .array(nodes.map { json($0, variables) ?? .null })
    case .object(let fields):
      .object(
        JSONObject(
          fields.compactMap { field in json(field.value, variables).map { (field.name.text, $0) } }))
    }
  }

  // MARK: Kinds

  package func text() throws(StatementError) -> String {
    guard case .string(let text) = json else { throw error("This has to be a text.") }
    return text
  }

  package func truth() throws(StatementError) -> Bool {
    guard case .bool(let truth) = json else { throw error("This has to be true or false.") }
    return truth
  }

  package func number() throws(StatementError) -> Double {
    guard let number = json.doubleValue, number.isFinite else { throw error("This has to be a number.") }
    return number
  }

  /// A number of 32 bits.
  package func integer() throws(StatementError) -> Int32 {
    guard let number = json.integerValue.flatMap({ Int32(exactly: $0) }) else {
      throw error("This has to be an integer of 32 bits.")
    }
    return number
  }

  /// Text that only the operation itself may have: an expression, or a statement.
  package func ownText() throws(StatementError) -> String {
    if isFromVariable { throw error("This cannot be given through a variable: it belongs into the operation.") }
    return try text()
  }
}

/// Arguments, or the members of an input object, that are set.
package struct InputObject: Sendable {
  package let members: [(name: String, value: InputValue)]
  /// Where it is in the arguments.
  package let path: [String]

  package init(members: [(name: String, value: InputValue)], path: [String] = []) {
    self.members = members
    self.path = path
  }

  package init(_ nodes: [ArgumentNode], _ variables: JSONObject, path: [String] = []) {
    self.init(
      members: nodes.compactMap { node in
        InputValue(node.value, variables, path: path + [node.name.text]).map { (node.name.text, $0) }
      }, path: path)
  }

  /// The value of a member that is set, null included.
  package subscript(name: String) -> InputValue? { members.first { $0.name == name }?.value }

  /// The value of a member that is set and not null.
  package func given(_ name: String) -> InputValue? { self[name].flatMap { $0.isNull ? nil : $0 } }

  package func error(_ message: String) -> StatementError { StatementError(message, path: path) }

  /// Refuses more than one of these that is set and not null.
  package func exclude(_ names: [String]) throws(StatementError) {
    let found = names.filter { given($0) != nil }
    if found.count > 1 { throw error("\(found.joined(separator: " and ")) exclude each other.") }
  }
}
