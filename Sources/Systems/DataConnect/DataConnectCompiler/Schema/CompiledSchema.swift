package import GraphQL

/// A schema with all generated types and fields. Operations are compiled against it, and the database is built from it.
package struct CompiledSchema: Sendable {
  /// The tables and views, sorted by name.
  package let tables: [Table]
  /// The enumerations, sorted by name.
  package let enumerations: [DataEnumeration]
  /// The GraphQL schema that operations are validated against.
  package let graphQL: GraphQLSchema
  /// The source texts that the positions of tables and columns refer to.
  package let sources: [GraphQLSource]
  private let tableIndices: [String: Int]
  private let roots: [String: RootAction]

  init(tables: [Table], enumerations: [DataEnumeration], graphQL: GraphQLSchema, sources: [GraphQLSource]) {
    self.tables = tables
    self.enumerations = enumerations
    self.graphQL = graphQL
    self.sources = sources
    tableIndices = Dictionary(tables.enumerated().map { ($1.name, $0) }) { first, _ in first }
    roots = Dictionary(tables.flatMap(\.rootActions)) { first, _ in first }
  }

  /// Returns the table or view of a type, or `nil`.
  package func table(_ name: String) -> Table? { tableIndices[name].map { tables[$0] } }
  /// Returns the enumeration with this name, or `nil`.
  package func enumeration(_ name: String) -> DataEnumeration? { enumerations.first { $0.name == name } }

  /// Returns what a field of `Query` or `Mutation` does; `nil` for a field that belongs to no table.
  package func action(ofRootField name: String) -> RootAction? { roots[name] }

  /// The generated files that the public tools check in below `.dataconnect/schema`, without empty ones.
  package var expansionFiles: [ExpansionFile] {
    let expansion = Expansion(tables: tables, enumerations: enumerations)
    let parts = expansion.parts.map {
      ExpansionFile(path: "main/\($0.name)", text: SDLWriter.text(of: $0.definitions))
    }
    return [ExpansionFile(path: "prelude.gql", text: Prelude.text)] + parts.filter { !$0.text.isEmpty }
  }
}

/// A file of the generated schema.
package struct ExpansionFile: Sendable, Hashable {
  /// The path relative to `.dataconnect/schema`.
  package let path: String
  /// The content of the file, in GraphQL's schema language.
  package let text: String
}

/// What a field of `Query` or `Mutation` does.
package struct RootAction: Sendable, Hashable {
  /// The kinds of access to a table.
  package enum Kind: Sendable, Hashable {
    case lookup, list, search
    /// Finds the rows whose vector in this column is closest to a given one.
    case similarity(column: String)
    case mutation(MutationKind)
  }

  /// The kind of access.
  package let kind: Kind
  /// The name of the table that the field reads or writes.
  package let table: String
}

extension Table {
  fileprivate var rootActions: [(String, RootAction)] {
    func action(_ kind: RootAction.Kind) -> RootAction { RootAction(kind: kind, table: name) }
    var found = [(plural, action(.list))]
    if isSearchable { found.append(("\(plural)_search", action(.search))) }
    found += vectors.map { ("\(plural)_\($0.name)_similarity", action(.similarity(column: $0.name))) }
    if isView { return found }
    found.append((singular, action(.lookup)))
    return found + MutationKind.allCases.map { ("\(singular)_\($0.rawValue)", action(.mutation($0))) }
  }
}
