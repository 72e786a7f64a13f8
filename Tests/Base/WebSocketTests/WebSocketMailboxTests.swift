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
}
