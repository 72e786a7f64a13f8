internal import CCurl

/// Scheme, host and port of a URL: what credentials belong to (RFC 6454).
package struct HTTPOrigin: Hashable, Sendable, CustomStringConvertible {
  /// "http" or "https".
  package let scheme: String
  /// In lower case; a version 6 address in brackets.
  package let host: String
  /// The port; the scheme's own when the URL names none.
  package let port: Int

  /// nil when the text is no absolute http or https URL, or names a user.
  package init?(url: String) {
    guard let parts = URLParts(url), parts.part(CURLUPART_USER) == nil, parts.part(CURLUPART_PASSWORD) == nil else {
      return nil
    }
    guard let scheme = parts.part(CURLUPART_SCHEME)?.lowercased(), scheme == "http" || scheme == "https",
      let host = parts.part(CURLUPART_HOST)?.lowercased(), !host.isEmpty,
      let port = parts.part(CURLUPART_PORT, flags: CURLU_DEFAULT_PORT).flatMap({ Int($0) })
    else { return nil }
    self.scheme = scheme
    self.host = host
    self.port = port
  }

  /// The origin as a URL, with its port.
  package var description: String { "\(scheme)://\(host):\(port)" }

  /// Whether the host is this machine by its own name or address.
  package var isLoopback: Bool {
    host == "localhost" || host == "[::1]"
      || (host.hasPrefix("127.") && host.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E })
  }
}

/// Makes an absolute URL of a `Location`, which may be relative (RFC 9110, 10.2.2); nil when it cannot be read.
func resolve(_ location: String, against base: String) -> String? {
  guard let parts = URLParts(base), parts.set(location) else { return nil }
  return parts.part(CURLUPART_URL)
}

/// The URL parser of curl: what it reads is what it will connect to.
@safe
private final class URLParts {
  private let handle: OpaquePointer

  init?(_ url: String) {
    guard !url.utf8.contains(0), let handle = unsafe curl_url() else { return nil }
    unsafe self.handle = handle
    guard set(url) else { return nil }
  }

  deinit {
    unsafe curl_url_cleanup(handle)
  }

  func set(_ url: String) -> Bool {
    guard !url.utf8.contains(0) else { return false }
    return unsafe curl_url_set(handle, CURLUPART_URL, url, 0) == CURLUE_OK
  }

  func part(_ part: CURLUPart, flags: Int32 = 0) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    guard unsafe curl_url_get(handle, part, &text, UInt32(flags)) == CURLUE_OK, let text = unsafe text else {
      return nil
    }
    defer { unsafe curl_free(text) }
    return unsafe String(cString: text)
  }
}
