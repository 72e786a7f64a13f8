package import JSON

/// An operation of a document that was checked, with the values of its variables: ready to be executed.
package final class GraphQLRequest: Sendable {
  /// The validated document.
  package let document: DocumentNode
  /// The schema that the document was validated against.
  package let schema: GraphQLSchema
  /// The operation to execute.
  package let operation: OperationNode
  /// Values of their variables' types. Those without value and default are absent.
  package let variables: JSONObject
  /// The limits of the request and its execution.
  package let limits: GraphQLLimits
  private let fragments: [String: FragmentNode]

  /// Chooses the operation and coerces the values of its variables.
  ///
  /// - Parameters:
  ///   - document: a document in which ``GraphQLValidation`` found no error.
  ///   - name: the name of the operation; required when the document has more than one.
  ///   - variables: values by name. Names that the operation does not declare are ignored.
  /// - Throws: an error when there is no such operation, or all errors in the variables.
  package init(
    _ document: DocumentNode, _ schema: GraphQLSchema, operation name: String? = nil, variables: JSONObject = [:],
    limits: GraphQLLimits = GraphQLLimits()
  ) throws(GraphQLErrors) {
    self.document = document
    self.schema = schema
    self.limits = limits
    operation = try Self.choose(name, document)
    fragments = Dictionary(document.fragments.map { ($0.name.text, $0) }) { first, _ in first }
    self.variables = try VariableCoercion.values(operation, variables, schema, document.sources, limits)
  }

  private static func choose(_ name: String?, _ document: DocumentNode) throws(GraphQLErrors) -> OperationNode {
    let operations = document.operations
    guard let name else {
      if let only = operations.first, operations.count == 1 { return only }
      throw GraphQLErrors([
        GraphQLError(
          operations.isEmpty
            ? "The document has no operation." : "The document has several operations, and none was chosen.",
          fix: operations.isEmpty ? nil : "Name one of them.", code: "Operation")
      ])
    }
    if let found = operations.first(where: { $0.name?.text == name }) { return found }
    throw GraphQLErrors([
      GraphQLError(
        "The document has no operation \(name.quoted).",
        fix: suggestion(for: name, among: operations.compactMap(\.name?.text)), code: "Operation")
    ])
  }

  /// The fields that the operation begins with. A subscription has one.
  package var rootFields: [GraphQLField] {
    schema.root(operation.kind).map { fields([operation.selections], of: $0) } ?? []
  }

  /// Directives as values, those left out that decide what is selected.
  ///
  /// - Throws: what is wrong with an argument.
  package func directives(_ nodes: [DirectiveNode]) throws(GraphQLError) -> [GraphQLField.Directive] {
    var directives: [GraphQLField.Directive] = []
    for node in nodes where node.name.text != "skip" && node.name.text != "include" {
      guard let definition = schema.directives[node.name.text] else { continue }
      let arguments = try InputCoercion.arguments(node.arguments, definition.arguments, schema, variables: variables)
      directives.append(GraphQLField.Directive(name: node.name.text, arguments: arguments))
    }
    return directives
  }

  /// The fields of some selections for objects of a type, in the order of their first nodes.
  func fields(_ selections: [[SelectionNode]], of type: SchemaType) -> [GraphQLField] {
    var (names, nodes): ([String], [String: [FieldNode]]) = ([], [:])
    var spread: Set<String> = []
    var waiting = selections.reversed().map { $0[...] }
    while var rest = waiting.popLast() {
      guard let next = rest.popFirst() else { continue }
      waiting.append(rest)
      guard isIncluded(next.directives) else { continue }
      switch next {
      case .field(let node):
        let name = node.responseName
        if nodes[name] == nil { names.append(name) }
        nodes[name, default: []].append(node)
      case .inline(let node):
        if applies(node.typeCondition, type) { waiting.append(node.selections[...]) }
      case .spread(let node):
        guard let fragment = fragments[node.name.text], spread.insert(node.name.text).inserted,
          applies(fragment.typeCondition, type)
        else { continue }
        waiting.append(fragment.selections[...])
      }
    }
    return names.compactMap { name in
      guard let nodes = nodes[name], let definition = nodes.first.flatMap({ schema.field($0.name.text, of: type) })
      else { return nil }
      return GraphQLField(nodes, definition, type, self)
    }
  }

  private func applies(_ condition: NameNode?, _ type: SchemaType) -> Bool {
    guard let condition else { return true }
    return condition.text == type.name || schema.isPossible(type.name, for: condition.text)
  }

  private func isIncluded(_ directives: [DirectiveNode]) -> Bool {
    if directives.isEmpty { return true }
    return condition(directives["skip"]) != true && condition(directives["include"]) != false
  }

  private func condition(_ directive: DirectiveNode?) -> Bool? {
    guard let value = directive?.arguments["if"] else { return nil }
    return InputCoercion.json(value, variables: variables)?.boolValue
  }
}
