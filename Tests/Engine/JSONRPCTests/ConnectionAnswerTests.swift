import EventLoop
import JSON
import Synchronization
import Testing

@testable import JSONRPC

/// Answers in the ways in which a handler can.
private final class Answerer: MessageHandler {
  let events = Mutex<[WireEvent]>([])
  let done = Mutex<[String]>([])
  private let kept = Reply.encoding(7)

  func accept(
    _ message: borrowing IncomingMessage, on connection: Connection
  ) throws(ErrorObject) -> MessageWork? {
    switch message.method {
    // A text whose frame, with an id of one digit, has so many bytes: 37 are around it.
    case "long":
      let count = try message.params.decode([Int].self)[0]
      return MessageWork { Reply.encoding(String(repeating: "x", count: count - 37)) }
    case "null": return MessageWork { .null }
    case "kept": return MessageWork { [kept] in kept }
    case "nan": return MessageWork { Reply.encoding([Double.nan]) }
    case "after":
      return MessageWork { [self] in
        Reply.encoding(1).afterwards { self.done.withLock { $0.append("after") } }
          .enclosing { _ in self.done.withLock { $0.append("around") } }
      }
    case "value":
      let value = try message.params.value()
      return MessageWork { Reply.encoding(value.map { [$0] } ?? []) }
    default: throw .methodNotFound(message.method)
    }
  }

  func report(_ event: WireEvent, on connection: Connection) { events.withLock { $0.append(event) } }
}

