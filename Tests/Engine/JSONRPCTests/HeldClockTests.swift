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

  @Test func `counts every time of a call, also after it was held`() async throws {
    try await RawPeer.with(.init(cancellationGrace: .seconds(50))) { peer in
      let connection = peer.connection
      let lag = connection.loop.time
      connection.shared.withLock { shared in
        shared.clock.hold(at: 0)
        shared.clock.release(at: lag)
      }
      func isDue(within limit: Duration) -> Bool {
        let now = connection.loop.time
        return connection.shared.withLock { shared in
          guard let due = shared.calls.nextDue else { return false }
          return due &- shared.clock.time(at: now) <= limit.wholeNanoseconds
        }
      }
      func answer(_ id: Int) async { await peer.send(#"{"jsonrpc":"2.0","id":\#(id),"result":5}"# + "\n") }

      async let plain = connection.call("a", [1], returning: Int.self, deadline: .seconds(1_000))
      _ = await peer.line()
      #expect(isDue(within: .seconds(1_000)))
      await answer(1)
      #expect(try await plain == 5)

      let watched: [(Int, Duration?)] = [(2, nil), (3, .seconds(500))]
      for (id, hard) in watched {
        async let call = connection.call(
          "a", [1], returning: Int.self, deadline: .seconds(1_000), hardDeadline: hard, onProgress: { _ in })
        _ = await peer.line()
        await peer.notify("$/progress", #"{"token":\#(id),"progress":1}"#)
        try await peer.settle()
        #expect(isDue(within: hard ?? .seconds(1_000)))
        await answer(id)
        #expect(try await call == 5)
      }

      let cancelled = Task { try await connection.call("a", [1], returning: Int.self, deadline: nil) }
      _ = await peer.line()
      cancelled.cancel()
      #expect(await peer.line()?.contains("cancelRequest") == true)
      #expect(isDue(within: .seconds(50)))
      await answer(4)
      await #expect(throws: ErrorObject.cancelled()) { try await cancelled.value }

      // One that comes due does not take the others along.
      async let long = connection.call("a", [1], returning: Int.self, deadline: .nanoseconds(Int64(lag / 2)))
      _ = await peer.line()
      let error = await #expect(throws: ErrorObject.self) {
        try await connection.call("a", [1], returning: Int.self, deadline: .milliseconds(10))
      }
      #expect(error?.code == ErrorObject.deadlineExceededCode && connection.oldestCall == 5)
      await answer(5)
      #expect(try await long == 5)
    }
  }
}
