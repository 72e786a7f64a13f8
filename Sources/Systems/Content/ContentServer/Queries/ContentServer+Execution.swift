internal import ContentRepository
internal import EventLoop
internal import HTTPServer
internal import JSON
internal import Text
internal import Synchronization

extension ContentServer {
  /// Runs the persisted query that a decoded suffix names, as AEM splits it: at `;`, then at the first `=`.
  func execute(_ suffix: String, _ request: ServerRequest, _ asked: AskedFault?) async -> ServerResponse {
    var parts = Self.parts(of: suffix)
    let segments = parts.removeFirst().pathParts().map { String($0) }
    guard let configurationName = segments.first else {
      return ServerResponse(status: 400, text: "Suffix: '/' does not contain a path")
    }
    let key = AnswerKey(request, generation)
    let state = repository.state
    guard segments.count == 2, isConfiguration(configurationName, state) else { return Self.noEndpoint }
    guard let query = persistedQuery(configurationName, segments[1], state) else {
      let name = segments.joined(separator: "/").shownInMessage()
      return ServerResponse(status: 404, text: "No persisted query found for '\(name)'")
    }
    let isPost = request.method == "POST"
    guard let variables = isPost ? Self.variables(inBody: request.body) : Self.variables(inPath: parts) else {
      return ServerResponse(status: 400, text: "The body is not a JSON object with variables")
    }
    let fault: ContentFault?
    if let asked, asked.query == query.shortForm {
      fault = asked.fault
    } else {
      fault = await configuration.fault(query.shortForm)
    }
    if case .response(let response) = fault { return response }
    let order = QueryOrder(
      text: query.text, variables: variables, variablesAreText: !isPost, configuration: configurationName)
    let response = await response(to: order, of: state, request, caching: isPost ? nil : caching(of: query), fault)
    guard !isPost else { return response }
    var tagged = response
    if tagged.status == 200, tagged.bytesBeforeEnd == nil {
      tagged.headers.append(ServerField("ETag", EntityTag.of(tagged.body)))
      let size = tagged.body.count + request.path.utf8.count + 512
      let answer = KeptAnswer(query: query.shortForm, response: tagged)
      if fault == nil { answers.withLock { $0.keep(answer, bytes: size, for: key) } }
    }
    return EntityTag.validated(tagged, for: request)
  }

  static let noEndpoint = ServerResponse(status: 404, text: "No suitable endpoint found")

  /// Whether there is an endpoint of that name. That of all models is always there.
  func isConfiguration(_ name: String, _ state: ContentState) -> Bool {
    name == "global" || state.configurationNames.contains(name)
  }

  /// One that was stored while the server runs goes first.
  func persistedQuery(_ configuration: String, _ name: String, _ state: ContentState) -> StoredQuery? {
    if let stored = persisted[configuration, name] { return stored }
    let shipped = state.persistedQueries(configuration: configuration).first { $0.name == name }
    return shipped.map { StoredQuery(configuration: configuration, name: name, text: $0.text) }
  }

  private func caching(of query: StoredQuery) -> CachePolicy {
    var policy = query.caching.applied(to: .standard(isAuthor: configuration.isAuthor))
    if let maximumAge = configuration.maximumAge { policy.maximumAge = maximumAge }
    return policy
  }

  static func variables(inBody body: [UInt8]) -> JSONObject? {
    if body.isEmpty { return [:] }
    guard let object = try? JSONCoding.parse(body).objectValue else { return nil }
    guard let variables = object["variables"], !variables.isNull else { return [:] }
    return variables.objectValue
  }

  /// The parts of a suffix. By bytes: a semicolon and an accent behind it are one Character.
  static func parts(of suffix: String) -> [String] {
    suffix.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map { String(Substring($0)) }
  }

  /// Returns the variables of a path; of a name that occurs twice, the last value.
  static func variables(inPath parts: [String]) -> JSONObject? {
    var variables = JSONObject()
    for part in parts where !part.isEmpty {
      let pair = part.cut(at: "=")
      variables[pair.map { String($0.before) } ?? part] = .string(pair.map { String($0.behind) } ?? "")
    }
    return variables
  }
}

/// A query with everything that it is run with.
struct QueryOrder: Sendable {
  var text: String
  var variables: JSONObject
  var variablesAreText = false
  var operationName: String?
  var configuration: String?
}

extension ContentServer {
  /// Runs a query on a thread for queries, and gives its response, or what a fault makes of it.
  func response(
    to order: QueryOrder, of state: ContentState, _ request: ServerRequest, caching: CachePolicy?,
    _ fault: ContentFault?
  ) async -> ServerResponse {
    if case .slow(let time) = fault { await pause(time) }
    let options = runOptions
    let wantsStatus = configuration.respondsWithGraphQLStatus || request.wantsGraphQLStatus
    let run = { @Sendable () async -> ServerResponse in
      let json = await state.run(
        order.text, variables: order.variables, variablesAreText: order.variablesAreText,
        operationName: order.operationName, configuration: order.configuration, options: options)
      let result = QueryOutcome(json: fault?.applied(to: json) ?? json)
      return result.response(wantsStatus: wantsStatus, caching: caching)
    }
    let response: ServerResponse
    if let thread = queryThread() {
      response = await withTaskExecutorPreference(thread) { await run() }
    } else {
      response = await run()
    }
    return fault?.applied(to: response) ?? response
  }
}