@Suite(.timeLimit(.minutes(1))) struct `An answer` {
  /// What a connection sends for some requests that come together, line by line; and why it ended.
  private func answers(
    to requests: [(method: String, params: String?)], of handler: Answerer, _ configuration: Connection.Configuration,
    hangsUp: Bool = true
  ) async throws -> (lines: [String], reason: CloseReason) {
    let loop = EventLoop.onThread(name: "test")
    defer { loop.stop() }
    let (near, far) = try Pipes.crossed()
    var text = ""
    for (id, request) in requests.enumerated() {
      let params = request.params.map { #","params":\#($0)"# } ?? ""
      text += #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(request.method)"\#(params)}"# + "\n"
    }
    far.write(text)
    if hangsUp { far.closeOutput() }
    let reason = await Connection(
      on: loop, input: near.input, output: near.output, configuration: configuration
    ).run(handler: handler)
    let lines = far.read().split(separator: "\n").map(String.init)
    if !hangsUp { far.closeOutput() }
    far.closeInput()
    near.closeBoth()
    return (lines, reason)
  }

  private static func code(_ line: String) throws -> JSONValue? { try JSONValue(parsing: line)["error"]?["code"] }

  @Test func `may have as many bytes as a message, and is replaced when it has one more`() async throws {
    let handler = Answerer()
    let (lines, reason) = try await answers(
      to: [("long", "[200]"), ("long", "[201]"), ("long", "[200]")], of: handler, .init(maximumFrameBytes: 200))
    #expect(lines.map { $0.utf8.count + 1 == 200 } == [true, false, true] && reason == .peerClosed)
    #expect(
      lines.count == 3
        && lines[1]
          == #"{"jsonrpc":"2.0","id":1,"error":{"code":-32004,"message":"The result of 201 bytes is over 200."}}"#
    )
    let error = ErrorObject.frameTooLarge("The result of 201 bytes is over 200.")
    #expect(handler.events.withLock { $0 } == [.answerReplaced(.number(1), error)])
  }

  @Test func `is replaced when those before it have not been read, beyond both limits`() async throws {
    // All are made in one turn of the loop, before any is sent.
    let configuration = Connection.Configuration(maximumFrameBytes: 500, maximumOutgoingBytes: 1_000)
    let handler = Answerer()
    let (lines, reason) = try await answers(
      to: [("long", "[500]"), ("long", "[500]"), ("long", "[400]"), ("long", "[101]")], of: handler, configuration)
    #expect(lines.count == 4 && reason == .peerClosed)
    #expect(try lines.map { try Self.code($0) } == [nil, nil, nil, -32005])
    let error = ErrorObject.queueFull("The answers before this one have not been read.")
    #expect(handler.events.withLock { $0 } == [.answerReplaced(.number(3), error)])
    let (fits, _) = try await answers(
      to: [("long", "[500]"), ("long", "[500]"), ("long", "[400]"), ("long", "[100]")], of: Answerer(), configuration)
    #expect(try fits.map { try Self.code($0) } == [nil, nil, nil, nil])
  }

  @Test func `is the last when errors in place of answers pile up, too`() async throws {
    let requests = [(method: String, params: String?)](repeating: ("long", "[201]"), count: 40)
    let (lines, reason) = try await answers(
      to: requests, of: Answerer(), .init(maximumFrameBytes: 200, maximumOutgoingBytes: 1_000), hangsUp: false)
    #expect(reason == .outgoingQueueFull(limit: 1_000) && lines.isEmpty)
    // So many are within the limits: an error has less than 100 bytes.
    let (few, end) = try await answers(
      to: Array(requests.prefix(14)), of: Answerer(), .init(maximumFrameBytes: 200, maximumOutgoingBytes: 1_000))
    #expect(few.count == 14 && end == .peerClosed)
  }

  @Test func `is null, or an error where it cannot be written, or was given before`() async throws {
    let (lines, _) = try await answers(
      to: [("null", nil), ("nan", nil), ("kept", nil), ("kept", nil), ("value", nil), ("value", "[1]")],
      of: Answerer(), .init())
    try #require(lines.count == 6)
    #expect(lines[0] == #"{"jsonrpc":"2.0","id":0,"result":null}"#)
    #expect(try Self.code(lines[1]) == -32008)
    #expect(lines[2] == #"{"jsonrpc":"2.0","id":2,"result":7}"#)
    #expect(
      lines[3] == #"{"jsonrpc":"2.0","id":3,"error":{"code":-32603,"message":"A reply was given twice."}}"#)
    #expect(lines[4] == #"{"jsonrpc":"2.0","id":4,"result":[]}"#)
    #expect(lines[5] == #"{"jsonrpc":"2.0","id":5,"result":[[1]]}"#)
  }

  @Test func `is followed by what is to be done afterwards, and nothing is around a stream that is not there`()
    async throws
  {
    let handler = Answerer()
    let (lines, _) = try await answers(to: [("after", nil), ("after", nil)], of: handler, .init())
    #expect(lines.count == 2 && handler.done.withLock { $0 } == ["after", "after"])
    #expect(!Reply.empty.hasMore && Reply.null.afterwards {}.hasMore)
  }
}

@Suite(.timeLimit(.minutes(1))) struct `A message that a peer begins while it is not read` {
  private static let limit = NotificationLimit(perSecond: 10, burst: 1, grace: .seconds(300))
  private static let note = #"{"jsonrpc":"2.0","method":"note","params":[1]}"# + "\n"
  private static let request = #"{"jsonrpc":"2.0","id":1,"method":"number","params":[4]}"# + "\n"

  @Test func `has its whole time from when it is read again`() async throws {
    try await RawPeer.with(.init(notifications: Self.limit)) { peer in
      await peer.send(String(repeating: Self.note, count: 20) + Self.request.prefix(9))
      while await !peer.connection.isResting { await Task.yield() }
      let began = try #require(await peer.connection.timers.partialSince)
      while await peer.connection.isResting { await Task.yield() }
      let goesOn = try #require(await peer.connection.timers.partialSince)
      // Nineteen notifications too many, at ten a second.
      #expect(goesOn >= began + 1_900_000_000)
      await peer.send(String(Self.request.dropFirst(9)))
      #expect(await peer.line() == #"{"jsonrpc":"2.0","id":1,"result":4}"#)
      while await peer.connection.timers.partialSince != nil { await Task.yield() }
    }
  }
}
