/// What to ask of a server.
package struct HTTPRequest: Sendable {
  /// The method, such as "GET": a token in upper case.
  package var method: String
  /// An absolute http or https URL without user name and password. It is sent as it is written.
  package var url: String
  /// The header fields to send.
  package var headers: HTTPFields
  /// The body; nil sends none.
  package var body: [UInt8]?
  /// The time for the whole exchange, redirects included; nil takes that of the client.
  package var timeout: Duration?
  /// The most bytes of a response body, after decompression; nil takes that of the client.
  package var maximumBodyBytes: Int?
  /// How many redirects are followed. A request with credentials follows none, whatever is written here.
  package var maximumRedirects: Int
  /// The addresses that may be connected to, whatever the host's name resolves to; nil allows all. What counts is the
  /// address of the connection itself, so that a name cannot change its meaning after it was looked up.
  package var allowedReaches: Set<AddressReach>?
  /// Takes the body in pieces, in place of the response; false refuses more. Called on the client's thread, for the
  /// bodies of redirects too.
  package var takeBody: (@Sendable ([UInt8]) -> Bool)?

  /// Whether the exchange ends when the task that waits for it is cancelled. Without that it takes its whole time, so that
  /// nothing is lost of what a server did.
  package var endsWithCaller = true

  /// Whether the request is sent once at most, on a connection of its own: one that is used again may have died unseen, and
  /// the request would then be sent anew, though the server may have got it. For what a server takes once only.
  package var isSentOnce = false

  /// Creates a request. The arguments are described at the properties; `nil` means the client's configuration.
  package init(
    _ method: String = "GET", _ url: String, headers: HTTPFields = [:], body: [UInt8]? = nil,
    timeout: Duration? = nil, maximumBodyBytes: Int? = nil, maximumRedirects: Int = 5
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.timeout = timeout
    self.maximumBodyBytes = maximumBodyBytes
    self.maximumRedirects = maximumRedirects
  }

  /// Whether a field of the request proves who asks.
  package var isCredentialed: Bool {
    ["Authorization", "Cookie", "Proxy-Authorization"].contains { headers[$0] != nil }
  }

  /// Refuses what would become another request on the wire.
  func validate() throws(HTTPError) {
    guard FieldSyntax.isToken(method) else {
      throw HTTPError(.invalidRequest, "\"\(method)\" is not an HTTP method.", url: url)
    }
    for field in headers.all {
      guard FieldSyntax.isToken(field.name) else {
        throw HTTPError(.invalidRequest, "\"\(field.name)\" is not a name of a header field.", url: url)
      }
      guard FieldSyntax.isValue(field.value) else {
        throw HTTPError(.invalidRequest, "The header field \(field.name) holds a control character.", url: url)
      }
    }
    if let maximumBodyBytes, maximumBodyBytes < 0 {
      throw HTTPError(.invalidRequest, "The limit of the body is negative.", url: url)
    }
  }
}

extension HTTPRequest {
  /// The request that a redirect asks for (RFC 9110, 15.4); nil when the response is the answer.
  ///
  /// - Throws: `badRedirect` when the target is no http URL, or leads from https to http.
  package func redirected(by response: HTTPResponse) throws(HTTPError) -> HTTPRequest? {
    guard [301, 302, 303, 307, 308].contains(response.status), let location = response.headers["Location"] else {
      return nil
    }
    guard let target = resolve(location, against: response.url), let origin = HTTPOrigin(url: target) else {
      throw HTTPError(.badRedirect, "The server redirects to \"\(location)\", which is not an http URL.", url: url)
    }
    if HTTPOrigin(url: response.url)?.scheme == "https", origin.scheme == "http" {
      throw HTTPError(.badRedirect, "The server redirects from https to http.", url: url)
    }
    var next = self
    next.url = target
    let changesToGET = response.status == 303 || (response.status <= 302 && method == "POST")
    if changesToGET, method != "GET", method != "HEAD" {
      next.method = "GET"
      next.body = nil
      next.headers["Content-Type"] = nil
      next.headers["Content-Encoding"] = nil
    }
    return next
  }
}
