/// What a `Host` field says, and the part of a URL between its scheme and its path: a name and maybe a port, and nothing else
/// (RFC 9110, 7.2). A user name before it, as in `localhost:80@evil`, would be read as the host by some and not by others.
struct Authority {
  /// The name, or an address; one of version 6 in brackets.
  let name: String

  /// - Parameter text: in lower case.
  /// - Returns: `nil` when it is anything but a name and a port.
  init?(_ text: String) {
    let end: String.Index
    if text.hasPrefix("[") {
      guard let bracket = text.firstIndex(of: "]") else { return nil }
      end = text.index(after: bracket)
      guard text[..<end].utf8.dropFirst().dropLast().allSatisfy({ Self.isOfAddress($0) }) else {
        return nil
      }
    } else {
      end = text.firstIndex(of: ":") ?? text.endIndex
      guard text[..<end].utf8.allSatisfy({ Self.isOfName($0) }) else { return nil }
    }
    let port = text[end...]
    guard !text[..<end].isEmpty, port.isEmpty || Self.isPort(port) else { return nil }
    name = String(text[..<end])
  }

  /// Hexadecimal digits in lower case, colons and dots.
  private static func isOfAddress(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x3A, 0x61...0x66, UInt8(ascii: "."): true
    default: false
    }
  }

  /// Letters in lower case, digits, `-`, `.` and `_`.
  private static func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): true
    default: false
    }
  }

  private static func isPort(_ text: Substring) -> Bool {
    let digits = text.dropFirst()
    return text.hasPrefix(":") && (1...5).contains(digits.utf8.count)
      && digits.utf8.allSatisfy { (0x30...0x39).contains($0) } && Int(digits).map { (1...65_535).contains($0) } ?? false
  }

  /// The origin of a URL; `nil` for what is no http URL.
  static func origin(of url: String) -> String? {
    guard let scheme = url.firstRange(of: "://"), ["http", "https"].contains(url[..<scheme.lowerBound]) else {
      return nil
    }
    let authority = String(url[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" })
    return Authority(FieldSyntax.lowercased(authority)) == nil ? nil : "\(url[..<scheme.lowerBound])://\(authority)"
  }
}

/// The names that always mean this machine.
package enum LoopbackName {
  /// - Parameter host: a name or an address, of version 6 with brackets or without.
  package static func isOne(_ host: String) -> Bool {
    let host = FieldSyntax.lowercased(host)
    return host == "localhost" || host.hasSuffix(".localhost") || host == "::1" || host == "[::1]"
      || host.hasPrefix("127.") && host.split(separator: ".").count == 4
        && host.utf8.allSatisfy { $0 == UInt8(ascii: ".") || (0x30...0x39).contains($0) }
  }
}
