extension HTTPServer {
  /// Serves plain texts at a free port of the loopback interface while a body runs: a few, for a browser of this machine.
  ///
  /// No page is kept or named to another server, since its address may hold a secret.
  ///
  /// - Parameters:
  ///   - page: the status and the text for a request with a method, a path and a query.
  ///   - body: gets the address, such as `http://127.0.0.1:49152`.
  /// - Throws: `HTTPServerError` when the server cannot start, or what `body` throws.
  package static func withPages(
    _ page: @escaping @Sendable (_ method: String, _ path: String, _ query: String?) -> (status: Int, text: String),
    _ body: (_ url: String) async throws -> Void
  ) async throws {
    var configuration = Configuration()
    configuration.maximumBodyBytes = 0
    configuration.mostConnections = 16
    configuration.grace = .seconds(1)
    let server = HTTPServer(configuration: configuration) { request in
      let (status, text) = page(request.method, request.path, request.query)
      var response = ServerResponse(status: status, text: text)
      response.headers += [ServerField("Cache-Control", "no-store"), ServerField("Referrer-Policy", "no-referrer")]
      return response
    }
    try await server.withRunning { try await body($0.url) }
  }
}
