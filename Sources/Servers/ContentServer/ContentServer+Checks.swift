internal import Base64
import HTTPServer
internal import PropertyList

extension ContentServer {
  /// 401 unless the request proves who asks.
  func refusal(of request: ServerRequest) -> ServerResponse? {
    let expected: String
    let challenge: String
    switch configuration.authentication {
    case .none: return nil
    case .basic(let username, let password):
      // A character that ISO-8859-1 lacks can be sent by nobody.
      let bytes = "\(username):\(password)".unicodeScalars.map { UInt8(exactly: $0.value) }
      expected = bytes.contains(nil) ? "" : "Basic " + Base64.encode(bytes.compactMap(\.self))
      challenge = "Basic realm=\"Sling (Development)\""
    case .token(let token):
      expected = "Bearer \(token)"
      challenge = "Bearer"
    }
    guard !expected.isEmpty, request.header("Authorization") == expected else {
      var response = ServerResponse(status: 401, text: "Unauthorized")
      response.headers.append(ServerField("WWW-Authenticate", challenge))
      return response
    }
    return nil
  }

  /// Adds an entity tag, and answers 304 when the client has that entity (RFC 9110, 13.1.2).
  func validated(_ response: ServerResponse, for request: ServerRequest) -> ServerResponse {
    guard response.status == 200, request.method != "POST" else { return response }
    var response = response
    if response.header("ETag") == nil { response.headers.append(ServerField("ETag", Self.tag(of: response.body))) }
    guard let asked = request.header("If-None-Match"), let tag = response.header("ETag") else { return response }
    let tags = asked.split(separator: ",").map { $0.trimmingPrefix { $0 == " " }.trimmingSuffix(" ") }
    guard tags.contains("*") || tags.contains(where: { $0 == tag || $0 == "W/\(tag)" }) else { return response }
    response.status = 304
    response.body = []
    response.headers.removeAll { $0.name == "Content-Type" }
    return response
  }

  /// FNV-1a of the bytes: equal bytes, equal tag.
  private static func tag(of bytes: [UInt8]) -> String {
    "\"\(String(bytes.fingerprint, radix: 16))\""
  }
}

extension [UInt8] {
  /// FNV-1a, 64 bits (http://www.isthe.com/chongo/tech/comp/fnv).
  var fingerprint: UInt64 {
    reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}

extension Substring {
  fileprivate func trimmingPrefix(_ isCut: (Character) -> Bool) -> Substring { drop(while: isCut) }

  fileprivate func trimmingSuffix(_ cut: Character) -> Substring {
    var text = self
    while text.last == cut { text.removeLast() }
    return text
  }
}
