/// The types and directives that documents are checked against and executed on.
package final class GraphQLSchema: Sendable {
  /// The types by name, those of introspection included.
  package let types: [String: SchemaType]
  /// The names of the types, as their definitions came; those that every schema has at the end.
  package let typeNames: [String]
  /// The definitions of the directives, by name without `@`.
  package let directives: [String: DirectiveDefinitionNode]
  /// The names of the directives, as their definitions came.
  package let directiveNames: [String]
  /// The names of the types that operations begin at.
  package let roots: [OperationKind: String]
  /// The description of the schema, or nil.
  package var description: String? { descriptionNode?.text }
  /// The directives on the schema definition and its extensions.
  package let schemaDirectives: [DirectiveNode]
  /// The texts that it was made of; positions point into them.
  package let sources: [GraphQLSource]
  let scalars: [String: GraphQLScalar]
  private let descriptionNode: DescriptionNode?
  private let possible: [String: Set<String>]
  private let possibleOrder: [String: [String]]

  init(_ parts: SchemaParts, scalars: [String: GraphQLScalar]) {
    types = parts.types
    typeNames = parts.typeNames
    directives = parts.directives
    directiveNames = parts.directiveNames
    roots = parts.roots
    descriptionNode = parts.description
    schemaDirectives = parts.schemaDirectives
    sources = parts.sources
    self.scalars = scalars.merging(GraphQLScalar.builtIn) { _, builtIn in builtIn }
    var order: [String: [String]] = [:]
    for name in parts.typeNames {
      guard let type = parts.types[name] else { continue }
      switch type.kind {
      case .object:
        order[name] = [name]
        for interface in type.definition.interfaces { order[interface.text, default: []].append(name) }
      case .union: order[name] = type.definition.members.map(\.text)
      default: break
      }
    }
    possibleOrder = order
    possible = order.mapValues { Set($0) }
  }

  /// Returns the type with this name, or `nil`.
  package func type(_ name: String) -> SchemaType? { types[name] }

  /// What the values of a scalar are: without a word about it, anything.
  package func scalar(_ name: String) -> GraphQLScalar { scalars[name] ?? .any }

  /// The type that operations of a kind begin at; `nil` when the schema has none.
  package func root(_ kind: OperationKind) -> SchemaType? { roots[kind].flatMap { types[$0] } }

  /// The objects' types that a value of a composite type may have, in the order of their definitions.
  package func possibleTypes(of name: String) -> [String] { possibleOrder[name] ?? [] }

  /// Returns whether an object type is the named type, implements it, or is one of its members.
  package func isPossible(_ object: String, for name: String) -> Bool { possible[name]?.contains(object) == true }

  /// Whether some object can have both types.
  package func overlaps(_ one: String, _ other: String) -> Bool {
    if one == other { return true }
    guard let first = possible[one], let second = possible[other] else { return false }
    return !first.isDisjoint(with: second)
  }

  /// The definition of a field, also of those that every composite type has.
  package func field(_ name: String, of type: SchemaType) -> FieldDefinitionNode? {
    if let field = type.field(name) { return field }
    switch name {
    case "__typename": return type.isComposite ? BuiltIns.typeName : nil
    case "__schema": return type.name == roots[.query] ? BuiltIns.schema : nil
    case "__type": return type.name == roots[.query] ? BuiltIns.type : nil
    default: return nil
    }
  }

  /// Reads a schema from texts that are one.
  ///
  /// - Throws: everything that is wrong with it.
  package convenience init(
    _ sources: [GraphQLSource], scalars: [String: GraphQLScalar] = [:], limits: GraphQLLimits = .sources
  ) throws(GraphQLErrors) {
    let result = GraphQLParser.read(sources, limits: limits)
    var errors = ErrorList(sources: sources, limit: limits.errors)
    for error in result.errors { errors.add(error) }
    var parts = SchemaParts(sources: sources)
    parts.add(result.document, &errors)
    // What a mistake in the text hides would be reported as missing.
    if result.errors.isEmpty { TypeSystemCheck.check(parts, scalars, &errors) }
    if !errors.errors.isEmpty { throw GraphQLErrors(errors.errors) }
    self.init(parts, scalars: scalars)
  }

  /// The definitions as one document: extensions put in, what every schema has left out.
  package var document: DocumentNode {
    var definitions: [DefinitionNode] = []
    let isUsual = roots.allSatisfy { $1 == $0.rawValue.prefix(1).uppercased() + $0.rawValue.dropFirst() }
    let operations = OperationKind.allCases.compactMap { kind in
      roots[kind].map {
        RootTypeNode(kind: kind, type: NameNode(text: $0, position: .none), position: .none)
      }
    }
    if !isUsual || descriptionNode != nil || !schemaDirectives.isEmpty {
      definitions.append(
        .schema(
          SchemaNode(
            isExtension: false,
            description: descriptionNode,
            directives: schemaDirectives, operations: operations, position: .none)))
    }
    for name in directiveNames where !BuiltIns.directiveNames.contains(name) {
      if let directive = directives[name] { definitions.append(.directive(directive)) }
    }
    for name in typeNames {
      if let type = types[name], !type.isBuiltIn { definitions.append(.type(type.definition)) }
    }
    return DocumentNode(definitions: definitions, sources: sources)
  }
}
