import JSON

/// The answer to a request, encoded already: by the handler, on the handler's thread.
package struct Reply: Sendable {
  enum Body: Sendable {
    case encoded(EncodedResult)
    case empty
    case null
    case failure(ErrorObject)
  }

  let body: Body
  var afterwards: (@Sendable () async -> Void)?
  var filling: StreamFilling?

  /// Whether something is to be done once the answer is on its way.
  var hasMore: Bool { afterwards != nil || filling != nil }

  /// A reply with the result `{}`.
  package static let empty = Reply(body: .empty)
  /// A reply with the result `null`.
  package static let null = Reply(body: .null)

  /// A result. A value that cannot be written as JSON becomes the error -32008.
  package static func encoding<Value: Encodable & Sendable>(_ value: Value) -> Reply {
    var writer = OutgoingFrame.writer()
    do {
      try JSONCoding.encode(value, to: &writer)
      return Reply(body: .encoded(EncodedResult(writer)))
    } catch {
      return Reply(body: .failure(.responseUnserialisable("The result cannot be written as JSON: \(error)")))
    }
  }

  /// The same answer, and `action` once it is on its way.
  package func afterwards(_ action: @escaping @Sendable () async -> Void) -> Reply {
    var reply = self
    reply.afterwards = action
    return reply
  }

  /// The same answer, and work that fills a stream once it is on its way: the stream ends when the work does, with the
  /// error that it throws, and the work is cancelled when the receiver drops the stream.
  package func filling(_ stream: OutgoingStream, _ work: @escaping @Sendable () async throws -> Void) -> Reply {
    var reply = self
    reply.filling = StreamFilling(stream: stream, work: work)
    return reply
  }

  /// The same answer, with the work that fills its stream inside of something else.
  package func enclosing(
    _ around: @escaping @Sendable (_ work: @escaping @Sendable () async throws -> Void) async throws -> Void
  ) -> Reply {
    guard let filling else { return self }
    let work = filling.work
    return self.filling(filling.stream) { try await around(work) }
  }
}

/// Work that fills a stream.
struct StreamFilling: Sendable {
  let stream: OutgoingStream
  let work: @Sendable () async throws -> Void
}

/// A result as JSON text, to be sent once: the frame it is sent in, written as far as its value.
///
/// `@unchecked Sendable`, because: the handler that made it gives it away, and `completed` is called on the loop.
struct EncodedResult: @unchecked Sendable {
  private let frame: OutgoingFrame

  init(_ writer: consuming JSONWriter) { frame = OutgoingFrame(writer) }

  /// The whole frame; a reply that is sent a second time has none.
  func completed(for id: RequestID, _ framing: Framing) -> OutgoingFrame? {
    frame.becomeResult(id, framing) ? frame : nil
  }
}
