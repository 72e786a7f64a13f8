/// A response that goes on after its header: a stream or a socket.
protocol LastingResponse: AnyObject, Sendable {
  /// Runs what the handler wants to do meanwhile, and returns when both that and the response have ended. It is
  /// cancelled when the response ends first. Called once, after the response was handed over.
  func run() async

  /// The server ends: so does the response, in order. May be called at any time, more than once.
  func stop()

  /// Whether it has taken the connection over from the library, and leaves the table by itself.
  var hasConnection: Bool { get }

  /// The connection has ended, or nothing of the response was sent. May be called at any time, more than once.
  func abandon()
}

/// A lasting response as a part of a value that can be compared: it is like itself only.
struct LastingPart: Sendable, Equatable {
  let response: any LastingResponse

  static func == (one: LastingPart, other: LastingPart) -> Bool { one.response === other.response }
}
