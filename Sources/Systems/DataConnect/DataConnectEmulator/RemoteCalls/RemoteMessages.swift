import EventLoop
import GRPC
import HTTP2
import HTTPServer

/// The messages of a call, within the room for bodies that all requests share.
struct RemoteMessages {
  private let stream: HTTP2Stream
  private let budget: ByteBudget
  private let loop: EventLoop
  /// How long a message may take from its beginning to its end.
  private let limit: Duration
  /// Whether the client may take its time before a message begins.
  private let isStream: Bool
  private var reader: GRPCMessageReader
  private var held = 0

  init(_ call: RemoteCall, isStream: Bool) {
    stream = call.stream
    budget = call.admission.bodies
    loop = call.loop
    limit = call.emulator.options.remoteMessageLimit
    self.isStream = isStream
    reader = GRPCMessageReader(limit: call.emulator.options.maximumBodyBytes)
  }

  /// The next message; nil behind the last. On the loop's thread.
  mutating func next() async throws(GRPCStatus) -> [UInt8]? {
    var begun: UInt64? = isStream && reader.byteCount == 0 ? nil : loop.now
    while true {
      if let message = try reader.next() {
        release()
        return message
      }
      guard let bytes = try await read(since: begun) else {
        if reader.byteCount > 0 { throw GRPCStatus(.internal, "The call ends within a message.") }
        return nil
      }
      begun = begun ?? loop.now
      reader.append(bytes)
      guard budget.take(bytes.count) else {
        throw GRPCStatus(.resourceExhausted, "The server has no room for the message now.")
      }
      held += bytes.count
    }
  }

  private func read(since begun: UInt64?) async throws(GRPCStatus) -> [UInt8]? {
    do {
      guard let begun else { return try await stream.read() }
      let passed = Duration.nanoseconds(Int64(clamping: loop.now &- begun))
      return try await withTimeLimit(limit - passed, on: loop) { try await stream.read() }
    } catch let error as HTTP2Failure {
      throw GRPCStatus(error.kind == .stopping ? .unavailable : .cancelled, error.description)
    } catch {
      throw GRPCStatus(.deadlineExceeded, "The message did not come within \(limit).")
    }
  }

  /// Gives the room back.
  mutating func release() {
    budget.give(held)
    held = 0
  }
}
