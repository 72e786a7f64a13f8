import HTTPServer

/// The page of a browser that a request comes from. A page of somewhere else must not reach what is on this machine.
struct Origin: Sendable {
  let text: String

  /// - Returns: `nil` when no page is behind the request.
  init?(_ request: ServerRequest) {
    guard let text = request.header("Origin") else { return nil }
    self.text = text
  }

  /// Whether the origin is this machine, or one that the options name.
  func isAllowed(_ others: Set<String>) -> Bool {
    if others.contains(text) { return true }
    guard let scheme = text.firstRange(of: "://"), ["http", "https"].contains(text[..<scheme.lowerBound]) else {
      return false
    }
    return LoopbackName.isOne(ofAuthority: String(text[scheme.upperBound...]))
  }

  /// The header fields that let a browser show the response to the page.
  var fields: [ServerField] {
    [ServerField("Access-Control-Allow-Origin", text), ServerField("Vary", "Origin")]
  }

  /// The answer to the question of a browser whether the page may send a request.
  func preflight(_ request: ServerRequest) -> ServerResponse {
    var response = ServerResponse(status: 204)
    response.headers =
      fields + [
        ServerField("Access-Control-Allow-Methods", "GET, POST, OPTIONS"),
        ServerField("Access-Control-Max-Age", "3600"),
      ]
    if let names = request.header("Access-Control-Request-Headers"), names.utf8.count <= 4_096 {
      response.headers.append(ServerField("Access-Control-Allow-Headers", names))
    }
    if request.header("Access-Control-Request-Private-Network") == "true" {
      response.headers.append(ServerField("Access-Control-Allow-Private-Network", "true"))
    }
    return response
  }
}

/// The names that always mean this machine.
enum LoopbackName {
  static func isOne(_ host: String) -> Bool {
    let host = host.lowercased()
    return host == "localhost" || host.hasSuffix(".localhost") || host == "::1" || host == "[::1]"
      || host.hasPrefix("127.") && host.split(separator: ".").count == 4
        && host.allSatisfy { $0 == "." || ("0"..."9").contains($0) }
  }

  /// - Parameter authority: a name, maybe with a port behind it.
  static func isOne(ofAuthority authority: String) -> Bool {
    if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") { return isOne(String(authority[...end])) }
    return isOne(String(authority.prefix { $0 != ":" }))
  }
}
