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
  /// The address of the client at the other end of the connection, without its port; empty when it is not known.
  package var client = ""

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

/// What the fields of a request must not say, because two readers would see the end of the message in two places
/// (RFC 9112, 5.1, 6.1 and 6.3). libmicrohttpd lets some of it pass.
package enum MessageRules {
  /// - Returns: what is wrong, one sentence; `nil` when the message has one meaning.
  package static func fault(of fields: [ServerField]) -> String? {
    guard fields.allSatisfy({ FieldSyntax.isToken($0.name) }) else {
      return "The request has a field whose name is not a token."
    }
    // A line may end there for another reader (RFC 9110, 5.5).
    let isPlain = fields.allSatisfy { FieldSyntax.isValue($0.value) }
    guard isPlain else { return "The request has a field with a control character." }
    let lengths = fields.filter { $0.isNamed("Content-Length") }
    let codings = fields.filter { $0.isNamed("Transfer-Encoding") }
    if lengths.count + codings.count > 1 { return "The request has two lengths." }
    if let length = lengths.first?.value, length.isEmpty || !length.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      return "The length of the request is not a number."
    }
    if let coding = codings.first?.value, !FieldSyntax.areEqual(coding, "chunked") {
      return "The transfer coding of the request is not chunked."
    }
    return nil
  }
}
