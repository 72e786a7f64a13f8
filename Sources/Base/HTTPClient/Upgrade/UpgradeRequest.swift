internal import Text

/// The head of a request that asks to go on with another protocol over the same connection (RFC 9110, 7.8), and the
/// reading of its answer. Pure.
package struct UpgradeRequest: Sendable {
  /// The reason why an answer does not change the protocol.
  package struct Refusal: Error, Hashable, Sendable {
    /// The status of the answer, 101 when a field of it is wrong; `nil` when the answer is not HTTP.
    package let status: Int?
    /// One sentence that begins with a small letter: what the server did.
    package let message: String
  }

  /// An answer with status 101.
  package struct Answer: Sendable {
    /// The header fields of the answer.
    package let fields: HTTPFields
    /// The number of bytes of the head. What follows belongs to the other protocol.
    package let byteCount: Int
  }

  /// The most bytes of the head of an answer.
  package static let headBytes = 16 << 10

  private let lines: [String]
  private let name: String

  /// - Parameters:
  ///   - target: path and query as they are sent; begins with "/".
  ///   - host: host and port, as a URL has them.
  ///   - fields: `Upgrade`, `Connection` and more, which hold no line ends. `Host` and fields about a body are left out.
  ///   - name: the other protocol as sentences name it, for example "WebSocket".
  package init(target: String, host: String, fields: HTTPFields, name: String) {
    let own = ["host", "content-length", "transfer-encoding"]
    lines =
      ["GET \(target) HTTP/1.1", "Host: \(host)"]
      + fields.all.filter { !own.contains($0.name.lowercased()) }.map { "\($0.name): \($0.value)" }
    self.name = name
  }

  /// The bytes to send.
  package var head: [UInt8] { Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) }

  /// Reads the answer, of which all bytes so far are given.
  ///
  /// - Returns: the answer; `nil` when its head is not complete.
  /// - Throws: `Refusal` when the server does not change the protocol.
  package func answer(in bytes: [UInt8]) throws(Refusal) -> Answer? {
    let end: [UInt8] = [13, 10, 13, 10]
    let head = bytes.prefix(Self.headBytes)
    guard let place = head.indices.first(where: { head[$0...].starts(with: end) }) else {
      if bytes.count >= Self.headBytes { throw Refusal(status: nil, message: "sent a header without end") }
      if !head.starts(with: "HTTP/1.1 ".utf8.prefix(head.count)) { throw Self.noHTTP }
      return nil
    }
    guard let text = String(validating: bytes[..<place], as: UTF8.self) else { throw Self.noHTTP }
    let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
    return Answer(fields: try read(lines), byteCount: place + end.count)
  }

  private static let noHTTP = Refusal(status: nil, message: "does not speak HTTP/1.1")

  private func read(_ lines: [Substring]) throws(Refusal) -> HTTPFields {
    let first = lines.first?.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false) ?? []
    guard first.count >= 2, first[0] == "HTTP/1.1", first[1].utf8.count == 3, let status = Int(first[1]), status >= 100
    else { throw Self.noHTTP }
    guard status == 101 else {
      throw Refusal(status: status, message: "answered with status \(status), not with a \(name)")
    }
    var fields = HTTPFields()
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, FieldSyntax.isToken(parts[0]) else {
        throw Refusal(status: 101, message: "sent the field \"\(line.shownInMessage())\", which is none")
      }
      fields.append(String(parts[0]), FieldSyntax.trimmed(parts[1]))
    }
    return fields
  }
}
