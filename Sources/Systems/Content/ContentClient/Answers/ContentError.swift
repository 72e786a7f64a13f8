/// An error of a request for content.
package struct ContentError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The sorts of failure that a caller treats differently.
  package enum Kind: String, Sendable, CaseIterable {
    /// The query path or a variable cannot be sent.
    case invalidQuery
    /// The path of a picture, or what is asked of it, cannot be sent.
    case invalidPath
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
    /// The answer is a web page instead of JSON, most likely for signing in.
    case signInPage
    /// The server sends the client elsewhere; it is not followed, as credentials belong to one server.
    case redirected
    /// 429: too many requests.
    case rateLimited
    /// The server failed with a status from 500 to 599.
    case serverError
    /// A variable needs POST, and the server does not allow it.
    case postRefused
    /// The credentials of the service were not exchanged for a token: EXCHANGE_TOKEN_ERROR.
    case tokenExchangeFailed
    /// Any other status than 200.
    case unexpectedStatus
    /// The answer is not JSON, or not of GraphQL's shape.
    case invalidAnswer
    /// GraphQL gave errors and no data.
    case queryFailed
    /// The data is null, or of another model or form than was asked for.
    case unexpectedContent
    /// A picture cannot be written to its file.
    case notWritten
    /// The answer is no picture of a kind that is shown.
    case invalidImage
    /// The answer is larger than allowed.
    case tooLarge
    /// The task that waited was cancelled.
    case cancelled
  }

  /// The kind of failure, for code that decides by it.
  package let kind: Kind
  /// One sentence: what happened, with the names involved.
  package let message: String
  /// The advice to the reader.
  package let recovery: String
  /// The status of the answer; nil when there was none.
  package let httpStatus: Int?
  /// The errors of GraphQL; empty when the answer contains none.
  package let errors: [QueryError]

  /// Creates an error from a kind, a sentence on the failure and a sentence with advice.
  package init(
    _ kind: Kind, _ message: String, recovery: String, httpStatus: Int? = nil, errors: [QueryError] = []
  ) {
    self.kind = kind
    self.message = message
    self.recovery = recovery
    self.httpStatus = httpStatus
    self.errors = errors
  }

  /// The message and the recovery.
  package var description: String { "\(message) \(recovery)" }

  /// Whether the cache may answer with an older answer instead of this failure (RFC 5861, 4).
  var allowsStale: Bool {
    switch kind {
    case .unreachable, .timedOut, .rateLimited, .serverError: true
    // A server may answer 500 with the errors of GraphQL.
    case .queryFailed: httpStatus.map { $0 >= 500 } ?? false
    default: false
    }
  }
}
