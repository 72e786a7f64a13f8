import HTTP
import JSON
import Text

/// Makes the `_dynamicUrl` of pictures, which contains the whole `_assetTransform`.
struct DynamicURL: Sendable {
  private let format: String?
  private let seoName: String?
  private let query: String

  /// - Parameter transform: the argument `_assetTransform`, as its type has it; `nil` without.
  init(_ transform: JSONObject?) {
    let transform = transform ?? [:]
    let format = transform["format"]?.stringValue
    self.format = format
    seoName = transform["seoName"]?.stringValue.flatMap { $0.isEmpty ? nil : $0 }
    var parts: [String] = []
    if transform["preferWebp"]?.boolValue == true { parts.append("preferwebp=true") }
    if let format, format != Self.plain[Self.fileExtension(format) ?? ""] { parts.append("format=\(format)") }
    if let crop = transform["crop"]?.objectValue, let size = Self.size(crop) {
      let origin = [crop["xOrigin"], crop["yOrigin"]].map { Self.number($0) ?? 0 }
      parts.append("crop=\((origin + size).map(String.init).joined(separator: ","))")
    }
    if let size = transform["size"]?.objectValue.flatMap(Self.size) {
      parts.append("size=\(size.map(String.init).joined(separator: ","))")
    }
    if let rotation = transform["rotation"]?.stringValue { parts.append("rotate=\(rotation.dropFirst())") }
    if let flip = transform["flip"]?.stringValue { parts.append("flip=\(flip)") }
    if let width = Self.number(transform["width"]) { parts.append("width=\(width)") }
    if let quality = Self.number(transform["quality"]) { parts.append("quality=\(min(100, max(1, quality)))") }
    query = parts.joined(separator: "&")
  }

  /// The relative URL of a picture; `nil` for one that is not transformed.
  func url(of asset: ContentAsset) -> String? {
    guard let ending = Self.endings[asset.mimeType] else { return nil }
    let name = asset.path.pathParts().last.map(String.init) ?? ""
    let stem = name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
    let file = Self.encoded(seoName ?? stem)
    let kind = format.flatMap(Self.fileExtension) ?? ending
    return "/adobe/dynamicmedia/deliver/dm-aid--\(asset.id)/\(file).\(kind)\(query.isEmpty ? "" : "?\(query)")"
  }

  private static let endings = ["image/gif": "gif", "image/jpeg": "jpg", "image/png": "png", "image/webp": "webp"]

  /// The format that each ending implies, so that the URL omits it.
  private static let plain = ["gif": "GIF", "jpg": "JPG", "png": "PNG", "webp": "WEBP"]

  private static func fileExtension(_ format: String) -> String? {
    switch format {
    case "GIF": "gif"
    case "PNG", "PNG8": "png"
    case "JPG", "PJPG", "BJPG": "jpg"
    case "WEBP", "WEBPLL", "WEBPLY": "webp"
    default: nil
    }
  }

  /// Width and height; one of them is taken for both.
  private static func size(_ object: JSONObject) -> [Int]? {
    let (width, height) = (number(object["width"]), number(object["height"]))
    guard let first = width ?? height else { return nil }
    return [width ?? first, height ?? first]
  }

  private static func number(_ value: JSONValue?) -> Int? {
    value?.integerValue.map { Int(clamping: max(0, $0)) }
  }

  /// A name as one segment of a path.
  private static func encoded(_ name: String) -> String {
    PercentEncoding.encoded(bytes: name.utf8.prefix(200))
  }
}
