/// The permission of a server for a private cache to store an answer (RFC 9111, 5.2; RFC 5861).
struct CacheControl: Equatable, Sendable {
  /// The seconds for which the answer is fresh; 0 when the header gives no age.
  var maximumAge = 0
  /// The seconds after `maximumAge` in which the client does not wait for a slow server (RFC 5861, 3).
  var staleWhileRevalidate = 0
  /// The seconds after `maximumAge` in which the answer may replace a failure (RFC 5861, 4).
  var staleIfError = 0
  /// The answer must not be kept.
  var forbidsStorage = false

  init() {}

  /// - Parameters:
  ///   - fields: the values of every `Cache-Control` field. Of a directive that comes twice the first counts; a number
  ///     that cannot be read is 0. `s-maxage` is for shared caches and does not count here.
  ///   - vary: the values of every `Vary` field: `*` makes the answer good for one request only.
  init(fields: [String], vary: [String] = []) {
    var directives: [String: String] = [:]
    for directive in fields.flatMap(Self.directives) where directives[directive.name] == nil {
      directives[directive.name] = directive.value
    }
    let seconds = { (name: String) in directives[name].flatMap { Int($0) }.map { min(max($0, 0), 1 << 31) } ?? 0 }
    maximumAge = seconds("max-age")
    staleWhileRevalidate = seconds("stale-while-revalidate")
    staleIfError = seconds("stale-if-error")
    forbidsStorage = directives["no-store"] != nil || vary.contains { $0.utf8.contains(UInt8(ascii: "*")) }
    if directives["no-cache"] != nil { maximumAge = 0 }
    if directives["no-cache"] != nil || directives["must-revalidate"] != nil {
      staleWhileRevalidate = 0
      staleIfError = 0
    }
  }

  /// Splits at the commas outside quotation marks.
  private static func directives(_ field: String) -> [(name: String, value: String)] {
    var isQuoted = false
    let parts = field.utf8.split { byte in
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      return byte == UInt8(ascii: ",") && !isQuoted
    }
    return parts.map { part in
      let pair = part.split(separator: UInt8(ascii: "="), maxSplits: 1)
      let name = pair.first.map { Self.trimmed(Substring($0)).lowercased() } ?? ""
      return (name, pair.count > 1 ? Self.trimmed(Substring(pair[1])) : "")
    }
  }

  private static func trimmed(_ text: Substring) -> String {
    let isEdge = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == UInt8(ascii: "\"") }
    let start = text.utf8.drop(while: isEdge)
    guard let last = start.lastIndex(where: { !isEdge($0) }) else { return "" }
    return String(text[start.startIndex...last])
  }
}
