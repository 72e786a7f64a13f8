import GraphQL
import Synchronization
import Text

/// A schema with the queries that were checked against it.
final class Endpoint: Sendable {
  /// What a root field gives.
  enum Root: Sendable {
    case byPath, byID, list, paginated
  }

  /// A query that was read and checked.
  struct Prepared: Sendable {
    let document: DocumentNode
    /// The errors of the query; a query with errors is not executed.
    let errors: [GraphQLError]
    /// Whether it could not even be read.
    let isUnreadable: Bool
  }

  let text: String
  let plan: SchemaPlan
  let schema: GraphQLSchema
  /// The root fields by their names, with the keys of their models.
  let roots: [String: (root: Root, model: String)]
  /// The names of types, by the keys of models.
  let typeNames: [String: String]
  /// By their bytes: a spelling of an accent in a query is the text that it looks for.
  private let queries = Mutex<[ExactText: Prepared]>([:])

  /// What a query may ask for.
  static let limits = GraphQLLimits(bytes: 1 << 20, depth: 64, steps: 1_000_000)
  /// How many queries are kept, and how long they may be to be kept.
  private static let capacity = (count: 256, bytes: 64 << 10)

  /// - Throws: what is wrong with the schema.
  init(text: String, plan: SchemaPlan) throws(GraphQLErrors) {
    self.text = text
    self.plan = plan
    schema = try GraphQLSchema([GraphQLSource(text, name: "schema")], scalars: ContentScalars.all)
    var roots: [String: (root: Root, model: String)] = [:]
    for entry in plan.entries {
      let (name, key) = (entry.queryName, entry.model.key)
      roots["\(name)ByPath"] = (.byPath, key)
      roots["\(name)ById"] = (.byID, key)
      roots["\(name)List"] = (.list, key)
      roots["\(name)Paginated"] = (.paginated, key)
    }
    self.roots = roots
    typeNames = Dictionary(plan.entries.map { ($0.model.key, $0.typeName) }) { first, _ in first }
  }

  /// Reads and checks a query, unless that was done before.
  func prepared(_ query: String) -> Prepared {
    let key = ExactText(query)
    if let known = queries.withLock({ $0[key] }) { return known }
    let prepared = prepare(query)
    if query.utf8.count <= Self.capacity.bytes {
      queries.withLock {
        if $0.count >= Self.capacity.count { $0 = [:] }
        $0[key] = prepared
      }
    }
    return prepared
  }

  private func prepare(_ query: String) -> Prepared {
    let result = GraphQLParser.read([GraphQLSource(query, name: "query")], limits: Self.limits)
    if !result.errors.isEmpty {
      return Prepared(document: result.document, errors: result.errors, isUnreadable: true)
    }
    let errors = GraphQLValidation.errors(in: result.document, schema, limits: Self.limits)
    return Prepared(document: result.document, errors: errors, isUnreadable: false)
  }
}
