internal import CCrypto
internal import HTTPServer

/// The tag of an entity: equal bytes, equal tag (RFC 9110, 8.8.3).
enum EntityTag {
  /// SHA-256 of the bytes, in quotes.
  static func of(_ bytes: [UInt8]) -> String {
    var digest = [UInt8](repeating: 0, count: 32)
    let done = bytes.withUnsafeBytes { EVP_Digest($0.baseAddress, $0.count, &digest, nil, EVP_sha256(), nil) }
    precondition(done == 1, "libcrypto has no SHA-256")
    var text: [UInt8] = [0x22]
    for byte in digest.prefix(16) {
      for digit in [byte >> 4, byte & 15] { text.append(digit + (digit < 10 ? 48 : 87)) }
    }
    text.append(0x22)
    return String(decoding: text, as: UTF8.self)
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

  /// 304 in place of the response when the client has its entity.
  static func validated(_ response: ServerResponse, for request: ServerRequest) -> ServerResponse {
    guard response.status == 200, request.method == "GET" || request.method == "HEAD" else { return response }
    var response = response
    if response.header("ETag") == nil { response.headers.append(ServerField("ETag", of(response.body))) }
    guard let tag = response.header("ETag"), matches(tag, request) else { return response }
    response.status = 304
    response.body = []
    response.headers.removeAll { $0.name == "Content-Type" }
    return response
  }
}
