/// A connection whose bytes have all come already, without a socket: for tests and fuzzing.
package enum HTTP2Replay {
  /// Serves what a client has sent.
  ///
  /// - Parameters:
  ///   - bytes: the preface of the client, and its frames.
  ///   - step: how many of them come at once, from 1.
  ///   - answer: answers a request at once, as far as its body has come.
  /// - Returns: the requests, what the server has sent, and whether it has ended the connection.
  package static func run(
    _ bytes: [UInt8], by step: Int, limits: HTTP2Limits = HTTP2Limits(), _ answer: (HTTP2Stream) -> Void
  ) -> (requests: [HTTP2Request], sent: [UInt8], isOver: Bool) {
    let mailbox = HTTP2Mailbox()
    var (requests, sent): ([HTTP2Request], [UInt8]) = ([], [])
    guard let session = try? HTTP2Session(limits: limits, mailbox: mailbox, at: 0) else { return ([], [], true) }
    var rest = bytes[...]
    while !rest.isEmpty, !session.isOver {
      unsafe rest.prefix(step).withUnsafeBytes { unsafe session.receive($0) }
      rest = rest.dropFirst(step)
      for stream in mailbox.takeOpened() {
        requests.append(stream.request)
        answer(stream)
        mailbox.returned()
      }
      for stream in mailbox.takeNews().changed { session.attend(stream) }
      session.write(into: &sent, atMost: .max)
    }
    defer { session.endAll(HTTP2Failure(.lost, "The bytes are at their end.")) }
    return (requests, sent, session.isOver)
  }
}
