import Synchronization
import Testing

@testable import WebSocket

@Suite(.timeLimit(.minutes(1))) struct `The mailbox of a WebSocket` {
  private func mailbox(queued: Int = 20, received: Int = 200) -> WebSocketMailbox {
    var limits = WebSocketLimits()
    (limits.queuedBytes, limits.receivedBytes) = (queued, received)
    return WebSocketMailbox(role: .server, limits: limits)
  }

  /// A message whose frame has so many bytes.
  private func message(_ bytes: Int) -> WebSocketMessage { .binary([UInt8](repeating: 1, count: bytes - 2)) }

  @Test func `takes frames up to its limit exactly, again when they were sent, and one that is larger alone`() {
    let mailbox = mailbox()
    for _ in 0..<3 {
      #expect(mailbox.offer(message(10)) && mailbox.offer(message(10)))
      #expect(mailbox.queuedBytes == 20 && !mailbox.offer(message(2)))
      #expect(mailbox.takeNews().frames.map(\.count) == [10, 10])
      #expect(!mailbox.sent(20))
    }
    #expect(mailbox.offer(message(100)) && !mailbox.offer(message(2)))
    #expect(!mailbox.sent(100))
    #expect(mailbox.offer(message(10)) && !mailbox.offer(message(11)) && mailbox.offer(message(10)))
  }

  @Test func `is full of bytes, or of empty messages, until they are taken, and then again`() async throws {
    let mailbox = mailbox(received: 200)
    for _ in 0..<3 {
      for _ in 0..<3 {
        mailbox.deliver(.text(""))
        #expect(!mailbox.pausesReading())
      }
      mailbox.deliver(.text(""))
      #expect(mailbox.pausesReading())
      for _ in 0..<4 { #expect(try await mailbox.receive() == .text("")) }
      mailbox.deliver(.binary([UInt8](repeating: 1, count: 135)))
      #expect(!mailbox.pausesReading())
      _ = try await mailbox.receive()
      mailbox.deliver(.text(String(repeating: "é", count: 68)))
      #expect(mailbox.pausesReading())
      _ = try await mailbox.receive()
      #expect(!mailbox.pausesReading())
    }
  }

  @Test func `takes nothing once it is being closed, and gives what came before`() async throws {
    let mailbox = mailbox()
    mailbox.deliver(.text("a"))
    mailbox.close(code: 1000, reason: "enough")
    mailbox.close(code: 1001, reason: "again")
    #expect(!mailbox.offer(message(2)))
    #expect(mailbox.takeNews().closeWish?.code == 1000)
    await #expect(throws: WebSocketError.self) { try await mailbox.send(message(2)) }
    mailbox.finish(WebSocketError(.closed, code: 1000, "It was closed."))
    #expect(try await mailbox.receive() == .text("a"))
    #expect(try await mailbox.receive() == nil)
    #expect(try await mailbox.receive() == nil)
    await mailbox.waitUntilOver()
  }

  /// How often the loop was told that something is new.
  private final class Told: Sendable {
    let count = Mutex(0)
    func add() { count.withLock { $0 += 1 } }
    var times: Int { count.withLock { $0 } }
  }

  @Test func `tells the loop once of what is new, until the loop has looked`() async throws {
    let (mailbox, told) = (mailbox(received: 64), Told())
    mailbox.attach { told.add() }
    for round in 1...3 {
      #expect(mailbox.offer(message(4)) && mailbox.offer(message(4)) && told.times == round)
      try await mailbox.send(message(4))
      #expect(told.times == round)
      #expect(mailbox.takeNews().frames.count == 3 && mailbox.takeNews().frames.isEmpty)
      _ = mailbox.sent(12)
    }
    // What is received is news only where the loop has stopped reading.
    mailbox.deliver(.text(""))
    _ = try await mailbox.receive()
    #expect(told.times == 3)
    for round in 4...5 {
      for _ in 0..<2 { mailbox.deliver(.text("")) }
      #expect(mailbox.pausesReading())
      _ = try await mailbox.receive()
      #expect(told.times == round - 1, "there is too much still")
      _ = try await mailbox.receive()
      #expect(told.times == round && !mailbox.pausesReading())
      _ = mailbox.takeNews()
    }
    mailbox.close(code: 1005, reason: "")
    #expect(told.times == 6 && mailbox.takeNews().closeWish?.code == 1000)
    mailbox.finish(WebSocketError(.lost, "It was lost."))
    mailbox.close(code: 1001, reason: "")
    #expect(told.times == 6 && mailbox.takeNews().closeWish?.code == 1000 && mailbox.queuedBytes == 0)
  }

  @Test func `lets those who wait send in their order, as many as fit`() async throws {
    let mailbox = mailbox(queued: 20)
    #expect(mailbox.offer(message(15)))
    let (ends, ended) = AsyncStream.makeStream(of: Int.self)
    // Each task runs until it waits.
    for (number, size) in [8, 12, 5].enumerated() {
      _ = Task.immediate {
        try await mailbox.send(message(size))
        ended.yield(number)
      }
    }
    var order = ends.makeAsyncIterator()
    // There would be room.
    #expect(!mailbox.offer(message(3)) && mailbox.queuedBytes == 15)
    #expect(!mailbox.sent(2) && mailbox.queuedBytes == 13)
    #expect(mailbox.sent(1) && mailbox.queuedBytes == 20)
    #expect(await order.next() == 0)
    #expect(!mailbox.offer(message(2)))
    #expect(!mailbox.sent(11) && mailbox.sent(1) && mailbox.queuedBytes == 20)
    #expect(await order.next() == 1)
    #expect(mailbox.sent(20) && mailbox.queuedBytes == 5)
    #expect(await order.next() == 2)
    #expect(mailbox.takeNews().frames.map(\.count) == [15, 8, 12, 5])
    #expect(mailbox.offer(message(15)) && !mailbox.sent(5))
  }

  @Test func `lets a task go that is cancelled, and sends nothing of it`() async throws {
    let mailbox = mailbox(queued: 20)
    #expect(mailbox.offer(message(20)))
    let first = Task.immediate { try await mailbox.send(message(7)) }
    let second = Task.immediate { try await mailbox.send(message(9)) }
    first.cancel()
    let error = await #expect(throws: WebSocketError.self) { try await first.value }
    #expect(error?.kind == .cancelled)
    #expect(mailbox.sent(20))
    try await second.value
    #expect(mailbox.takeNews().frames.map(\.count) == [20, 9])
    for _ in 0..<2 {
      let receiving = Task.immediate { try await mailbox.receive() }
      receiving.cancel()
      let error = await #expect(throws: WebSocketError.self) { try await receiving.value }
      #expect(error?.kind == .cancelled)
    }
    let next = Task.immediate { try await mailbox.receive() }
    mailbox.deliver(.text("next"))
    #expect(try await next.value == .text("next"))
  }

  @Test func `ends everybody who waits when it is closed, or over`() async throws {
    for isClosed in [true, false] {
      let mailbox = mailbox(queued: 10)
      #expect(mailbox.offer(message(10)))
      let sending = Task.immediate { try await mailbox.send(message(9)) }
      let receiving = Task.immediate { try await mailbox.receive() }
      let ending = Task.immediate { await mailbox.waitUntilOver() }
      let lost = WebSocketError(.lost, "It was lost.")
      if isClosed { mailbox.close(code: 4000, reason: "") } else { mailbox.finish(lost) }
      let error = await #expect(throws: WebSocketError.self) { try await sending.value }
      #expect(error == (isClosed ? WebSocketError(.closed, code: 4000, "The WebSocket is being closed.") : lost))
      if isClosed {
        // What was sent before goes out, and what comes is received.
        #expect(mailbox.takeNews().frames.count == 1 && mailbox.end == nil)
        mailbox.deliver(.text("late"))
        #expect(try await receiving.value == .text("late"))
        mailbox.finish(lost)
      } else {
        let error = await #expect(throws: WebSocketError.self) { try await receiving.value }
        #expect(error == lost && mailbox.takeNews().frames.isEmpty)
      }
      await ending.value
      #expect(mailbox.end == lost && mailbox.queuedBytes == 0 && !mailbox.offer(message(2)))
    }
  }
}
