internal import Cryptography
internal import HTTPServer

/// The tag of an entity: equal bytes, equal tag (RFC 9110, 8.8.3).
enum EntityTag {
  /// SHA-256 of the bytes, in quotes.
  static func of(_ bytes: [UInt8]) -> String {
    "\"\(Hexadecimal.text(for: SHA256.digest(of: bytes).prefix(16)))\""
  }

  /// Whether the client that asks has the entity already (RFC 9110, 13.1.2).
  static func matches(_ tag: String, _ request: ServerRequest) -> Bool {
    guard let asked = request.header("If-None-Match") else { return false }
    return asked.split(separator: ",").contains { part in
      let blank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
      var one = part.drop(while: blank)
      while let last = one.last, blank(last) { one.removeLast() }
      if one.hasPrefix("W/") { one = one.dropFirst(2) }
      return one == "*" || one == tag[...]
    }
  }

  /// 304 in place of the response when the client has its entity. An answer that breaks off has no tag.
  static func validated(_ response: ServerResponse, for request: ServerRequest) -> ServerResponse {
    guard response.status == 200, response.bytesBeforeEnd == nil,
      request.method == "GET" || request.method == "HEAD"
    else { return response }
    var response = response
    if response.header("ETag") == nil { response.headers.append(ServerField("ETag", of(response.body))) }
    guard let tag = response.header("ETag"), matches(tag, request) else { return response }
    response.status = 304
    response.body = []
    response.headers.removeAll { $0.name == "Content-Type" }
    return response
  }
}
