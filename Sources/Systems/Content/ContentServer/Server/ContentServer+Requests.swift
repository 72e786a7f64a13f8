package import HTTPServer
internal import Synchronization

extension ContentServer {
  /// The answer to one request, without a network.
  package func respond(to request: ServerRequest) async -> ServerResponse {
    if request.path != Endpoint.loginPath, let refusal = refusal(of: request) { return refusal }
    var asked: AskedFault?
    if Self.isReading(request), let kept = answers.withLock({ $0.value(AnswerKey(request, generation)) }) {
      let fault = AskedFault(query: kept.query, fault: await configuration.fault(kept.query))
      if fault.fault == nil { return EntityTag.validated(kept.response, for: request) }
      asked = fault
    }
    guard let path = PercentEncoding.decoded(request.path) else {
      return ServerResponse(status: 400, text: "The path is not UTF-8.")
    }
    let endpoint = Endpoint(path: path)
    guard endpoint.methods.contains(request.method) else {
      var response = ServerResponse(status: 405, text: "Method Not Allowed")
      response.headers.append(ServerField("Allow", endpoint.methods.joined(separator: ", ")))
      return response
    }
    switch endpoint {
    case .execute(let suffix): return await execute(suffix, request, asked)
    case .persist(let suffix): return await persist(suffix, request)
    case .list(let suffix): return EntityTag.validated(list(suffix), for: request)
    case .adHoc(let configuration): return await runAdHoc(configuration, request)
    case .schema(let configuration): return EntityTag.validated(schema(configuration), for: request)
    case .rendition(let identifier, let name):
      return await withPictureFault { await self.rendition(identifier, named: name, request) }
    case .loginPage:
      if case .response(let page) = ContentFault.loginPage { return page }
      return Self.notFound
    case .asset(let path): return await withPictureFault { await self.asset(path, request) }
    }
  }

  static let notFound = ServerResponse(status: 404, text: "Not Found")

  static func isReading(_ request: ServerRequest) -> Bool { request.method == "GET" || request.method == "HEAD" }
}

extension Endpoint {
  /// The HTTP methods that the endpoint accepts.
  var methods: [String] {
    switch self {
    case .execute, .adHoc: ["GET", "HEAD", "POST"]
    case .persist: ["PUT", "POST"]
    case .list, .schema, .rendition, .loginPage, .asset: ["GET", "HEAD"]
    }
  }
}
