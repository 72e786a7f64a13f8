/// A response whose body is read while it comes, by one task. Letting it go before the end ends the exchange.
package final class HTTPStream: Sendable {
  /// Status and header; the body is what ``next()`` gives.
  package let response: HTTPResponse
  private let exchange: StreamedExchange

  init(_ response: HTTPResponse, _ exchange: StreamedExchange) {
    self.response = response
    self.exchange = exchange
  }

  /// The next bytes of the body, decompressed; `nil` at the end. Cancelling the task ends the exchange.
  ///
  /// - Throws: why the body is not whole.
  package func next() async throws(HTTPError) -> [UInt8]? { try await exchange.next() }
}

/// A transfer whose body goes through a pipe. It ends with its last reference.
final class StreamedExchange: Sendable {
  private let engine: TransferEngine
  private let id: UInt64
  private let pipe = BodyPipe()

  /// - Parameter order: what to send; its body comes through the pipe.
  init(_ order: TransferOrder, on engine: TransferEngine) {
    self.engine = engine
    id = engine.nextIdentifier()
    var order = order
    order.pipe = pipe
    engine.submit(id, order) { [pipe] in pipe.finish($0) }
  }

  deinit { engine.cancel(id) }

  func head() async throws(HTTPError) -> HTTPResponse {
    while true {
      if let head = pipe.head { return try head.get() }
      await pipe.wait(forPiece: false) { engine.cancel(id) }
    }
  }

  func next() async throws(HTTPError) -> [UInt8]? {
    while true {
      switch pipe.next() {
      case .piece(let bytes, let hasPaused):
        if hasPaused { engine.resume(id) }
        return bytes
      case .over(let error):
        if let error { throw error }
        return nil
      case .wait: await pipe.wait(forPiece: true) { engine.cancel(id) }
      }
    }
  }
}
