import Synchronization

/// A stream of the peer, to be read once, by one task. Releasing it before its end notifies the sender to stop.
public struct IncomingStream: AsyncSequence, Sendable {
  /// What the stream is made of.
  public typealias Element = StreamChunk
  private let reading: StreamReading

  init(_ reading: StreamReading) { self.reading = reading }

  /// What the sender calls it.
  public var id: String { reading.id }

  /// The one reader of the stream. A second iterator takes pieces away from the first.
  public func makeAsyncIterator() -> Iterator { Iterator(reading: reading) }

  /// Notifies the sender to stop; a second call has no effect.
  ///
  /// - Parameter error: the reason for the sender.
  public func drop(_ error: ErrorObject? = nil) { reading.drop(error) }

  /// All bytes of the stream.
  ///
  /// - Throws: as ``Iterator/next()``; -32004 when there are more than `limit`; -32010 when a value comes.
  public func bytes(atMost limit: Int) async throws(ErrorObject) -> [UInt8] {
    var all: [UInt8] = []
    while let chunk = try await reading.next() {
      guard case .bytes(let bytes) = chunk else {
        throw reading.give(up: .protocolViolation("The stream \(id) has values where bytes were expected."))
      }
      guard all.count + bytes.count <= limit else {
        throw reading.give(up: .frameTooLarge("The stream \(id) is longer than \(limit) bytes."))
      }
      all += bytes
    }
    return all
  }

  /// Takes what comes, one piece after the other.
  public struct Iterator: AsyncIteratorProtocol {
    let reading: StreamReading

    /// Returns the next piece, or `nil` at the end.
    ///
    /// - Throws: the error that the sender ended the stream with; -32006 when the sender was silent for the stall time;
    ///   -32001 when the connection ended; -32010 when the sender broke the rules; -32800 when the task is cancelled.
    ///   The stream has then ended.
    public mutating func next() async throws(ErrorObject) -> StreamChunk? { try await reading.next() }
  }
}

/// The reader's hold on a stream: when the last one is gone, so is the interest.
final class StreamReading: Sendable {
  let id: String
  private let connection: Connection

  init(id: String, connection: Connection) {
    self.id = id
    self.connection = connection
  }

  deinit { drop(nil) }

  func next() async throws(ErrorObject) -> StreamChunk? {
    while true {
      switch connection.streams.withLock({ $0.next(id) }) {
      case .chunk(let chunk, let credit):
        connection.grant(id, credit)
        return chunk
      case .over(.finished): return nil
      case .over(let end): throw end.error
      case .wait:
        do {
          try await connection.waitForStream(StreamEndpoint(id: id, isOutgoing: false))
        } catch {
          throw give(up: error)
        }
      }
    }
  }

  func drop(_ error: ErrorObject?) {
    guard connection.streams.withLock({ $0.drop(id) }) else { return }
    connection.endStream(.drop, id, error)
  }

  func give(up error: ErrorObject) -> ErrorObject {
    drop(error)
    return error
  }
}
