/// Another protocol that a server speaks at the same port, known by the first bytes of a connection. Without TLS only.
package struct PriorKnowledge: Sendable {
  /// The most first bytes.
  static let most = 32

  /// What such a connection begins with; no request of HTTP/1 may.
  let firstBytes: [UInt8]
  let begin: @Sendable (UpgradedSocket, ServerAdmission) -> UpgradedWork

  /// - Parameters:
  ///   - firstBytes: 1 to 32 bytes, which stay in the connection.
  ///   - begin: called on the loop's thread: begins to drive the connection on the loop, without waiting, and gives what
  ///     the server does meanwhile.
  package init(
    firstBytes: [UInt8], _ begin: @escaping @Sendable (UpgradedSocket, ServerAdmission) -> UpgradedWork
  ) {
    precondition((1...Self.most).contains(firstBytes.count))
    self.firstBytes = firstBytes
    self.begin = begin
  }

  /// The first bytes of HTTP/2 without TLS (RFC 9113, 3.3 and 3.4).
  package static let http2 = Array("PRI * HTTP/2.0".utf8)
}

/// What a server asks of every request, whatever protocol it comes by.
package struct ServerAdmission: Sendable {
  /// Why a request is not let in.
  package struct Refusal: Sendable, Equatable {
    /// The status that the same request gets over HTTP/1.
    package let status: Int
    /// One sentence.
    package let message: String

    /// Creates a refusal of a protocol's own.
    package init(status: Int, message: String) {
      self.status = status
      self.message = message
    }
  }

  let door: Door
  let names: Set<String>
  /// The room for bodies that all requests of the server share.
  package let bodies: ByteBudget

  /// - Parameter request: its header, with the authority as the field `Host`.
  /// - Returns: nil when it is let in. No web page is told that it may read an answer.
  package func refusal(of request: ServerRequest) -> Refusal? {
    switch door.verdict(of: request, names: names, isSecure: false) {
    case .admitted: nil
    case .answered: Refusal(status: 405, message: "This protocol answers no questions of browsers.")
    case .refused(let status, let message): Refusal(status: status, message: message)
    }
  }
}
