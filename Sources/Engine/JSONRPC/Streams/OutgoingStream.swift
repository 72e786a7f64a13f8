public import JSON
import Text
import EventLoop
import Synchronization

/// A stream to the peer, filled by one task at a time.
///
/// Sending waits while the receiver grants no credit. A stream that is released without ``finish(_:)`` ends with an
/// error.
public final class OutgoingStream: Sendable {
  /// What the peer reads it by.
  public let id: String
  private let connection: Connection

  /// Bytes of one message; base64 makes 64 KiB of them.
  static let pieceBytes = 48 << 10
  /// The largest text of one value.
  static let valueBytes = 64 << 10

  init(id: String, connection: Connection) {
    self.id = id
    self.connection = connection
  }

  deinit { finish(.cancelled("The sender let the stream go.")) }

  private var endpoint: StreamEndpoint { StreamEndpoint(id: id, isOutgoing: true) }

  /// Sends bytes, in as many messages as it takes.
  ///
  /// - Throws: -32009 when the receiver dropped the stream, or what it dropped it with; -32006 when the receiver
  ///   granted nothing for so long; -32001 when the connection ended; -32800 when the task is cancelled.
  public func send(_ bytes: some Collection<UInt8> & Sendable) async throws(ErrorObject) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let wanted = min(rest.count, Self.pieceBytes)
      switch connection.streams.withLock({ $0.take(id, atMost: wanted) }) {
      case .wait: try await connection.waitForStream(endpoint)
      case .over(let end): throw end.error
      case .send(let count, let sequence):
        let piece = Array(rest.prefix(count))
        try await post(
          frame(sequence, capacity: Base64.length(of: count)) { writer in
            writer.raw(",\"data\":")
            unsafe piece.withUnsafeBytes { unsafe writer.base64($0) }
          })
        rest = rest.dropFirst(count)
      }
    }
  }

  /// Sends one value in one message.
  ///
  /// - Throws: as ``send(_:)``; -32004 when the text of the value is over 64 KiB.
  public func send(value: JSONValue) async throws(ErrorObject) {
    let text = JSONCoding.text(of: value)
    let cost = text.utf8.count
    guard cost <= Self.valueBytes else {
      throw .frameTooLarge("A value of \(cost) bytes is over the limit of \(Self.valueBytes) for streams.")
    }
    while true {
      switch connection.streams.withLock({ $0.take(id, whole: cost) }) {
      case .wait: try await connection.waitForStream(endpoint, for: cost)
      case .over(let end): throw end.error
      case .send(_, let sequence):
        return try await post(
          frame(sequence, capacity: cost) { writer in
            writer.raw(",\"value\":")
            writer.value(value)
          })
      }
    }
  }

  /// Ends the stream; the second time nothing happens.
  ///
  /// - Parameter error: why it breaks off; `nil` when everything has been sent.
  public func finish(_ error: ErrorObject? = nil) {
    guard connection.streams.withLock({ $0.finish(id) }) else { return }
    connection.endStream(.end, id, error)
  }

  private func frame(_ sequence: Int64, capacity: Int, _ content: (inout JSONWriter) -> Void) -> OutgoingFrame {
    .stream(.data, id, connection.configuration.framing, capacity: capacity + 256) { writer in
      writer.raw(",\"seq\":")
      writer.integer(sequence)
      content(&writer)
    }
  }

  /// Waits while the outgoing queue is full of other messages.
  private func post(_ frame: OutgoingFrame) async throws(ErrorObject) {
    let step = Duration.milliseconds(5)
    var waited = Duration.zero
    while true {
      do throws(ErrorObject) {
        return try connection.post(frame)
      } catch {
        guard error.code == ErrorObject.queueFullCode, waited < connection.configuration.streamStall else {
          throw error
        }
        do { try await connection.loop.sleep(for: step) } catch { throw .cancelled() }
        waited += step
      }
    }
  }
}
