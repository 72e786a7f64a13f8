/// The scheme of a URL (RFC 3986, 3.1).
public enum URLScheme {
  /// - Returns: the scheme in lower case, or `nil` when the text is no URL with one, or holds white space or control
  ///   characters.
  public static func of(_ url: String) -> String? {
    guard let colon = url.utf8.firstIndex(of: 0x3A), url.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
      return nil
    }
    let scheme = url[..<colon].lowercased()
    guard let first = scheme.utf8.first, (0x61...0x7A).contains(first) else { return nil }
    let isValid = scheme.utf8.allSatisfy { byte in
      (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || [0x2B, 0x2D, 0x2E].contains(byte)
    }
    return isValid && url.index(after: colon) < url.endIndex ? scheme : nil
  }
}
