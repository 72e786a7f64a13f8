internal import Synchronization

/// A request whose bodies go from a file and into a file, without ever being in memory as a whole. Follows no redirect.
/// What comes is stored as it was sent: nothing is decompressed, so that ranges are ranges of the file.
package struct HTTPFileRequest: Sendable {
  /// A part of a file.
  package struct Source: Sendable {
    /// Open for reading, until the exchange is over. Its position is neither used nor moved.
    package let descriptor: Int32
    /// The offset of the first byte.
    package let offset: Int64
    /// The number of bytes.
    package let count: Int64

    /// Creates a source from a descriptor, which the caller keeps open during the exchange.
    package init(descriptor: Int32, offset: Int64 = 0, count: Int64) {
      (self.descriptor, self.offset, self.count) = (descriptor, offset, count)
    }
  }

  /// Where the body of a response goes.
  package enum Target: Sendable, Equatable {
    /// Into a file that is open for writing until the exchange is over, from an offset on.
    case file(descriptor: Int32, offset: Int64)
    /// It is read and thrown away, up to so many bytes.
    case nowhere(limit: Int64)
    /// The exchange ends here.
    case refused
  }

  /// Method, URL and header. Its body and its `takeBody` do not count.
  package var request: HTTPRequest
  /// The part of a file that is sent as the body; `nil` sends none.
  package var source: Source?
  /// Says where the body goes as soon as the header is there. Called once, on the client's thread.
  package var target: @Sendable (HTTPResponse) -> Target
  /// The longest time in which less than a byte a second moves; whole seconds, at least one. `nil` waits without end.
  /// The time that the limit takes does not count.
  package var stall: Duration?
  /// The most bytes that the target's file may have; one more is the error `EDQUOT` of writing. `nil` is no limit.
  package var room: Int64?
  /// How fast the bytes may move, together with those of all other exchanges that have the same limit.
  package var limit: HTTPRateLimit?
  /// Counts the bytes while they move.
  package let progress: HTTPProgress

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - request: the method, URL and header fields.
  ///   - source: the part of a file that is sent as the body.
  ///   - progress: counts the bytes of the exchange.
  ///   - target: called with the response's head; decides what happens to the body.
  package init(
    _ request: HTTPRequest, source: Source? = nil, progress: HTTPProgress = HTTPProgress(),
    target: @escaping @Sendable (HTTPResponse) -> Target
  ) {
    (self.request, self.source, self.progress, self.target) = (request, source, progress, target)
  }
}

/// How much of an exchange has gone by. To be read from anywhere.
package final class HTTPProgress: Sendable {
  private let incoming = Atomic<Int64>(0)
  private let outgoing = Atomic<Int64>(0)

  /// Creates a progress of zero bytes.
  package init() {}

  /// Bytes of the body that were received and stored.
  package var received: Int64 { incoming.load(ordering: .relaxed) }
  /// Bytes of the body that were given to the network.
  package var sent: Int64 { outgoing.load(ordering: .relaxed) }

  func receive(_ count: Int) { incoming.wrappingAdd(Int64(count), ordering: .relaxed) }
  func send(_ count: Int) { outgoing.wrappingAdd(Int64(count), ordering: .relaxed) }
  func sendAgain() { outgoing.store(0, ordering: .relaxed) }
}

/// What became of an exchange with files.
package struct HTTPFileOutcome: Sendable {
  /// How it ended.
  package enum End: Sendable, Equatable {
    /// The response is there, its body as whole as the server said it would be.
    case whole
    /// The caller had no target for the body.
    case refused
    /// The file takes no more; an error number of the system.
    case cannotWrite(Int32)
    case failed(HTTPError)
  }

  /// Status and header; `nil` when there was none.
  package let response: HTTPResponse?
  /// How the exchange ended.
  package let end: End

  /// Creates an outcome; `response` is `nil` when none arrived.
  package init(response: HTTPResponse?, end: End) {
    (self.response, self.end) = (response, end)
  }
}

/// What the thread of the client knows of an exchange with files.
final class FileExchange: Sendable {
  struct State {
    var response: HTTPResponse?
    var target: HTTPFileRequest.Target?
    var writeError: Int32?
  }

  let request: HTTPFileRequest
  private let state = Mutex(State())

  init(_ request: HTTPFileRequest) { self.request = request }

  /// The header is whole: where its body goes. What follows the body is no other header.
  func begin(_ head: HTTPResponse) -> HTTPFileRequest.Target {
    if let target = state.withLock({ $0.target }) { return target }
    let target = request.target(head)
    state.withLock { ($0.response, $0.target) = (head, target) }
    return target
  }

  func fail(writing error: Int32) { state.withLock { $0.writeError = error } }

  func outcome(_ result: Result<HTTPResponse, HTTPError>) -> HTTPFileOutcome {
    let state = state.withLock { $0 }
    let end: HTTPFileOutcome.End =
      switch (result, state.writeError) {
      case (_, let error?): .cannotWrite(error)
      case (.failure, _) where state.target == .refused: .refused
      case (.failure(let error), _): .failed(error)
      case (.success, _): .whole
      }
    var response = state.response
    if response == nil, case .success(let head) = result { response = head }
    return HTTPFileOutcome(response: response, end: end)
  }
}
