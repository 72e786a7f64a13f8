import Files
import HTML
import HTTP
import HTTPServer

/// The answers of the page, each with the fields that keep other pages and later readers away.
enum PageAnswer {
  /// What every answer has: nothing is loaded from elsewhere, shown in a frame, kept, guessed at, or told to other servers.
  static let fields: [ServerField] = [
    ServerField(
      "Content-Security-Policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"),
    ServerField("X-Frame-Options", "DENY"),
    ServerField("X-Content-Type-Options", "nosniff"),
    ServerField("Referrer-Policy", "no-referrer"),
    ServerField("Cross-Origin-Opener-Policy", "same-origin"),
    ServerField("Cross-Origin-Resource-Policy", "same-origin"),
    ServerField("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
    ServerField("Cache-Control", "no-store"),
  ]

  static func text(_ status: Int, _ text: String, _ type: String = "text/plain; charset=utf-8") -> ServerResponse {
    var response = ServerResponse(status: status, text: text, contentType: type)
    response.headers += fields
    return response
  }

  static func page(_ html: HTML, status: Int = 200) -> ServerResponse {
    text(status, html.text, "text/html; charset=utf-8")
  }

  /// Sends the browser to another address, with GET.
  static func go(to address: String, cookie: String? = nil) -> ServerResponse {
    var response = ServerResponse(status: 303, headers: fields + [ServerField("Location", address)])
    if let cookie { response.headers.append(ServerField("Set-Cookie", cookie)) }
    return response
  }

  /// Bytes of somebody else, which the browser keeps as a file and does not show.
  static func file(_ name: String, _ bytes: [UInt8]) -> ServerResponse {
    let type = ServerField("Content-Type", "application/octet-stream")
    let disposition = ServerField(
      "Content-Disposition",
      "attachment; filename*=UTF-8''\(PercentEncoding.encoded(String(name.prefix(120)), keeping: "-_."))")
    return ServerResponse(headers: [type, disposition] + fields, body: bytes)
  }

  /// One of the files of the page; the same for everybody.
  static func asset(_ name: String) -> ServerResponse? {
    guard let file = EmbeddedFile.written.first(where: { $0.path == "Assets/\(name)" }) else { return nil }
    let types = ["css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"]
    let type = name.split(separator: ".").last.flatMap { types[String($0)] } ?? "text/plain"
    return text(200, file.text, "\(type); charset=utf-8")
  }
}
