package import GraphQL

/// A schema with everything that is implied: what operations are compiled against, and what a database is made of.
package struct CompiledSchema: Sendable {
  /// The tables and views, sorted by name.
  package let tables: [Table]
  /// The enumerations, sorted by name.
  package let enumerations: [DataEnumeration]
  /// What operations are checked against.
  package let graphQL: GraphQLSchema
  /// The texts that the positions of tables and columns point into.
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

  /// The table or view of a type.
  package func table(_ name: String) -> Table? { tableIndices[name].map { tables[$0] } }
  package func enumeration(_ name: String) -> DataEnumeration? { enumerations.first { $0.name == name } }

  /// What a field of `Query` or `Mutation` does; `nil` for those that belong to no table.
  package func action(ofRootField name: String) -> RootAction? { roots[name] }

  /// The files that the public tools check in below `.dataconnect/schema`, by their paths; none that would be empty.
  package var expansionFiles: [ExpansionFile] {
    let expansion = Expansion(tables: tables, enumerations: enumerations)
    let parts = expansion.parts.map {
      ExpansionFile(path: "main/\($0.name)", text: SDLWriter.text(of: $0.definitions))
    }
    return [ExpansionFile(path: "prelude.gql", text: Prelude.text)] + parts.filter { !$0.text.isEmpty }
  }
}

/// A file of the expansion.
package struct ExpansionFile: Sendable, Hashable {
  /// Relative to `.dataconnect/schema`.
  package let path: String
  package let text: String
}

/// What a field of `Query` or `Mutation` does.
package struct RootAction: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    case lookup, list, search
    /// The rows whose vector in this column is near another.
    case similarity(column: String)
    case mutation(MutationKind)
  }

  package let kind: Kind
  /// The name of the table.
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
