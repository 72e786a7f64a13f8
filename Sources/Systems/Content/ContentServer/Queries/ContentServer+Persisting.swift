internal import ContentRepository
internal import GraphQL
internal import HTTPServer
internal import JSON
internal import Synchronization
internal import Text

extension ContentServer {
  /// Stores a query under a name: PUT creates it, and is refused with 409 where there is one, unless the configuration says
  /// otherwise; POST changes it or creates it.
  func persist(_ suffix: String, _ request: ServerRequest) async -> ServerResponse {
    let segments = suffix.pathParts().map { String($0) }
    guard !segments.isEmpty else { return ServerResponse(status: 400, text: "Suffix: '/' does not contain a path") }
    let state = repository.state
    guard segments.count == 2, isConfiguration(segments[0], state) else { return Self.noEndpoint }
    let (configurationName, name) = (segments[0], segments[1])
    guard PersistedQueries.isName(name) else {
      return ServerResponse(
        status: 400, text: "The name of a query has 1 to 100 letters, digits, “-”, “_” and “.” of ASCII.")
    }
    do throws(PersistFault) {
      let query = try StoredQuery(configuration: configurationName, name: name, body: request.body)
      let errors = await errors(in: query, state)
      guard errors.isEmpty else { return Self.json(["errors": .array(errors)], status: 400) }
      let isKnown = persistedQuery(configurationName, name, state) != nil
      let mayReplace = request.method != "PUT" || configuration.replacesQueries
      guard mayReplace || !isKnown, try persisted.store(query, replacing: mayReplace) else {
        return ServerResponse(status: 409, text: "There is a persisted query of this name. POST changes it.")
      }
      contentChanged()
      return Self.json(query.reported(isKnown ? "update" : "create"), status: isKnown ? 200 : 201)
    } catch {
      return ServerResponse(status: 400, text: error.message)
    }
  }

  /// What is wrong with a query, in the shape of graphql-java.
  private func errors(in query: StoredQuery, _ state: ContentState) async -> [JSONValue] {
    let schema = state.schemaText(configuration: query.configuration)
    let check = { @Sendable [types] () async -> [JSONValue] in Self.errors(in: query.text, schema, types) }
    guard let thread = queryThread() else { return await check() }
    return await withTaskExecutorPreference(thread) { await check() }
  }

  private static func errors(in text: String, _ schema: String?, _ known: KnownSchemas) -> [JSONValue] {
    var classification = "InvalidSyntax"
    do throws(GraphQLErrors) {
      let document = try GraphQLParser.parse(GraphQLSource(text, name: "query"))
      classification = "ValidationError"
      guard document.definitions.contains(where: { if case .operation = $0 { true } else { false } }) else {
        throw GraphQLErrors([GraphQLError("The text has no query.")])
      }
      guard let schema else { return [] }
      let errors = GraphQLValidation.errors(in: document, try known.types(of: schema))
      if !errors.isEmpty { throw GraphQLErrors(errors) }
      return []
    } catch {
      return error.errors.map { error in
        var object = error.json.objectValue ?? [:]
        var extensions = object["extensions"]?.objectValue ?? [:]
        extensions["classification"] = .string(classification)
        object["extensions"] = .object(extensions)
        return .object(object)
      }
    }
  }

  /// Returns the list of persisted queries: `GET /graphql/list.json[/configuration]`.
  func list(_ suffix: String) -> ServerResponse {
    let wanted = suffix.pathParts().map { String($0) }
    let state = repository.state
    var names = state.configurationNames
    if !names.contains("global") { names.append("global") }
    if !wanted.isEmpty { names = wanted.count == 1 ? names.filter { $0 == wanted[0] } : [] }
    let lists = names.compactMap { name -> JSONValue? in
      let shipped = state.persistedQueries(configuration: name)
      let stored = persisted.all(of: name)
      var queries = shipped.compactMap { persistedQuery(name, $0.name, state) }
      queries += stored.filter { query in !shipped.contains { $0.name == query.name } }
      guard !queries.isEmpty else { return nil }
      return ["configurationName": .string(name), "queries": .array(queries.map(\.listed))]
    }
    return Self.json(.array(lists))
  }

  private static func json(_ value: JSONValue, status: Int = 200) -> ServerResponse {
    ServerResponse(
      status: status, text: JSONCoding.text(of: value), contentType: "application/json;charset=utf-8")
  }
}

/// The types of the last schemas: a client that stores queries stores many.
final class KnownSchemas: Sendable {
  private static let most = 8
  private let schemas = Mutex<[String: GraphQLSchema]>([:])

  func types(of text: String) throws(GraphQLErrors) -> GraphQLSchema {
    if let known = schemas.withLock({ $0[text] }) { return known }
    let types = try GraphQLSchema([GraphQLSource(text, name: "schema")], limits: .sources)
    schemas.withLock { schemas in
      if schemas.count >= Self.most { schemas = [:] }
      schemas[text] = types
    }
    return types
  }
}
