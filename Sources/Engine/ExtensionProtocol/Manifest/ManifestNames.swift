import Text

/// The names that manifests may use.
package enum ManifestNames {
  /// Whether a text can be a bundle identifier: at least two components of letters, digits and hyphens, joined by dots;
  /// at most 200 characters. (CFBundleIdentifier: "alphanumeric, hyphen, and period".) It is safe as a file name.
  package static func isIdentifier(_ text: String) -> Bool {
    let components = text.split(separator: ".", omittingEmptySubsequences: false)
    return components.count > 1 && text.utf8.count <= 200
      && components.allSatisfy { component in
        !component.isEmpty && component.utf8.allSatisfy { isAlphanumeric($0) || $0 == UInt8(ascii: "-") }
      }
  }

  /// Whether a text can name an app group: an identifier that begins with `group.`.
  package static func isAppGroup(_ text: String) -> Bool { text.hasPrefix("group.") && isIdentifier(text) }

  /// Whether a text is a URL scheme (RFC 3986, section 3.1).
  package static func isURLScheme(_ text: String) -> Bool {
    guard let first = text.utf8.first, isLetter(first), text.utf8.count <= 64 else { return false }
    return text.utf8.allSatisfy { isAlphanumeric($0) || "+-.".utf8.contains($0) }
  }

  /// Whether a text can name a feature: a letter in lower case, then letters and digits.
  package static func isFeature(_ text: String) -> Bool {
    guard let first = text.utf8.first, isLetter(first), first >= UInt8(ascii: "a") else { return false }
    return text.utf8.count <= 64 && text.utf8.allSatisfy { isAlphanumeric($0) || $0 == UInt8(ascii: "-") }
  }

  /// Whether a text can name a class: a Swift or Objective-C name, or several joined by dots.
  package static func isClass(_ text: String) -> Bool {
    text.utf8.count <= 200
      && text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { name in
        guard let first = name.first, !first.isNumber else { return false }
        return name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
      }
  }

  /// Whether a text has the form of a language tag: subtags of at most eight letters and digits, joined by hyphens, the
  /// first of two letters or more (RFC 5646, section 2.1; `x-` and `i-` tags are left out).
  package static func isLanguage(_ text: String) -> Bool {
    let subtags = text.split(separator: "-", omittingEmptySubsequences: false)
    guard let first = subtags.first, first.utf8.count >= 2, first.utf8.allSatisfy(isLetter) else { return false }
    return subtags.allSatisfy { 1...8 ~= $0.utf8.count && $0.utf8.allSatisfy(isAlphanumeric) }
  }

  /// Whether a path is relative, goes down only, and has no control characters.
  package static func isPathBelow(_ path: String) -> Bool { !path.hasPrefix("/") && hasPlainComponents(path[...]) }

  /// Whether a path is absolute and plain: no empty, `.` or `..` components, no control characters.
  package static func isAbsolutePath(_ path: String) -> Bool {
    path.hasPrefix("/") && hasPlainComponents(path.dropFirst())
  }

  /// Returns whether a text can be an argument of a program: not empty, without control characters, at most 1,024
  /// bytes.
  package static func isArgument(_ text: some StringProtocol) -> Bool {
    1...1024 ~= text.utf8.count && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
  }

  /// Whether a text is one word of small letters, digits and dashes, a letter first.
  package static func isWord(_ text: String, atMost limit: Int) -> Bool {
    guard let first = text.utf8.first, (0x61...0x7A).contains(first), text.utf8.count <= limit else { return false }
    return text.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
  }

  private static func hasPlainComponents(_ path: Substring) -> Bool {
    isArgument(path) && (path.partsBelow?.allSatisfy { $0.utf8.count <= 255 } ?? false)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    isLetter(byte) || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
  }
}
