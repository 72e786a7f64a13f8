import EventLoop
import JSON
import Synchronization
import Testing

@testable import JSONRPC

/// Answers every request with a stream, which the work fills.
private final class Filler: MessageHandler {
  typealias Work = @Sendable (OutgoingStream) async throws -> Void

  private let work: Work
  let hasEnded = Mutex(false)

  init(_ work: @escaping Work) { self.work = work }

  func accept(
    _ message: borrowing IncomingMessage, on connection: Connection
  ) throws(ErrorObject) -> MessageWork? {
    let stream = try connection.openStream()
    return MessageWork { [self] in
      Reply.encoding(stream.id).filling(stream) { [self] in
        defer { hasEnded.withLock { $0 = true } }
        try await work(stream)
      }
    }
  }
}

/// Runs the body with the stream that the filler answers with.
private func withFilled(
  by filler: Filler, _ body: @Sendable (IncomingStream) async throws -> Void
) async throws {
  let loop = EventLoop.onThread(name: "test")
  defer { loop.stop() }
  let (left, right) = Connection.pair(on: loop)
  try await withThrowingTaskGroup(of: Void.self) { group in
    group.addTask { _ = await left.run(handler: NoHandler()) }
    group.addTask { _ = await right.run(handler: filler) }
    let outcome: Result<Void, any Error>
    do {
      let id = try await left.call("fill", JSONValue.object([:]), returning: String.self, deadline: .seconds(50))
      outcome = .success(try await body(left.incomingStream(id)))
    } catch {
      outcome = .failure(error)
    }
    await left.close(.finished)
    await right.close(.finished)
    try outcome.get()
  }
  await left.closeDescriptors()
  await right.closeDescriptors()
}

/// Answers with a stream when the receiver has dropped it, and says what it does.
private final class Late: MessageHandler {
  let said = Mutex<[String]>([])
  let gate = Gate()

  private func say(_ word: String) { said.withLock { $0.append(word) } }

  func accept(
    _ message: borrowing IncomingMessage, on connection: Connection
  ) throws(ErrorObject) -> MessageWork? {
    let isDropped = message.method == "dropped"
    let stream = try connection.openStream()
    say("open")
    return MessageWork { [self] in
      while isDropped, !connection.streams.withLock({ $0.isOver(stream.id) }), !Task.isCancelled { await Task.yield() }
      return Reply.encoding(stream.id).afterwards { [self] in say("after") }
        .filling(stream) { [self] in
          if isDropped { try? await gate.wait() }
          say(Task.isCancelled ? "cancelled" : "work")
        }
        .enclosing { [self] work in
          say("begin")
          try await work()
          say("end")
        }
    }
  }
}

@Suite(.timeLimit(.minutes(1))) struct `The work that fills a stream` {
  private func withLate(_ body: @Sendable (_ caller: Connection, _ late: Late) async throws -> Void) async throws {
    let loop = EventLoop.onThread(name: "test")
    defer { loop.stop() }
    let (left, right) = Connection.pair(on: loop)
    let late = Late()
    async let near = left.run(handler: NoHandler())
    async let far = right.run(handler: late)
    let outcome: Result<Void, any Error>
    do { outcome = .success(try await body(left, late)) } catch { outcome = .failure(error) }
    await left.close(.finished)
    await right.close(.finished)
    _ = await (near, far)
    await left.closeDescriptors()
    await right.closeDescriptors()
    try outcome.get()
  }

  @Test func `is cancelled from the beginning when the receiver has dropped the stream before`() async throws {
    try await withLate { caller, late in
      async let id = caller.call("dropped", JSONValue.object([:]), returning: String.self, deadline: .seconds(50))
      await until { late.said.withLock { $0 } == ["open"] }
      try caller.incomingStream("s1").drop()
      #expect(try await id == "s1")
      await until { late.said.withLock { $0.count } == 5 }
      #expect(late.said.withLock { $0 } == ["open", "after", "begin", "cancelled", "end"])
    }
  }

  @Test func `is done inside of what is around it, after what is to be done afterwards`() async throws {
    try await withLate { caller, late in
      for id in ["s1", "s2"] {
        late.said.withLock { $0 = [] }
        let found = try await caller.call("kept", JSONValue.object([:]), returning: String.self, deadline: .seconds(50))
        #expect(found == id)
        #expect(try await caller.incomingStream(found).bytes(atMost: 1) == [])
        #expect(late.said.withLock { $0 } == ["open", "after", "begin", "work", "end"])
      }
    }
  }
}

@Suite(.timeLimit(.minutes(1))) struct `A stream that an answer names` {
  @Test func `ends well with the work that fills it`() async throws {
    try await withFilled(by: Filler { try await $0.send([1, 2, 3]) }) { stream in
      let bytes = try await stream.bytes(atMost: 10)
      #expect(bytes == [1, 2, 3])
    }
  }

  @Test func `ends with the error of the work, after what was sent`() async throws {
    let torn = ErrorObject(code: 7, message: "Torn.")
    let filler = Filler {
      try await $0.send([1])
      throw torn
    }
    try await withFilled(by: filler) { stream in
      var iterator = stream.makeAsyncIterator()
      let first = try await iterator.next()
      #expect(first == .bytes([1]))
      await #expect(throws: torn) { try await iterator.next() }
    }
  }

  @Test func `takes its work with it when the reader drops it`() async throws {
    let gate = Gate()
    let filler = Filler { _ in try await gate.wait() }
    try await withFilled(by: filler) { stream in
      stream.drop()
      await until { filler.hasEnded.withLock { $0 } }
    }
  }

  @Test func `keeps its work while the reader grants more`() async throws {
    let gate = Gate()
    let filler = Filler {
      try await $0.send([1])
      try await gate.wait()
      try await $0.send([2])
    }
    try await withFilled(by: filler) { stream in
      var iterator = stream.makeAsyncIterator()
      // The first byte came because credit was granted, which is a message of the stream as a drop is one.
      let first = try await iterator.next()
      #expect(first == .bytes([1]))
      await until { gate.count == 1 || filler.hasEnded.withLock { $0 } }
      gate.open()
      let second = try await iterator.next()
      #expect(second == .bytes([2]))
    }
  }

  @Test func `takes its work with it when the connection ends`() async throws {
    let gate = Gate()
    let filler = Filler { _ in try await gate.wait() }
    try await withFilled(by: filler) { _ in }
    #expect(filler.hasEnded.withLock { $0 })
  }
}
