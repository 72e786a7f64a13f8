internal import HTTP
internal import HTTPClient
package import JSON
internal import Text

/// The URL of a picture of the configured server, made of a `_dynamicUrl` or a `_path` as AEM answered it.
package struct ImageAddress: Equatable, Sendable {
  /// Absolute, on the configured server.
  package let url: String
  /// The address for display: the path without the host.
  let path: String

  private static let maximumBytes = 8_000

  /// Returns the address of an image in an answer (`ImageRef`): its `_dynamicUrl`, else its `_path`; nil when both are
  /// null, absent or no text.
  package static func path(in image: JSONValue?) -> String? {
    for name in ["_dynamicUrl", "_path"] {
      if let text = image?[name]?.stringValue, !text.isEmpty { return text }
    }
    return nil
  }

  /// - Parameters:
  ///   - text: from the first `/`, or absolute on the configured server. What a URL cannot hold is encoded.
  ///   - origin: `scheme://host` of the configuration.
  /// - Throws: `invalidPath` for what leads to another server or out of its path.
  package init(_ text: String, origin: String, rendition: ImageRendition = ImageRendition()) throws(ContentError) {
    let local = try Self.local(text, origin: origin)
    let (path, query) = Self.split(local)
    try Self.check(path, text)
    let parameters = try rendition.parameters()
    let isDynamic = path.hasPrefix("/adobe/") || path.hasPrefix("/is/image/")
    let target =
      Self.encoded(path) + (isDynamic ? Self.query(query, setting: parameters) : Self.query(query, setting: []))
    guard target.utf8.count <= Self.maximumBytes else {
      throw Self.refused(text, "is longer than a URL may be")
    }
    self.path = path
    url = origin + target
    guard HTTPOrigin(url: url) == HTTPOrigin(url: origin) else { throw Self.refused(text, "leads to another server") }
  }

  /// Returns the part of an address from the first `/` of its path.
  private static func local(_ text: String, origin: String) throws(ContentError) -> String {
    guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\\") }) else {
      throw refused(text, "holds a backslash or a control character")
    }
    guard !text.utf8.contains(UInt8(ascii: "#")) else { throw refused(text, "holds a #") }
    if text.utf8.starts(with: "//".utf8) { throw refused(text, "leads to another server") }
    if text.utf8.first == UInt8(ascii: "/") { return text }
    let lower = text.lowercased()
    guard lower.hasPrefix("http://") || lower.hasPrefix("https://") else {
      throw refused(text, "begins neither with / nor with http:// or https://")
    }
    let (before, query) = split(text)
    let scheme =
      before.utf8.firstIndex(of: UInt8(ascii: ":")).map { before.utf8.distance(from: before.startIndex, to: $0) } ?? 0
    let rest = before.utf8.dropFirst(scheme + 3)
    let slash = rest.firstIndex(of: UInt8(ascii: "/"))
    let server = String(before[..<(slash ?? before.endIndex)])
    // A user name is no origin.
    guard let found = HTTPOrigin(url: server), found == HTTPOrigin(url: origin) else {
      throw refused(text, "leads to another server")
    }
    return (slash.map { String(before[$0...]) } ?? "/") + (query.map { "?\($0)" } ?? "")
  }

  private static func split(_ text: String) -> (path: String, query: String?) {
    guard let mark = text.utf8.firstIndex(of: UInt8(ascii: "?")) else { return (text, nil) }
    return (String(text[..<mark]), String(text[text.utf8.index(after: mark)...]))
  }

  private static func check(_ path: String, _ text: String) throws(ContentError) {
    guard path.utf8.count > 1, path.utf8.first == UInt8(ascii: "/"), !path.utf8.starts(with: "//".utf8) else {
      throw refused(text, "names no picture")
    }
    for segment in path.utf8.split(separator: UInt8(ascii: "/")) {
      // Encoded once or twice, in either case: servers differ in how often they decode.
      // Other letters matter not, and would make one character of a letter here and the mark behind it.
      var plain = String(decoding: segment.map { $0 < 0x80 ? $0 : UInt8(ascii: "_") }, as: UTF8.self).lowercased()
      for _ in 0..<3 { plain = plain.replacing("%25", with: "%") }
      plain = plain.replacing("%2e", with: ".")
      guard plain != ".", plain != "..", !plain.contains("%2f"), !plain.contains("%5c"), !plain.contains("%00") else {
        throw refused(text, "leads out of its folder")
      }
    }
  }

  private static func refused(_ text: String, _ what: String) -> ContentError {
    ContentError(
      .invalidPath, "\"\(quotable(text))\" \(what): it is not fetched.",
      recovery: "Use the _dynamicUrl or the _path of a picture, as AEM answered it.")
  }

  /// Replaces the values of parameters in place, and appends new ones. An explicit format replaces `preferwebp`.
  private static func query(_ query: String?, setting parameters: [(name: String, value: String)]) -> String {
    var pairs = FormPairs.split(query ?? "").map { pair in
      (name: String(pair.name), text: encoded(pair.value.map { "\(pair.name)=\($0)" } ?? String(pair.name)))
    }
    if parameters.contains(where: { $0.name == "format" }) { pairs.removeAll { $0.name.lowercased() == "preferwebp" } }
    for (name, value) in parameters {
      let place = pairs.firstIndex { $0.name.lowercased() == name }
      pairs.removeAll { $0.name.lowercased() == name }
      pairs.insert((name, "\(name)=\(value)"), at: min(place ?? pairs.count, pairs.count))
    }
    return pairs.isEmpty ? "" : "?" + pairs.map(\.text).joined(separator: "&")
  }

  /// Encodes what a URL cannot hold. What is encoded already stays so: a `%` with two digits behind it.
  private static func encoded(_ text: String) -> String {
    PercentEncoding.encoded(text, keeping: "-._~!$&'()*+,;=:@/?", keepsEscapes: true)
  }
}
