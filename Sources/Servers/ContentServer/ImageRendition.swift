internal import JSONRPC

/// The transformation of an image that a query asks for.
struct ImageRendition: Sendable {
  let fileExtension: String
  let width: Int?
  let quality: Int

  /// From the coerced variables of a query. A width outside 1 to 2000 and a quality outside 1 to 100 are brought in.
  init(_ values: JSONObject) {
    let format = values["imageFormat"]?.stringValue ?? "JPG"
    fileExtension =
      switch format {
      case "GIF": "gif"
      case "PNG", "PNG8": "png"
      case "WEBP", "WEBPLL", "WEBPLY": "webp"
      default: "jpg"
      }
    width = values["imageWidth"]?.integerValue.map { min(2000, max(1, Int(clamping: $0))) }
    quality = min(100, max(1, Int(clamping: values["imageQuality"]?.integerValue ?? 80)))
  }

  static let prefix = "/adobe/dynamicmedia/deliver/dm-aid--"

  /// The relative `_dynamicUrl` of the image at a path.
  func url(of path: String) -> String {
    let file = path.split(separator: "/").last ?? ""
    let name = file.split(separator: ".").first ?? file
    let size = width.map { "&width=\($0)" } ?? ""
    return
      "\(Self.prefix)\(Self.identifier(of: path))/\(name).\(fileExtension)?preferwebp=true\(size)&quality=\(quality)"
  }

  /// A stable identifier in the form of a UUID.
  static func identifier(of path: String) -> String {
    let high = String(Array(path.utf8).fingerprint, radix: 16)
    let low = String(Array(path.utf8.reversed()).fingerprint, radix: 16)
    let digits = [high, low].flatMap { String(repeating: "0", count: 16 - $0.count) + $0 }
    let groups = [digits[0..<8], digits[8..<12], digits[12..<16], digits[16..<20], digits[20..<32]]
    return groups.map { String($0) }.joined(separator: "-")
  }
}
