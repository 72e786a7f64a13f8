internal import CMicroHTTPD
package import EventLoop
internal import Text

/// Serves HTTP/1.1 with libmicrohttpd: its thread reads and writes, the handler runs as a child task.
package struct HTTPServer: Sendable {
  /// Answers one request. Runs as a child task of the server, many at a time.
  package typealias Handler = @Sendable (ServerRequest) async -> ServerResponse

  /// Where a server listens, and its limits.
  package struct Configuration: Sendable {
    /// The address to listen at.
    package var host = "127.0.0.1"
    /// 0 takes any free port.
    package var port = 0
    /// The path of a Unix socket to listen at, in place of an address and a port. Only this user reaches it. A socket of this
    /// user that nobody listens at is replaced, and no other file; the server removes it at its end.
    package var socketPath: String?
    /// Names that a `Host` field may have besides the names of this machine and `host`. Other names are refused with
    /// 421, so that a web page cannot reach the server under a name of its own (DNS rebinding).
    package var additionalHostNames: [String] = []
    /// Which web pages and programs may call the server.
    package var door = Door()
    /// The most bytes of a request body; more is refused with 413.
    package var maximumBodyBytes = 1 << 20
    /// The same for single paths, which are given as they were sent; `nil` stands for `maximumBodyBytes`.
    package var maximumBodyBytesOfPath: (@Sendable (_ path: String) -> Int?)?
    /// The most bytes that the bodies of all requests may hold at one time; what does not fit is refused with 503.
    package var maximumBodyBytesInAll = 128 << 20
    /// Connections at one time. One more takes the place of the one whose client has been waited for longest.
    package var mostConnections = 512
    /// Sockets and streams at one time, besides the other connections; more are refused with 503.
    package var mostLasting = 1024
    /// Where handlers run, and WebSockets are driven: for those who have their work there, too, and so no hop between
    /// threads. `nil` runs handlers where the server's task runs, and drives WebSockets on a thread of the server's own.
    package var loop: LoopThread?
    /// Whether WebSockets may be had over TLS; else they are refused with 501. Off, because libmicrohttpd (0.9.75) carries
    /// an upgraded connection over TLS four bytes at a time: small messages only.
    package var carriesSecureSockets = false
    /// Another protocol of the same port. Its connections last, as sockets do, and are driven where WebSockets are. Not with
    /// a certificate: what TLS carries shows no first bytes.
    package var priorKnowledge: PriorKnowledge?
    /// Seconds until a connection is closed on which nothing comes and nothing goes.
    package var idleSeconds = 60
    /// How long a stopping server waits for responses that are on their way, and for clients to answer a close.
    package var grace: Duration = .seconds(5)
    /// What to show of itself under TLS, of version 1.2 at least; `nil` speaks without.
    package var certificate: ServerCertificate?
    /// Receives one line for each answered request: the method, the path without its query, and the status. `nil` for
    /// none.
    package var requestLog: (@Sendable (_ line: String) -> Void)?

    /// Creates a configuration; port 0 takes any free port.
    package init(port: Int = 0) {
      self.port = port
    }
  }

  /// The most Unicode scalars of a path in a line of the log: a character may have any number of accents.
  private static let loggedPath = 200

  package let configuration: Configuration
  private let handler: Handler

  /// Creates a server, which does not listen before it is run.
  package init(configuration: Configuration = Configuration(), handler: @escaping Handler) {
    self.configuration = configuration
    guard let log = configuration.requestLog else {
      self.handler = handler
      return
    }
    self.handler = { request in
      let answer = await handler(request)
      log(Self.line(of: request, answer.status))
      return answer
    }
  }

  /// What the log says of a request.
  static func line(of request: ServerRequest, _ status: Int) -> String {
    "\(request.method) \(request.path.prefix(scalars: loggedPath)) \(status)"
  }

  /// Serves until the task is cancelled; then answers what was asked, ends the connections and returns.
  ///
  /// - Parameter ready: called once, when the port is open.
  /// - Throws: `HTTPServerError` when the server cannot start.
  package func run(ready: (ServerAddress) -> Void = { _ in }) async throws {
    try await withRunning { address in
      ready(address)
      await untilCancelled()
    }
  }

  /// Serves while `body` runs; then answers what was asked, ends the connections and returns.
  ///
  /// - Throws: `HTTPServerError` when the server cannot start, or what `body` throws.
  package func withRunning<Value>(_ body: (ServerAddress) async throws -> Value) async throws -> Value {
    let daemon = try Daemon(configuration: configuration)
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask(executorPreference: configuration.loop?.loop) { [handler] in
        await withDiscardingTaskGroup { handlers in
          while let work = await daemon.exchanges.next() {
            handlers.addTask {
              switch work {
              case .exchange(let exchange):
                guard let lasting = await exchange.respond(by: handler) else { return }
                if !daemon.exchanges.append(.lasting(lasting)) { await lasting.run() }
              case .lasting(let lasting): await lasting.run()
              }
            }
          }
        }
        await daemon.stop()
      }
      do {
        let value = try await body(daemon.address)
        daemon.finish()
        try await group.waitForAll()
        return value
      } catch {
        daemon.finish()
        throw error
      }
    }
  }
}

/// The library underneath.
package enum HTTPServerLibrary {
  /// The version of libmicrohttpd in use, for example `0.9.75`.
  package static var version: String { unsafe String(cString: MHD_get_version()) }
}

/// Where a server listens.
package struct ServerAddress: Equatable, Sendable, CustomStringConvertible {
  /// "127.0.0.1" or "::1", without brackets; "localhost" for a Unix socket.
  package let host: String
  /// The TCP port; 0 for a Unix socket.
  package let port: Int
  /// Whether it speaks TLS.
  package let isSecure: Bool
  /// The path of the Unix socket; `nil` for a port.
  package var socketPath: String?

  /// Creates an address; `isSecure` means TLS.
  package init(host: String, port: Int, isSecure: Bool = false, socketPath: String? = nil) {
    self.host = host
    self.port = port
    self.isSecure = isSecure
    self.socketPath = socketPath
  }

  /// "http://127.0.0.1:4503", without a slash at the end; with TLS it begins with "https". A Unix socket has no port, and is
  /// asked for "http://localhost".
  package var url: String {
    "http\(isSecure ? "s" : "")://\(host.contains(":") ? "[\(host)]" : host)\(socketPath == nil ? ":\(port)" : "")"
  }
  /// The address as a URL, or the path of the socket.
  package var description: String { socketPath.map { "unix:\($0)" } ?? url }
}

extension HTTPServer {
  /// Serves plain texts at a port of the loopback interface while a body runs: a few, for a browser of this machine.
  ///
  /// No page is kept or named to another server, since its address may hold a secret.
  ///
  /// - Parameters:
  ///   - port: the port; 0 takes any free one.
  ///   - page: the status and the text for a request with a method, a path and a query.
  ///   - body: gets the address, such as `http://127.0.0.1:49152`.
  /// - Throws: `HTTPServerError` when the server cannot start, or what `body` throws.
  package static func withPages(
    port: Int = 0,
    _ page: @escaping @Sendable (_ method: String, _ path: String, _ query: String?) -> (status: Int, text: String),
    _ body: (_ url: String) async throws -> Void
  ) async throws {
    var configuration = Configuration(port: port)
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
