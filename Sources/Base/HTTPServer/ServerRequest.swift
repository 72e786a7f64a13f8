/// A header field of a request or response.
package typealias ServerField = HTTPField

/// What a client asked.
package struct ServerRequest: Equatable, Sendable {
  /// As sent: "GET", "POST".
  package var method: String
  /// The path as sent, still percent-encoded, without the query. Begins with "/".
  package var path: String
  /// What follows the first "?", still percent-encoded; nil without one.
  package var query: String?
  package var headers: [ServerField]
  package var body: [UInt8]

  package init(
    method: String = "GET", path: String, query: String? = nil, headers: [ServerField] = [], body: [UInt8] = []
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
  }

  /// The first value of a field.
  package func header(_ name: String) -> String? {
    headers.first { $0.isNamed(name) }?.value
  }
}
