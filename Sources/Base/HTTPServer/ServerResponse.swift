/// What the server answers. `Date`, `Content-Length` and `Connection` are added by the server; the body of a HEAD
/// request is left out.
package struct ServerResponse: Equatable, Sendable {
  /// 200 to 999; anything else becomes 500.
  package var status: Int
  /// The header fields, in order.
  package var headers: [ServerField]
  /// The complete body.
  package var body: [UInt8]
  /// After so many bytes of the body the connection ends, though the header promises all of them: for tests of clients.
  /// `nil` sends the whole body.
  package var bytesBeforeEnd: Int?
  /// What goes on after the header, in place of the body.
  var lasting: LastingPart?
  /// Whether nothing is sent, and the connection ends in its place.
  private(set) var isDropped = false

  /// No response: the connection ends. What a server does whose process dies; for tests of clients.
  package static var dropped: ServerResponse {
    var response = ServerResponse(status: 500)
    response.isDropped = true
    return response
  }

  /// Creates a response; by default it is an empty 200.
  package init(
    status: Int = 200, headers: [ServerField] = [], body: [UInt8] = [], bytesBeforeEnd: Int? = nil
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.bytesBeforeEnd = bytesBeforeEnd
  }

  /// A body of text, by default plain.
  package init(status: Int = 200, text: String, contentType: String = "text/plain; charset=utf-8") {
    self.init(status: status, headers: [ServerField("Content-Type", contentType)], body: Array(text.utf8))
  }

  /// The first value of a field.
  package func header(_ name: String) -> String? {
    headers.first { $0.isNamed(name) }?.value
  }
}
