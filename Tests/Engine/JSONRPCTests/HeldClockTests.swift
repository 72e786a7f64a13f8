import EventLoop
import JSON
import Synchronization
import Testing

@testable import JSONRPC

@Suite(.timeLimit(.minutes(1))) struct `The clock of deadlines` {
  @Test func `stands still while it is held, however often`() {
    var clock = HeldClock()
    #expect(clock.time(at: 100) == 100)
    clock.hold(at: 100)
    clock.hold(at: 150)
    #expect(clock.time(at: 200) == 100 && clock.isHeld)
    clock.release(at: 250)
    #expect(clock.time(at: 300) == 100)
    clock.release(at: 400)
    #expect(clock.time(at: 450) == 150 && !clock.isHeld && clock.due(150) == 450)
    clock.hold(at: 500)
    clock.release(at: 600)
    #expect(clock.time(at: 700) == 300)
  }

  @Test func `shows no time that has not been, where its own comes from another thread`() {
    var clock = HeldClock()
    clock.hold(at: 100)
    #expect(clock.time(at: 90) == 90 && clock.time(at: 100) == 100 && clock.time(at: 101) == 100)
    clock.release(at: 90)
    #expect(!clock.isHeld && clock.time(at: 120) == 120 && clock.due(120) == 120)
    clock.hold(at: 200)
    clock.release(at: 201)
    #expect(clock.time(at: 301) == 300 && clock.due(300) == 301)
  }

  @Test func `lets no call come due while it is held, and the rest of its time after`() async throws {
    try await withPair { client, peer in
      client.holdDeadlines()
      let late = Task {
        try await client.call("stubborn", Text(text: ""), returning: JSONValue.self, deadline: .milliseconds(20))
      }
      await until { peer.gate.count == 1 }
      // Far more than the deadline of the call that waits, in answers of others.
      let end = ContinuousClock.now + .milliseconds(100)
      while ContinuousClock.now < end {
        try await #expect(client.call("number", [3], returning: Int.self, deadline: .seconds(5)) == 3)
      }
      #expect(client.oldestCall != nil)
      client.releaseDeadlines()
      let error = await #expect(throws: ErrorObject.self) { try await late.value }
      #expect(error?.code == ErrorObject.deadlineExceededCode)
      peer.gate.open()
    }
  }

  @Test func `lets each call come due at its own time, and then none`() async throws {
    try await withPair { client, peer in
      for _ in 0..<2 {
        let calls = [30, 10, 60].map { milliseconds in
          Task {
            try await client.call(
              "stubborn", Text(text: ""), returning: JSONValue.self, deadline: .milliseconds(milliseconds))
          }
        }
        for call in calls {
          let error = await #expect(throws: ErrorObject.self) { try await call.value }
          #expect(error?.code == ErrorObject.deadlineExceededCode)
        }
        // No timer is left for what is over.
        await until { client.shared.withLock { $0.armedFor } == .max }
        #expect(await client.timers.calls == nil)
      }
      peer.gate.open()
    }
  }
}
