internal import EventLoop
internal import WebSocket

/// What to connect to, and what to say there, as plain values.
struct SocketOrder: Sendable {
  /// With http or https, as curl has it.
  let url: String
  let origin: HTTPOrigin
  let request: WebSocketRequest
  let allowedReaches: Set<AddressReach>?
  let configuration: HTTPClient.Configuration

  /// - Throws: `invalidURL` and `invalidRequest`.
  init(
    url given: String, headers: HTTPFields, protocols: [String], allowedReaches: Set<AddressReach>?,
    configuration: HTTPClient.Configuration
  ) throws(HTTPSocketError) {
    let url = Self.webURL(given)
    guard let origin = HTTPOrigin(url: url), let target = Self.target(of: url) else {
      let message = "\"\(given)\" is no ws or wss URL without a user name."
      throw HTTPSocketError(HTTPError(.invalidURL, message, url: given))
    }
    do throws(HTTPError) {
      var fields = headers
      if fields["User-Agent"] == nil { fields.append("User-Agent", configuration.userAgent) }
      if !protocols.isEmpty { fields.append("Sec-WebSocket-Protocol", protocols.joined(separator: ", ")) }
      try HTTPRequest("GET", url, headers: fields).validate()
      let port = origin.port == (origin.scheme == "https" ? 443 : 80) ? "" : ":\(origin.port)"
      request = WebSocketRequest(
        target: target, host: origin.host + port, protocols: protocols,
        fields: fields.all.map { (name: $0.name, value: $0.value) })
    } catch {
      throw HTTPSocketError(error)
    }
    self.url = url
    self.origin = origin
    self.allowedReaches = allowedReaches
    self.configuration = configuration
  }

  private static func webURL(_ url: String) -> String {
    let scheme = url.prefix { $0 != ":" }.lowercased()
    return scheme == "ws" || scheme == "wss" ? "http\(scheme.dropFirst(2))\(url.dropFirst(scheme.count))" : url
  }

  /// Path and query as they are sent; `nil` when they cannot be.
  private static func target(of url: String) -> String? {
    let parts = url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[1].isEmpty else { return nil }
    let rest = parts[2].drop { !"/?#".contains($0) }.prefix { $0 != "#" }
    guard rest.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
    return rest.hasPrefix("/") ? String(rest) : "/\(rest)"
  }

  /// Connects and shakes hands, on a thread that ends with that.
  func open(on loop: LoopThread) async throws(HTTPSocketError) -> OpenedSocket {
    do {
      let limit = configuration.connectTimeout
      return try await SystemThread.run(name: "web-socket", within: limit, on: loop.loop) { isAbandoned in
        try CurlSocket.open(self, isAbandoned: isAbandoned).get()
      } discard: {
        $0.socket.close()
      }
    } catch let error as HTTPSocketError {
      throw error
    } catch is DeadlineExceeded {
      throw failure(.timedOut, "\(origin) did not open a WebSocket in time.")
    } catch {
      throw failure(.cancelled, "Opening a WebSocket at \(origin) was cancelled.")
    }
  }

  func failure(_ kind: HTTPError.Kind, _ message: String, status: Int? = nil) -> HTTPSocketError {
    HTTPSocketError(HTTPError(kind, message, url: url), status: status)
  }
}

/// A connection whose handshake is done.
struct OpenedSocket: Sendable {
  let socket: CurlSocket
  let subprotocol: String?
  /// Bytes that came behind the handshake.
  let early: [UInt8]
}
