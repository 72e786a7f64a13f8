/// Where a server listens.
package struct ServerAddress: Equatable, Sendable, CustomStringConvertible {
  /// "127.0.0.1" or "::1", without brackets.
  package let host: String
  package let port: Int

  package init(host: String, port: Int) {
    self.host = host
    self.port = port
  }

  /// "http://127.0.0.1:4503", without a slash at the end.
  package var url: String { "http://\(host.contains(":") ? "[\(host)]" : host):\(port)" }
  package var description: String { url }
}
