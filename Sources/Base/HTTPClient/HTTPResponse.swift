/// What a server answered. Every status is an answer, 404 and 500 too.
package struct HTTPResponse: Equatable, Sendable {
  package var status: Int
  package var headers: HTTPFields
  /// The body, decompressed.
  package var body: [UInt8]
  /// The URL that answered: another than was asked for after a redirect.
  package var url: String

  package init(status: Int, headers: HTTPFields = [:], body: [UInt8] = [], url: String) {
    self.status = status
    self.headers = headers
    self.body = body
    self.url = url
  }

  /// The body as text; wrong UTF-8 is repaired.
  package var text: String { String(decoding: body, as: UTF8.self) }
}
