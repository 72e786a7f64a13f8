package import Contracts
package import ExtensionProtocol
package import HTTPClient
import JSON
import PropertyList
import Text

/// A `network/fetch`, checked: what is sent, and how much may come back. Pure.
package struct FetchPlan: Sendable {
  /// Requests of one extension that one service lets run at one time.
  package static let mostInFlight = 8

  /// The request to send.
  package let request: HTTPRequest
  let delivery: Network.Delivery
  let limit: Int
  let rules: FetchRules

  static let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
  static let maximumRedirects = 5
  /// Fields that belong to the connection, to proxies, or to the host's own work (RFC 9110, 7.6.1; 7.2; RFC 6265).
  private static let keptFields: Set<String> = [
    FetchMark.field.lowercased(), "connection", "content-length", "cookie", "expect", "host", "http2-settings",
    "keep-alive", "te", "trailer",
    "transfer-encoding", "upgrade",
  ]

  /// Fields that say nothing of who asks, or of what is meant for one server. Another origin receives only these.
  private static let harmlessFields: Set<String> = [
    "accept", "accept-language", "content-language", "if-range", "range", "user-agent",
  ]

  /// - Parameters:
  ///   - fetch: the params.
  ///   - rules: the servers that the manifest names.
  ///   - file: the bytes of a file of the scratch directory, by its path.
  /// - Throws: `invalidParams`, `permissionDenied` for a server that the manifest does not name, `limitExceeded`.
  package init(
    _ fetch: Network.Fetch, rules: FetchRules, file: (String) throws(ExtensionError) -> [UInt8]
  ) throws(ExtensionError) {
    let method = fetch.method ?? "GET"
    guard Self.methods.contains(method) else {
      throw ExtensionError(
        .invalidParams, "The method “\(method)” is not sent.", recovery: "Use \(Self.methods.joined(separator: ", ")).")
    }
    delivery = fetch.delivery ?? .inline
    limit = try Self.limit(fetch.maxBytes, delivery)
    self.rules = rules
    let origin = try Self.origin(fetch.url)
    if let refusal = rules.refusal(of: origin) { throw refusal }
    var request = HTTPRequest(
      method, fetch.url, headers: try Self.fields(fetch.headers ?? [:]), body: try Self.body(fetch.body, file: file),
      timeout: try Self.timeout(fetch.timeoutMs, delivery), maximumBodyBytes: limit, maximumRedirects: 0)
    FetchRules.confine(&request, to: origin)
    self.request = request
  }

  /// The next request after an answer; `nil` when the answer is the last.
  ///
  /// - Throws: `networkFailed` when the server redirects to where the extension may not go.
  package static func next(
    after response: HTTPResponse, to request: HTTPRequest, rules: FetchRules
  ) throws(ExtensionError) -> HTTPRequest? {
    var next: HTTPRequest
    do {
      guard let redirected = try request.redirected(by: response) else { return nil }
      next = redirected
    } catch {
      throw ExtensionError(error)
    }
    guard let target = HTTPOrigin(url: next.url), rules.allows(target) else {
      throw ExtensionError.network(
        "redirect",
        "The server redirects to \(HTTPOrigin(url: next.url)?.description ?? "another place"), which the manifest does not "
          + "name.", recovery: "Add the server to \(rules.permission.manifestKey) in the manifest, where that is meant."
      )
    }
    if let refusal = rules.refusal(of: target) {
      throw ExtensionError.network("redirect", refusal.message, recovery: refusal.recovery)
    }
    if target != HTTPOrigin(url: request.url) {
      // The extension wrote body and fields for the first server, and no entry of the manifest names them for another.
      guard next.method == "GET" || next.method == "HEAD" else {
        throw ExtensionError.network(
          "redirect",
          "The server redirects a \(next.method) to \(target.description), and such a request is not led to another server.",
          recovery: "Send it to that server itself where that is meant.")
      }
      next.body = nil
      for field in next.headers.all where !harmlessFields.contains(field.name.lowercased()) {
        next.headers[field.name] = nil
      }
    }
    FetchRules.confine(&next, to: target)
    return next
  }

  /// The server of a URL.
  ///
  /// - Throws: `invalidParams` for a URL that is not http or https, has a user name, or is longer than 8,192 bytes.
  package static func origin(_ url: String) throws(ExtensionError) -> HTTPOrigin {
    guard url.utf8.count <= 8192, url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), let origin = HTTPOrigin(url: url)
    else {
      throw ExtensionError(
        .invalidParams, "“\(url.prefix(200))” is not an http or https URL without a user name.",
        recovery: "Write the URL as https://host/path, and percent-encode what is not ASCII.")
    }
    return origin
  }

  /// The error for a request to a server that the manifest does not name.
  package static func notNamed(_ origin: HTTPOrigin, _ permission: PermissionKind = .network) -> ExtensionError {
    ExtensionError(
      .permissionDenied, "The manifest does not name \(origin.description) among the servers that may be asked.",
      recovery: "Add the server to \(permission.manifestKey) in the extension's manifest.",
      details: [
        "permission": .string(permission.name), "state": .string(PermissionState.denied.rawValue),
        "server": .string(origin.description),
      ])
  }

  private static func limit(_ wanted: Int?, _ delivery: Network.Delivery) throws(ExtensionError) -> Int {
    let (most, how, larger) =
      switch delivery {
      case .inline: (Network.inlineLimit, "inline", ", or for a file or a stream")
      case .file: (Network.fileLimit, "as a file", ", or for a stream")
      case .stream: (Network.streamLimit, "as a stream", "")
      }
    guard let wanted else { return min(Network.standardLimit, most) }
    guard (0...most).contains(wanted) else {
      throw ExtensionError(
        .limitExceeded, "A body of \(wanted) bytes is not delivered \(how).",
        recovery: "Ask for at most \(most) bytes\(larger).", details: ["limit": .integer(Int64(most))])
    }
    return wanted
  }

  private static func timeout(_ wanted: Int?, _ delivery: Network.Delivery) throws(ExtensionError) -> Duration {
    let longest = delivery == .stream ? Network.Fetch.longestStreamMs : Network.Fetch.longestTimeoutMs
    guard let wanted else { return .milliseconds(longest) }
    guard wanted > 0 else { throw ExtensionError(.invalidParams, "The time limit of \(wanted) ms is not above 0.") }
    return .milliseconds(min(wanted, longest))
  }

  /// The header fields of a request.
  ///
  /// - Throws: `limitExceeded` for more than 64 fields or 32 KiB, `invalidParams` for a field that only the host sets.
  package static func fields(_ headers: [String: String]) throws(ExtensionError) -> HTTPFields {
    guard headers.count <= 64, headers.reduce(0, { $0 + $1.key.utf8.count + $1.value.utf8.count }) <= 32 << 10 else {
      throw ExtensionError(.limitExceeded, "There are more than 64 header fields, or more than 32 KiB of them.")
    }
    var fields = HTTPFields()
    for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
      let lower = name.lowercased()
      guard !keptFields.contains(lower), !lower.hasPrefix("proxy-") else {
        throw ExtensionError(
          .invalidParams, "The header field \(name) is the host's own.", recovery: "Leave the field out.")
      }
      fields.append(name, value)
    }
    return fields
  }

  private static func body(
    _ body: Network.Body?, file: (String) throws(ExtensionError) -> [UInt8]
  ) throws(ExtensionError) -> [UInt8]? {
    guard let body else { return nil }
    guard body.stream == nil else {
      throw ExtensionError(
        .invalidParams, "A body that is sent is not a stream.",
        recovery: "Write it to a file of the scratch directory, and name the file.")
    }
    let bytes: [UInt8]
    switch (body.text, body.base64, body.file) {
    case (let text?, nil, nil): bytes = Array(text.utf8)
    case (nil, let text?, nil):
      guard let decoded = Base64.decode(text) else {
        throw ExtensionError(.invalidParams, "The body is not base64.")
      }
      bytes = decoded
    case (nil, nil, let name?): return try file(name)
    default:
      throw ExtensionError(.invalidParams, "A body has one of the members text, base64 and file.")
    }
    guard bytes.count <= Network.inlineLimit else {
      throw ExtensionError(
        .limitExceeded, "A body of \(bytes.count) bytes does not travel in a message.",
        recovery: "Write it to a file of the scratch directory, and name the file.",
        details: ["limit": .integer(Int64(Network.inlineLimit))])
    }
    return bytes
  }
}
