import GraphQL
import JSON
import JSONRPC

extension FuzzTargets {
  /// What is read is written, read again, and the same; then it is checked against a schema.
  static func graphQL(_ bytes: [UInt8]) {
    let source = GraphQLSource(bytes: bytes)
    let result = GraphQLParser.read([source])
    precondition(result.errors.count <= 100 && result.errors.allSatisfy { !$0.locations.isEmpty })
    _ = result.errors.map(\.json)
    let tree = GraphQLParser.read([source], keepsPositions: false).document
    let text = GraphQLPrinter.text(of: tree)
    if !tree.definitions.isEmpty {
      let again = GraphQLParser.read([GraphQLSource(text)], limits: .sources, keepsPositions: false)
      precondition(again.errors.isEmpty && again.document.definitions == tree.definitions, "\(text) reads otherwise")
      precondition(GraphQLPrinter.text(of: again.document) == text, "\(text) is written otherwise")
    }
    guard result.errors.isEmpty, let schema = graphQLSchema else { return }
    let errors = GraphQLValidation.errors(in: result.document, schema)
    precondition(errors.count <= 100)
    if !errors.isEmpty { return }
    for operation in result.document.operations {
      let variables: JSONObject = ["a": 1, "b": ["c", .null], "c": ["eq": "a", "and": [["in": "DRAMA"]]]]
      let request = try? GraphQLRequest(
        result.document, schema, operation: operation.name?.text, variables: variables)
      _ = request?.rootFields.flatMap { $0.selection() }
    }
  }

  /// A schema that is right is written, read again, and written the same.
  static func graphQLSystem(_ bytes: [UInt8]) {
    guard let schema = try? GraphQLSchema([GraphQLSource(bytes: bytes)]) else { return }
    let text = GraphQLPrinter.text(of: schema.document)
    let again = try? GraphQLSchema([GraphQLSource(text)])
    precondition(again.map { GraphQLPrinter.text(of: $0.document) } == text, "\(text) reads otherwise")
  }

  private static let graphQLSchema = try? GraphQLSchema([
    GraphQLSource(
      """
      directive @check(expr: String = "a") repeatable on QUERY | FIELD | VARIABLE_DEFINITION | FRAGMENT_SPREAD
      scalar Any
      interface Node { id: ID! }
      type Movie implements Node { id: ID! title(form: Form = SHORT): String! next: Movie tags: [String!] rating: Float }
      type Person implements Node { id: ID! name: String movies(first: Int!): [Movie!]! }
      union Item = Movie | Person
      enum Form { SHORT LONG }
      enum Genre { DRAMA COMEDY }
      input Filter { eq: String in: [Genre!] limit: Int! = 10 and: [Filter!] need: Need }
      input Need { it: Int! }
      type Query { movies(filter: Filter, ids: [ID!]): [Movie!]! node(id: ID): Node items: [Item] any(it: Any): Any }
      type Mutation { add(title: String!, on: Boolean! = true): Movie }
      type Subscription { tick: Int tock: Int }
      """)
  ])
}
