package import JSON

/// The answer to a persisted query.
package struct ContentResult: Equatable, Sendable {
  /// The `data` member: an object.
  package var data: JSONValue
  /// The errors of GraphQL; empty for a complete answer.
  package var errors: [QueryError]
  /// The HTTP status of the answer; 200 for an answer from the cache.
  package var httpStatus: Int
  /// The cache or the server, whichever supplied the answer.
  package var source: ContentSource
  /// The seconds since the answer left its server.
  package var ageSeconds: Int
  /// The reason, as one sentence, for an older answer in place of the server's; nil for an answer that is valid.
  package var staleReason: String?
  /// Whether the answer is stale and may be displayed while the caller requests a new one. The client has not requested
  /// it.
  package var isRefreshDue: Bool

  /// Creates a result from data, errors and the state of the cache.
  package init(
    data: JSONValue, errors: [QueryError] = [], httpStatus: Int, source: ContentSource, ageSeconds: Int,
    staleReason: String? = nil, isRefreshDue: Bool = false
  ) {
    self.data = data
    self.errors = errors
    self.httpStatus = httpStatus
    self.source = source
    self.ageSeconds = ageSeconds
    self.staleReason = staleReason
    self.isRefreshDue = isRefreshDue
  }

  /// The `errors` member as the server sent it; nil when there are no errors.
  package var errorsValue: JSONValue? { errors.isEmpty ? Optional<JSONValue>.none : .array(errors.map(\.value)) }

  /// Returns the single list, fragment or page of the answer.
  ///
  /// - Throws: `unexpectedContent` for any other content; the message names it.
  package func root() throws(ContentError) -> ContentRoot { try ContentRoot(of: self) }
}

/// The origin of an answer or a picture: the cache or the server.
package enum ContentSource: String, Sendable {
  /// The server, just now.
  case network
  /// The cache, within its max-age.
  case cache
  /// The cache, after the server said that it still holds.
  case revalidated
  /// The cache, beyond its max-age, as the server allowed for when it does not answer.
  case stale
}
