import Text

/// The addresses that a text may hold: `http`, `https`, for links `mailto`, and paths on the same server.
enum SafeAddress {
  private static let longest = 4_096

  /// The address of a link as it may be kept, or `nil`.
  static func link(_ address: String) -> String? { safe(address, schemes: ["http", "https", "mailto"]) }

  /// The address of a picture as it may be kept, or `nil`.
  static func picture(_ address: String) -> String? { safe(address, schemes: ["http", "https"]) }

  /// Whether the path is that of a content fragment: below `/content/dam/`, and without the ending of a file.
  static func isFragmentPath(_ path: String) -> Bool {
    let folder = "/content/dam/".utf8
    guard path.utf8.starts(with: folder),
      let last = path.utf8.dropFirst(folder.count).split(separator: UInt8(ascii: "/")).last
    else { return false }
    return !last.contains { ".?#".utf8.contains($0) }
  }

  /// The media type of a picture by the ending of its name.
  static func mediaType(of path: String) -> String? {
    let name = path.withoutQuery.pathParts().last ?? ""
    switch name.split(separator: ".").dropFirst().last?.lowercased() {
    case "jpg", "jpeg": return "image/jpeg"
    case "png": return "image/png"
    case "gif": return "image/gif"
    case "webp": return "image/webp"
    case "svg": return "image/svg+xml"
    case "avif": return "image/avif"
    case "tif", "tiff": return "image/tiff"
    default: return nil
    }
  }

  /// What a browser would make of the address decides, so what it would skip or turn around is not let through. A browser
  /// reads scalars: with a combining mark behind it, a slash is one all the same.
  private static func safe(_ address: String, schemes: Set<String>) -> String? {
    let trimmed = address.unicodeScalars.drop { $0.properties.isWhitespace }
    let text = String(String.UnicodeScalarView(trimmed.reversed().drop { $0.properties.isWhitespace }.reversed()))
    guard 1...longest ~= text.utf8.count, !text.unicodeScalars.contains(where: isForbidden) else { return nil }
    let scalars = text.unicodeScalars
    let start = scalars.prefix { !":/?#\\".unicodeScalars.contains($0) }
    if start.endIndex < scalars.endIndex, scalars[start.endIndex] == ":" {
      return schemes.contains(String(start).lowercased()) ? text : nil
    }
    // Two slashes or backslashes at the beginning would address another server.
    return ["//", "/\\", "\\"].contains { scalars.starts(with: $0.unicodeScalars) } ? nil : text
  }

  private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: scalar == "\u{FFFD}"
    }
  }
}
