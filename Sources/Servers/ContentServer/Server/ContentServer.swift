package import HTTPServer
internal import JSONRPC

/// A small AEM Publish server for one machine: persisted queries of the adventures model and their images.
///
/// It speaks the wire form of AEM Headless: `GET /graphql/execute.json/{configuration}/{query};name=value;…`, the same
/// path by POST with `{"variables":{…}}`, and `GET /graphql/list.json`.
package struct ContentServer: Sendable {
  package let configuration: Configuration
  private let library: ContentLibrary

  /// - Throws: `ContentRootError` when the directory of the configuration cannot be used.
  package init(configuration: Configuration = Configuration()) throws {
    self.configuration = configuration
    library = try configuration.root.map { try ContentLibrary(root: $0) } ?? .embedded
  }

  /// Serves until the task is cancelled.
  ///
  /// - Parameter ready: called once, when the port is open.
  /// - Throws: `HTTPServerError` when the port is taken.
  package func run(ready: (ServerAddress) -> Void = { _ in }) async throws {
    try await server.run(ready: ready)
  }

  /// Serves while `body` runs.
  package func withRunning<Value>(_ body: (ServerAddress) async throws -> Value) async throws -> Value {
    try await server.withRunning(body)
  }

  private var server: HTTPServer {
    var options = HTTPServer.Configuration(port: configuration.port)
    options.host = configuration.host
    return HTTPServer(configuration: options) { await respond(to: $0) }
  }

  /// The answer to one request, without a network.
  package func respond(to request: ServerRequest) async -> ServerResponse {
    if let refusal = refusal(of: request) { return refusal }
    guard ["GET", "HEAD", "POST"].contains(request.method) else {
      var response = ServerResponse(status: 405, text: "Method Not Allowed")
      response.headers.append(ServerField("Allow", "GET, HEAD, POST"))
      return response
    }
    guard let path = PercentEncoding.decoded(request.path) else {
      return ServerResponse(status: 400, text: "The path is not UTF-8.")
    }
    let endpoint = "/graphql/execute.json"
    if path == endpoint || path.hasPrefix(endpoint + "/") {
      return validated(await execute(String(path.dropFirst(endpoint.count)), request), for: request)
    }
    if path == "/graphql/list.json" || path.hasPrefix("/graphql/list.json/") {
      return list(String(path.dropFirst("/graphql/list.json".count)))
    }
    if let image = library.image(path: path, query: request.query) {
      return validated(image.response(isAuthor: configuration.isAuthor), for: request)
    }
    return ServerResponse(status: 404, text: "Not Found")
  }

  /// Runs the persisted query that a decoded suffix names, as AEM splits it: at `;`, then at the first `=`.
  private func execute(_ suffix: String, _ request: ServerRequest) async -> ServerResponse {
    var parts = suffix.split(separator: ";").map { String($0) }
    let segments = parts.isEmpty ? [] : parts.removeFirst().split(separator: "/").map { String($0) }
    guard !segments.isEmpty else {
      return ServerResponse(status: 400, text: "Suffix: '/' does not contain a path")
    }
    guard segments.count == 2, segments[0] == StoredQuery.configurationName else {
      return ServerResponse(status: 404, text: "No suitable endpoint found")
    }
    guard let query = StoredQuery.all.first(where: { $0.name == segments[1] }) else {
      return ServerResponse(status: 404, text: "No persisted query found for '\(segments.joined(separator: "/"))'")
    }
    let variables: JSONObject
    if request.method == "POST" {
      guard let given = Self.variables(inBody: request.body) else {
        return ServerResponse(status: 400, text: "The body is no JSON object with variables")
      }
      variables = given
    } else {
      variables = Self.variables(inPath: parts)
    }
    let fault = await configuration.fault(segments.joined(separator: "/"))
    if case .response(let response) = fault { return response }
    return answer(query, variables, isText: request.method != "POST", fault: fault)
  }

  private func answer(
    _ query: StoredQuery, _ variables: JSONObject, isText: Bool, fault: ContentFault?
  ) -> ServerResponse {
    var answer: JSONObject
    do throws(QueryError) {
      let values = try query.coerce(variables, isText: isText)
      let data = try query.run(values, in: library, hasDynamicURLs: configuration.hasDynamicURLs)
      answer = ["data": data]
      switch fault {
      case .errors(let message): answer = ["errors": [QueryError(message).value], "data": .null]
      case .partial(let message): answer = ["errors": [QueryError(message).value], "data": data]
      case .changed(let change): answer = ["data": change(data)]
      case .response, nil: break
      }
    } catch {
      answer = ["errors": [error.value], "data": .null]
    }
    var response = Self.json(.object(answer))
    let shared = configuration.isAuthor ? 60 : 7200
    response.headers.append(
      ServerField(
        "Cache-Control",
        "max-age=\(configuration.maximumAge ?? 60), s-maxage=\(shared), stale-while-revalidate=86400, "
          + "stale-if-error=86400"))
    return response
  }

  private static func variables(inBody body: [UInt8]) -> JSONObject? {
    if body.isEmpty { return [:] }
    guard let value = try? JSONCoding.parse(body), let object = value.objectValue else { return nil }
    guard let variables = object["variables"], !variables.isNull else { return [:] }
    return variables.objectValue
  }

  private static func variables(inPath parts: [String]) -> JSONObject {
    JSONObject(
      parts.map { part in
        let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return (String(pair[0]), JSONValue.string(pair.count > 1 ? String(pair[1]) : ""))
      })
  }

  /// `GET /graphql/list.json[/configuration]`.
  private func list(_ suffix: String) -> ServerResponse {
    let wanted = suffix.split(separator: "/").map { String($0) }
    guard wanted.isEmpty || wanted == [StoredQuery.configurationName] else {
      return Self.json([])
    }
    let queries = JSONValue.array(StoredQuery.all.map(\.listed))
    return Self.json([["configurationName": .string(StoredQuery.configurationName), "queries": queries]])
  }

  private static func json(_ value: JSONValue) -> ServerResponse {
    ServerResponse(text: JSONCoding.text(of: value), contentType: "application/json;charset=utf-8")
  }
}
