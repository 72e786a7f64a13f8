import Text

/// Which requests a server lets in, by what their headers say. One for all servers: it is asked before a body is read and
/// before the handler.
package struct Door: Sendable {
  /// The origins of web pages that may call the server besides its own, as browsers write them:
  /// `https://app.example.com`. Their browsers are told that they may read the answers.
  package var allowedOrigins: Set<String> = []
  /// The origins of proxies that show the server's own pages, in lower case.
  var ownOrigins: Set<String> = []
  /// Whether pages of other ports of this machine may do the same.
  package var allowsPagesOfThisMachine = false
  /// Whether requests are let in that a host sends for an extension; see ``FetchMark``.
  package var admitsFetches = true

  /// Creates a door that lets in no page but the server's own.
  package init() {}

  /// The origin of a URL as browsers send it; `nil` for what is no http URL.
  package static func origin(of url: String) -> String? { Authority.origin(of: url) }

  /// What becomes of a request.
  enum Verdict: Equatable {
    /// It goes to the handler. The fields are added to the answer.
    case admitted(fields: [ServerField])
    /// The answer is this; with a refusal the connection ends.
    case answered(ServerResponse), refused(status: Int, String)
  }

  /// - Parameters:
  ///   - request: its header.
  ///   - names: what the server may be called, in lower case.
  ///   - isSecure: whether it came over TLS.
  func verdict(of request: ServerRequest, names: Set<String>, isSecure: Bool) -> Verdict {
    if let why = MessageRules.fault(of: request.headers) { return .refused(status: 400, why) }
    if request.header("Transfer-Encoding") != nil {
      return .refused(status: 411, "The request needs a Content-Length; bodies in chunks are not taken.")
    }
    let hosts = request.headers.filter { $0.isNamed("Host") }
    guard hosts.count == 1, let host = hosts.first.map({ FieldSyntax.lowercased($0.value) }) else {
      return .refused(
        status: 400, hosts.isEmpty ? "The request has no Host field." : "The request has two Host fields.")
    }
    guard let name = Authority(host)?.name, names.contains(name) else {
      return .refused(status: 421, "This server does not answer for that host.")
    }
    guard request.path.hasPrefix("/") else {
      return .refused(status: 400, "The request target does not begin with a slash.")
    }
    if !admitsFetches, request.header(FetchMark.field) != nil {
      return .refused(
        status: 403, "This server takes no requests of extensions. Start it with --allow-fetch if it should.")
    }
    return verdict(ofPage: request, own: "http\(isSecure ? "s" : "")://\(host)")
  }

  /// Looks at which page of a browser is behind a request. Other programs send neither of the fields.
  private func verdict(ofPage request: ServerRequest, own: String) -> Verdict {
    let origins = request.headers.filter { $0.isNamed("Origin") }
    guard origins.count < 2 else { return .refused(status: 400, "The request has two Origin fields.") }
    let site = request.header("Sec-Fetch-Site")?.lowercased()
    guard let origin = origins.first?.value else {
      return isForeign(site, request) ? Self.foreign : .admitted(fields: [])
    }
    // A form of the server's own page that keeps the page's address to itself has no origin.
    let small = FieldSyntax.lowercased(origin)
    let isOwn = ownOrigins.contains(small) || small == own && !isProxied(own)
    if isOwn || origin == "null" && site == "same-origin" { return .admitted(fields: []) }
    guard isAllowed(origin) else { return Self.foreign }
    let fields = [ServerField("Access-Control-Allow-Origin", origin), ServerField("Vary", "Origin")]
    guard request.method == "OPTIONS", request.header("Access-Control-Request-Method") != nil else {
      return .admitted(fields: fields)
    }
    return .answered(Self.preflight(request, fields))
  }

  /// Whether a proxy has the name of an origin: then its pages are the proxy's, and no others of that name.
  private func isProxied(_ own: String) -> Bool {
    // Without the scheme.
    func name(_ origin: String) -> Substring.UTF8View { origin[...].utf8.drop { $0 != UInt8(ascii: ":") } }
    return ownOrigins.contains { name($0).elementsEqual(name(own)) }
  }

  private static let foreign = Verdict.refused(
    status: 403, "This server takes no requests of that web page. An option of the server may name its origin.")

  /// Whether a browser sends a request without an origin for the page of another server. To follow a link is no such
  /// request, and neither is to show something on a page that may ask for it.
  private func isForeign(_ site: String?, _ request: ServerRequest) -> Bool {
    guard let site, site != "same-origin", site != "none" else { return false }
    guard request.method == "GET" || request.method == "HEAD" else { return true }
    if request.header("Sec-Fetch-Mode") == "navigate", request.header("Sec-Fetch-Dest") == "document" { return false }
    guard let referrer = request.header("Referer").flatMap({ Authority.origin(of: $0) }) else { return true }
    return !isAllowed(referrer)
  }

  private func isAllowed(_ origin: String) -> Bool {
    if allowedOrigins.contains(where: { $0.hasBytes(of: origin) }) { return true }
    guard allowsPagesOfThisMachine, let scheme = origin.firstRange(of: "://"),
      ["http", "https"].contains(origin[..<scheme.lowerBound]),
      let name = Authority(FieldSyntax.lowercased(origin[scheme.upperBound...]))?.name
    else { return false }
    return LoopbackName.isOne(name)
  }

  /// The answer to the question of a browser whether a page may send a request.
  private static func preflight(_ request: ServerRequest, _ fields: [ServerField]) -> ServerResponse {
    var response = ServerResponse(status: 204)
    response.headers =
      fields + [
        ServerField("Access-Control-Allow-Methods", "GET, HEAD, POST, PUT, DELETE, OPTIONS"),
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

extension HTTPServer.Configuration {
  /// Takes the pages of a proxy in front of the server for the server's own.
  ///
  /// - Parameter origin: where browsers find the proxy: `https://page.example.com`.
  /// - Returns: false for what is no origin.
  package mutating func serve(behind origin: String) -> Bool {
    let origin = FieldSyntax.lowercased(origin)
    guard Authority.origin(of: origin) == origin, let scheme = origin.firstRange(of: "://"),
      let name = Authority(String(origin[scheme.upperBound...]))?.name
    else { return false }
    additionalHostNames.append(name)
    door.ownOrigins.insert(origin)
    return true
  }
}
