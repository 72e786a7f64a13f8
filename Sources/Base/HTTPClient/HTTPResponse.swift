internal import Time

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

extension HTTPResponse {
  /// The pause that the server asks for in `Retry-After` (RFC 9110, 10.2.3), in seconds, from 0 to 86,400; `nil` when
  /// it asks for none, and for a value that is neither digits nor a date of today's form.
  ///
  /// - Parameter now: seconds since 1970, 0 or more: what a date is compared with when the response has no `Date`.
  package func retryAfter(now: Int64) -> Int? {
    guard let text = headers["Retry-After"] else { return nil }
    let seconds: Int64
    if !text.isEmpty, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) {
      seconds = Int64(text) ?? .max
    } else {
      guard let date = HTTPDate.seconds(text) else { return nil }
      seconds = date - max(headers["Date"].flatMap(HTTPDate.seconds) ?? now, 0)
    }
    return Int(min(max(seconds, 0), 86_400))
  }
}
