package import GraphQL
package import JSON

/// The value of an argument or of a part of it. It is written in the operation, or a client supplied it in a variable.
///
/// A variable that the client did not supply has no `InputValue` at all, which is different from null.
package struct InputValue {
  private enum Source {
    case document(ValueNode)
    /// A value that the operation does not write, with what it comes from.
    case given(JSONValue, ValueOrigin)
  }

  private let source: Source
  private let variables: JSONObject
  private let reads: ValueReads?
  /// The place in the arguments: `["where", "title", "eq"]`.
  package let path: [String]

  /// Creates a value from the operation's text; `nil` for a variable that is not set.
  ///
  /// - Parameter reads: learns that the value was read.
  package init?(_ node: ValueNode, _ variables: JSONObject, path: [String] = [], reads: ValueReads? = nil) {
    if case .variable(let name) = node.kind {
      guard let value = variables[name] else { return nil }
      source = .given(value, .written(node))
    } else {
      source = .document(node)
    }
    (self.variables, self.path, self.reads) = (variables, path, reads)
  }

  /// Creates a value that is not written in the operation, such as the result of an expression.
  package init(_ value: JSONValue, path: [String], from origin: ValueOrigin = .part, reads: ValueReads? = nil) {
    (source, variables, self.path, self.reads) = (.given(value, origin), [:], path, reads)
  }

  /// What the value comes from.
  var origin: ValueOrigin {
    switch source {
    case .document(let node): .written(node)
    case .given(_, let origin): origin
    }
  }

  /// Whether a client chose the value. Expressions and statements must come from the developer.
  package var isFromVariable: Bool { if case .given = source { true } else { false } }

  /// Whether the operation writes an object here.
  var isWrittenObject: Bool {
    if case .document(let node) = source, case .object = node.kind { true } else { false }
  }

  /// Whether the value is null.
  package var isNull: Bool {
    switch source {
    case .document(let node): return node.kind == .null
    case .given(let value, let origin):
      // Whether a variable is null is part of a statement's form.
      if case .expression = origin { reads?.note() }
      return value.isNull
    }
  }

  /// Creates an error at the place of this value.
  package func error(_ message: String) -> StatementError { StatementError(message, path: path) }

  // MARK: Parts

  /// Returns the set members of the object, in order.
  ///
  /// - Throws: `StatementError` when the value is not an object.
  package func object() throws(StatementError) -> InputObject {
    switch source {
    case .document(let node):
      guard case .object(let fields) = node.kind else { throw error("This has to be an object.") }
      return InputObject(fields, variables, path: path, reads: reads)
    case .given(.object(let object), let origin):
      let isTold = origin.depth.map { VariableForm.tells(object, depth: $0) } ?? false
      if !isTold { reads?.note() }
      return InputObject(
        members: object.map { key, value in
          let origin = isTold ? origin.member(key) : .part
          return (key, InputValue(value, path: path + [key], from: origin, reads: reads))
        }, path: path)
    case .given:
      reads?.note()
      throw error("This has to be an object.")
    }
  }

  /// The elements of a list; a single value is treated as a list of one. An element that is not set is null.
  package var elements: [InputValue] {
    switch source {
    case .document(let node):
      guard case .list(let nodes) = node.kind else { return [self] }
      return nodes.enumerated().map { index, node in
        InputValue(node, variables, path: path + ["\(index)"], reads: reads)
          ?? InputValue(.null, path: path + ["\(index)"], from: .written(node), reads: reads)
      }
    case .given(.array(let values), _):
      reads?.note()
      return values.enumerated().map { InputValue($1, path: path + ["\($0)"], reads: reads) }
    case .given:
      reads?.note()
      return [self]
    }
  }

  /// The value as JSON. Enumeration values become strings; members that are not set are left out.
  package var json: JSONValue {
    switch source {
    case .given(let value, _):
      reads?.note()
      return value
    case .document(let node):
      if reads != nil, node.hasVariables { reads?.note() }
      return Self.json(node, variables) ?? .null
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

  /// Returns the text.
  ///
  /// - Throws: `StatementError` when the value is not a string.
  package func text() throws(StatementError) -> String {
    guard case .string(let text) = json else { throw error("This has to be a text.") }
    return text
  }

  /// Returns the Boolean.
  ///
  /// - Throws: `StatementError` when the value is not `true` or `false`.
  package func truth() throws(StatementError) -> Bool {
    // Which of the two a variable is, is part of a statement's form.
    switch source {
    case .given(.bool(let truth), .written), .given(.bool(let truth), .member): return truth
    default: break
    }
    guard case .bool(let truth) = json else { throw error("This has to be true or false.") }
    return truth
  }

  /// Returns the number.
  ///
  /// - Throws: `StatementError` when the value is not a finite number.
  package func number() throws(StatementError) -> Double {
    guard let number = json.doubleValue, number.isFinite else { throw error("This has to be a number.") }
    return number
  }

  /// Returns the number as a 32-bit integer.
  ///
  /// - Throws: `StatementError` when it is not one.
  package func integer() throws(StatementError) -> Int32 {
    guard let number = json.integerValue.flatMap({ Int32(exactly: $0) }) else {
      throw error("This has to be an integer of 32 bits.")
    }
    return number
  }

  /// Returns a text that only the developer may write: an expression or a statement.
  ///
  /// - Throws: `StatementError` when the value is not a string, or a client supplied it.
  package func ownText() throws(StatementError) -> String {
    if isFromVariable { throw error("This cannot be given through a variable: it belongs into the operation.") }
    return try text()
  }
}

/// The set arguments of a field, or the set members of an input object.
package struct InputObject {
  /// The members that are set, in order; null counts as set.
  package let members: [(name: String, value: InputValue)]
  /// The place in the arguments.
  package let path: [String]

  /// Creates an object from values.
  package init(members: [(name: String, value: InputValue)], path: [String] = []) {
    self.members = members
    self.path = path
  }

  /// Creates an object from written arguments; variables that are not set are left out.
  package init(_ nodes: [ArgumentNode], _ variables: JSONObject, path: [String] = [], reads: ValueReads? = nil) {
    self.init(
      members: nodes.compactMap { node in
        InputValue(node.value, variables, path: path + [node.name.text], reads: reads).map { (node.name.text, $0) }
      }, path: path)
  }

  /// Returns the value of a set member, null included; `nil` when it is not set.
  package subscript(name: String) -> InputValue? { members.first { $0.name == name }?.value }

  /// Returns the value of a member that is set and not null.
  package func given(_ name: String) -> InputValue? { self[name].flatMap { $0.isNull ? nil : $0 } }

  /// Creates an error at the place of this object.
  package func error(_ message: String) -> StatementError { StatementError(message, path: path) }

  /// Throws `StatementError` when more than one of these members is set and not null.
  package func exclude(_ names: [String]) throws(StatementError) {
    let found = names.filter { given($0) != nil }
    if found.count > 1 { throw error("\(found.joined(separator: " and ")) exclude each other.") }
  }
}
