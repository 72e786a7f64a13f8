/// Why there is no content.
package struct ContentError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The sorts of failure that a caller treats differently.
  package enum Kind: String, Sendable, CaseIterable {
    /// The query path or a variable cannot be sent.
    case invalidQuery
    /// No connection to the server, or it broke.
    case unreachable
    /// The certificate of the server, or its handshake, is not accepted.
    case untrusted
    /// No answer in time.
    case timedOut
    /// 401: the credentials are missing or not accepted.
    case unauthorized
    /// 403: the credentials do not suffice.
    case forbidden
    /// 404: there is no such persisted query.
    case notFound
    /// A web page, most likely for signing in, came instead of JSON.
    case signInPage
    /// The server sends the client elsewhere; it is not followed, as credentials belong to one server.
    case redirected
    /// 429: too many requests.
    case rateLimited
    /// 500 to 599.
    case serverError
    /// Any other status than 200.
    case unexpectedStatus
    /// The answer is not JSON, or not of GraphQL's shape.
    case invalidAnswer
    /// GraphQL gave errors and no data.
    case queryFailed
    /// The answer is larger than allowed.
    case tooLarge
    /// The task that waited was cancelled.
    case cancelled
  }

  package let kind: Kind
  /// One sentence: what happened, with the names involved.
  package let message: String
  /// What the reader can do about it.
  package let recovery: String
  /// The status of the answer; nil when there was none.
  package let httpStatus: Int?

  package init(_ kind: Kind, _ message: String, recovery: String, httpStatus: Int? = nil) {
    self.kind = kind
    self.message = message
    self.recovery = recovery
    self.httpStatus = httpStatus
  }

  package var description: String { "\(message) \(recovery)" }

  /// Whether an older answer may stand in for this failure (RFC 5861, 4).
  var allowsStale: Bool {
    switch kind {
    case .unreachable, .timedOut, .rateLimited, .serverError: true
    // A server may answer 500 with the errors of GraphQL.
    case .queryFailed: httpStatus.map { $0 >= 500 } ?? false
    default: false
    }
  }
}
