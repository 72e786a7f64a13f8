package import JSONRPC

/// The answer to a persisted query.
package struct ContentResult: Equatable, Sendable {
  /// Where the answer came from.
  package enum Source: String, Sendable {
    /// The server, just now.
    case network
    /// The cache, within its max-age.
    case cache
    /// The cache, after the server said that it still holds.
    case revalidated
    /// The cache, beyond its max-age, as the server allowed for when it does not answer.
    case stale
  }

  /// The `data` member: an object.
  package var data: JSONValue
  /// The `errors` member, when the answer was partial.
  package var errors: JSONValue?
  package var httpStatus: Int
  package var source: Source
  /// Seconds since the answer left its server.
  package var ageSeconds: Int

  package init(data: JSONValue, errors: JSONValue? = nil, httpStatus: Int, source: Source, ageSeconds: Int) {
    self.data = data
    self.errors = errors
    self.httpStatus = httpStatus
    self.source = source
    self.ageSeconds = ageSeconds
  }
}
