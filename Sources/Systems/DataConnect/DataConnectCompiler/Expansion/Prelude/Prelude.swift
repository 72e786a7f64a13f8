import GraphQL

/// What every schema begins with: scalars, directives, and the inputs that do not depend on tables.
///
/// The names, their order and their types are those of the public tools; the words are ours.
package enum Prelude {
  /// The text of `prelude.gql`.
  package static let text =
    ([access] + filters + [search, generation, native, scalars, expressions, tables, constraints, relative]
    + updates + [vectors, refresh]).joined(separator: "\n\n") + "\n"

  /// The source with the name that errors give it.
  static let source = GraphQLSource(text, name: "prelude.gql")

  /// The names of the types in it.
  static let typeNames: Set<String> = {
    let document = GraphQLParser.read([source], limits: .sources, keepsPositions: false).document
    var names: Set<String> = []
    for case .type(let node) in document.definitions { names.insert(node.name.text) }
    return names
  }()
}
