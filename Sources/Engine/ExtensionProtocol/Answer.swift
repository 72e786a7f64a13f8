import JSON
public import JSONRPC

/// The answer to a request, with what is to be done once it is on its way: what a handler returns that has more to do than
/// to give a value back.
///
/// ```swift
/// Handler(answering: Pages.Read.self) { params, caller in
///   let stream = try caller.openStream()
///   return Answer(Pages.Read.Result(stream: stream.id)).filling(stream) {
///     for piece in pieces { try await stream.send(piece) }
///   }
/// }
/// ```
public struct Answer<Result: Codable & Sendable>: Sendable {
  /// The encoded answer, with what follows it.
  package let reply: Reply

  private init(reply: Reply) { self.reply = reply }

  /// An answer with a result. One that cannot be written as JSON is answered with `responseUnserialisable`.
  public init(_ result: Result) { reply = Reply.encoding(result) }

  /// The same answer, and work that begins when it is on its way. It is cancelled when the connection ends.
  public func afterwards(_ work: @escaping @Sendable () async -> Void) -> Answer {
    Answer(reply: reply.afterwards(work))
  }

  /// The same answer, and work that fills a stream when it is on its way, while the receiver reads: the stream ends when
  /// the work does, with the error that it throws, and the work is cancelled when the receiver drops the stream.
  public func filling(
    _ stream: OutgoingStream, _ work: @escaping @Sendable () async throws -> Void
  ) -> Answer {
    Answer(reply: reply.filling(stream, work))
  }

  /// The same answer, with the work that fills its stream inside of something else: of a request of the user's, for
  /// example.
  public func enclosing(
    _ around: @escaping @Sendable (_ work: @escaping @Sendable () async throws -> Void) async throws -> Void
  ) -> Answer {
    Answer(reply: reply.enclosing(around))
  }
}
