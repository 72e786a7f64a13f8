/// One header field of a request or response.
package struct ServerField: Equatable, Sendable {
  package var name: String
  package var value: String

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }

  /// Names are the same without regard to the case of ASCII letters (RFC 9110, 5.1).
  package func isNamed(_ other: String) -> Bool {
    name.utf8.elementsEqual(other.utf8) { Self.fold($0) == Self.fold($1) }
  }

  private static func fold(_ byte: UInt8) -> UInt8 {
    byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte
  }
}

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
