internal import EventLoop

/// The server to connect to and the request to send, as plain values.
struct UpgradeOrder: Sendable {
  /// With http or https, as curl has it.
  let url: String
  let origin: HTTPOrigin
  let request: UpgradeRequest
  /// The other protocol as messages name it.
  let name: String
  let allowedReaches: Set<AddressReach>?
  let configuration: HTTPClient.Configuration

  /// - Throws: `invalidURL` and `invalidRequest`.
  init(
    url given: String, headers: HTTPFields, name: String, allowedReaches: Set<AddressReach>?,
    configuration: HTTPClient.Configuration
  ) throws(HTTPUpgradeError) {
    let url = Self.webURL(given)
    guard let origin = HTTPOrigin(url: url), let target = Self.target(of: url) else {
      let message = "\"\(given)\" is not a ws or wss URL without a user name."
      throw HTTPUpgradeError(HTTPError(.invalidURL, message, url: given))
    }
    do throws(HTTPError) {
      var fields = headers
      if fields["User-Agent"] == nil { fields.append("User-Agent", configuration.userAgent) }
      try HTTPRequest("GET", url, headers: fields).validate()
      let port = origin.port == (origin.scheme == "https" ? 443 : 80) ? "" : ":\(origin.port)"
      request = UpgradeRequest(target: target, host: origin.host + port, fields: fields, name: name)
    } catch {
      throw HTTPUpgradeError(error)
    }
    self.url = url
    self.origin = origin
    self.name = name
    self.allowedReaches = allowedReaches
    self.configuration = configuration
  }

  static func webURL(_ url: String) -> String {
    let scheme = url.prefix { $0 != ":" }.lowercased()
    return scheme == "ws" || scheme == "wss" ? "http\(scheme.dropFirst(2))\(url.dropFirst(scheme.count))" : url
  }

  /// Path and query as they are sent; `nil` when they cannot be.
  private static func target(of url: String) -> String? {
    let parts = url.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[1].isEmpty else { return nil }
    let rest = parts[2].drop { !"/?#".utf8.contains($0) }.prefix { $0 != UInt8(ascii: "#") }
    guard rest.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
    return rest.first == UInt8(ascii: "/") ? String(Substring(rest)) : "/\(Substring(rest))"
  }

  /// Connects and shakes hands, on a thread that ends with that.
  func open(on loop: LoopThread) async throws(HTTPUpgradeError) -> UpgradedConnection {
    do {
      let limit = configuration.connectTimeout
      return try await SystemThread.run(name: "web-socket", within: limit, on: loop.loop) { isAbandoned in
        try CurlSocket.open(self, on: loop, isAbandoned: isAbandoned).get()
      } discard: {
        $0.transport.close()
      }
    } catch let error as HTTPUpgradeError {
      throw error
    } catch is DeadlineExceeded {
      throw failure(.timedOut, "\(origin) did not open a \(name) in time.")
    } catch {
      throw failure(.cancelled, "Opening a \(name) at \(origin) was cancelled.")
    }
  }

  func failure(_ kind: HTTPError.Kind, _ message: String, status: Int? = nil) -> HTTPUpgradeError {
    HTTPUpgradeError(HTTPError(kind, message, url: url), status: status)
  }
}
