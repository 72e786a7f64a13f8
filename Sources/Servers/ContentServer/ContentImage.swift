internal import HTTPServer

/// The bytes of an image and what they are.
struct ContentImage: Sendable {
  let bytes: [UInt8]
  let type: String

  /// With the caching of AEM: ten minutes on publish, none on author.
  func response(isAuthor: Bool) -> ServerResponse {
    var headers = [ServerField("Content-Type", type)]
    if !isAuthor { headers.append(ServerField("Cache-Control", "max-age=600")) }
    return ServerResponse(headers: headers, body: bytes)
  }

  static func type(ofFile path: String) -> String {
    switch path.split(separator: ".").last?.lowercased() {
    case "png": "image/png"
    case "jpg", "jpeg": "image/jpeg"
    case "gif": "image/gif"
    case "webp": "image/webp"
    case "svg": "image/svg+xml"
    default: "application/octet-stream"
    }
  }
}
