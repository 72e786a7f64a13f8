/// The definitions of a document by name, each name once. A definition that is not valid is reported and left out.
struct SchemaParts {
  var types: [String: SchemaType] = [:]
  var typeNames: [String] = []
  var directives: [String: DirectiveDefinitionNode] = [:]
  var directiveNames: [String] = []
  var roots: [OperationKind: String] = [:]
  var rootNodes: [RootTypeNode] = []
  var description: DescriptionNode?
  var schemaDirectives: [DirectiveNode] = []
  let sources: [GraphQLSource]

  static let code = "Schema"

  init(sources: [GraphQLSource]) { self.sources = sources }

  mutating func add(_ document: DocumentNode, _ errors: inout ErrorList) {
    var (definitions, extensions): ([String: TypeDefinitionNode], [TypeDefinitionNode]) = ([:], [])
    var schema: SchemaNode?
    var schemaExtensions: [SchemaNode] = []
    for definition in document.definitions {
      switch definition {
      case .operation, .fragment:
        errors.add(
          "Operations and fragments do not belong into a schema.", fix: "Move it to a file of operations.",
          code: "ExecutableDefinitions", at: definition.position)
      case .schema(let node) where node.isExtension: schemaExtensions.append(node)
      case .schema(let node):
        if let first = schema {
          errors.add(
            "There is more than one schema definition.", fix: "Remove one, or write \"extend schema\".",
            code: "LoneSchemaDefinition", at: [node.position, first.position])
        } else {
          schema = node
        }
      case .type(let node) where node.isExtension: extensions.append(node)
      case .type(let node):
        if let first = definitions[node.name.text] {
          errors.add(
            "There is more than one type \(node.name.text.quoted).",
            fix: "Rename one, or write \"extend \(node.kind.keyword)\".", code: "UniqueTypeNames",
            at: [node.name.position, first.name.position])
        } else {
          definitions[node.name.text] = node
          typeNames.append(node.name.text)
        }
      case .directive(let node):
        if let first = directives[node.name.text] {
          errors.add(
            "There is more than one directive @\(node.name.text.shownInError).", fix: "Remove one.",
            code: "UniqueDirectiveNames", at: [node.name.position, first.name.position])
        } else {
          directives[node.name.text] = node
          directiveNames.append(node.name.text)
        }
      }
    }
    for node in extensions { extend(&definitions, with: node, &errors) }
    for (name, node) in definitions { types[name] = SchemaType(node, isBuiltIn: BuiltIns.scalarNames.contains(name)) }
    addBuiltIns()
    addRoots(schema, schemaExtensions, &errors)
  }

  private mutating func addBuiltIns() {
    for node in BuiltIns.types where types[node.name.text] == nil {
      types[node.name.text] = SchemaType(node, isBuiltIn: true)
      typeNames.append(node.name.text)
    }
    for node in BuiltIns.directives where directives[node.name.text] == nil {
      directives[node.name.text] = node
      directiveNames.append(node.name.text)
    }
  }

  private func extend(
    _ definitions: inout [String: TypeDefinitionNode], with node: TypeDefinitionNode, _ errors: inout ErrorList
  ) {
    let name = node.name.text
    guard let old = definitions[name] else {
      errors.add(
        "There is no type \(name.quoted) to extend.",
        fix: suggestion(for: name, among: definitions.keys) ?? "Define it without \"extend\".",
        code: "PossibleTypeExtensions", at: node.name.position)
      return
    }
    guard old.kind == node.kind else {
      errors.add(
        "\(name.quoted) is defined with \"\(old.kind.keyword)\", not with \"\(node.kind.keyword)\".",
        fix: "Write \"extend \(old.kind.keyword)\".", code: "PossibleTypeExtensions",
        at: [node.name.position, old.name.position])
      return
    }
    definitions[name] = old.adding(node)
  }

  /// The types of operations: as the schema definition says, or without one by their usual names.
  private mutating func addRoots(_ schema: SchemaNode?, _ extensions: [SchemaNode], _ errors: inout ErrorList) {
    description = schema?.description
    for node in [schema].compactMap(\.self) + extensions {
      schemaDirectives += node.directives
      for operation in node.operations {
        if let first = rootNodes.first(where: { $0.kind == operation.kind }) {
          errors.add(
            "The type of \(operation.kind.rawValue) operations is given more than once.", fix: "Remove one.",
            code: "UniqueOperationTypes", at: [operation.position, first.position])
        } else {
          rootNodes.append(operation)
          roots[operation.kind] = operation.type.text
        }
      }
    }
    if schema != nil { return }
    for kind in OperationKind.allCases where roots[kind] == nil {
      let name = kind.rawValue.prefix(1).uppercased() + kind.rawValue.dropFirst()
      if let type = types[name], type.kind == .object { roots[kind] = name }
    }
  }
}
