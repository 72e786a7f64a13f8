/// One entry of `Annex.Network`: servers that an extension may send requests to.
///
/// `[scheme://]host[:port]`: the host is a name, `*.` and a name of at least two parts for the names below it at any
/// depth, an IPv4 address, or an IPv6 address in brackets. The port is a number or `*`; without one it is the scheme's
/// own. Without a scheme it is https; for this machine by its own name or address http as well.
public struct NetworkServer: Sendable, Hashable, CustomStringConvertible {
  /// `http` or `https`, when the entry names one.
  public let scheme: String?
  /// In lower case: a name, `*.` and a name, an IPv4 address, or an IPv6 address in brackets.
  public let host: String
  /// From 1 to 65535; `nil` for the scheme's own, unless ``isAnyPort``.
  public let port: Int?
  /// Whether the port is `*`.
  public let isAnyPort: Bool

  /// - Returns: `nil` when the text is no entry.
  public init?(_ text: String) {
    var rest = text.lowercased()[...]
    guard text.utf8.count <= 300, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
    var scheme: String?
    for known in ["http", "https"] where rest.hasPrefix("\(known)://") {
      scheme = known
      rest = rest.dropFirst(known.count + 3)
      break
    }
    let end: Substring.Index
    if rest.hasPrefix("[") {
      guard let bracket = rest.firstIndex(of: "]") else { return nil }
      end = rest.index(after: bracket)
    } else {
      end = rest.firstIndex(of: ":") ?? rest.endIndex
    }
    let host = String(rest[..<end])
    guard Self.isHost(host) else { return nil }
    let portText = rest[end...]
    if portText.isEmpty {
      port = nil
    } else if portText == ":*" {
      port = nil
    } else {
      guard portText.first == ":", portText.dropFirst().utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        let number = Int(portText.dropFirst()), (1...65535).contains(number)
      else { return nil }
      port = number
    }
    isAnyPort = portText == ":*"
    self.scheme = scheme
    self.host = host
  }

  /// The entry as it would be written in a manifest, in lower case.
  public var description: String {
    let name = scheme.map { "\($0)://\(host)" } ?? host
    return isAnyPort ? "\(name):*" : port.map { "\(name):\($0)" } ?? name
  }

  /// Whether a server is one of this entry's.
  ///
  /// - Parameters:
  ///   - scheme: `http` or `https`.
  ///   - host: in lower case, an IPv6 address in brackets.
  public func allows(scheme: String, host: String, port: Int) -> Bool {
    guard matches(host) else { return false }
    if let named = self.scheme {
      guard named == scheme else { return false }
    } else if scheme != "https" {
      guard Self.isThisMachine(host) else { return false }
    }
    return isAnyPort || port == self.port ?? (scheme == "https" ? 443 : 80)
  }

  private func matches(_ other: String) -> Bool {
    guard host.hasPrefix("*.") else { return host == other }
    return other.hasSuffix(host.dropFirst()) && other.utf8.count > host.utf8.count - 1
  }

  /// Whether a host is this machine by its own name or address.
  public static func isThisMachine(_ host: String) -> Bool {
    host == "localhost" || host == "[::1]"
      || (host.hasPrefix("127.") && host.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E })
  }

  private static func isHost(_ host: String) -> Bool {
    if host.hasPrefix("[") {
      let inner = host.dropFirst().dropLast()
      return inner.contains(":") && inner.utf8.allSatisfy { "0123456789abcdef:.".utf8.contains($0) }
    }
    let name = host.hasPrefix("*.") ? host.dropFirst(2) : host[...]
    let labels = name.split(separator: ".", omittingEmptySubsequences: false)
    let isNumber = name.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
    if host.hasPrefix("*."), labels.count < 2 || isNumber { return false }
    return labels.allSatisfy { label in
      (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
        && label.utf8.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789-_".utf8.contains($0) }
    }
  }
}
