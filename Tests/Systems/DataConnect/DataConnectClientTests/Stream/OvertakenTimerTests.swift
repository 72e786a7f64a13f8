import DataConnectClient
import EventLoop
import JSON
import Synchronization
import TestSupport
import Testing
import Time

/// Times of a stream that another one has taken the place of.
@Suite(.timeLimit(.minutes(1)))
struct `A time of a stream that was overtaken` {
  /// The half minutes after which connections look at their tokens: each passes when the test says so.
  private final class HalfMinutes: Sendable {
    private let gates = Mutex<[Signal]>([])

    var count: Int { gates.withLock { $0.count } }

    func sleep(_ duration: Duration) async throws {
      if duration == .seconds(30) {
        let gate = Signal()
        gates.withLock { $0.append(gate) }
        try await gate.wait(past: 0)
      } else if duration > .seconds(10) {
        try await never()
      }
    }

    func pass(_ index: Int) { gates.withLock { $0[index] }.send() }

    func wait(for count: Int) async { while self.count < count { await Task.yield() } }
  }

  @Test func `does nothing, and the one in its place does`() async throws {
    let times = HalfMinutes()
    let (sockets, opened) = AsyncStream<FakeSocket>.makeStream()
    var configuration = DataConnectClient.Configuration(http: .patient)
    // Another time than the half minutes.
    configuration.limits.timeout = .seconds(50)
    configuration.clock = WallClock(
      now: { UnixTime(seconds: 1_000) }, sleep: { try await times.sleep($0) }, random: { 0.5 })
    configuration.openStream = { (_, _) throws(StreamRefusal) in
      let socket = FakeSocket()
      opened.yield(socket)
      return socket
    }
    let client = DataConnectClient(configuration)
    let list = DataOperation("listMovies", kind: .query)
    try await client.running {
      let answers = client.subscribe(DataOperation("getMovie", kind: .query))
      let first = try #require(await sockets.first { _ in true })
      _ = await first.frame()
      await times.wait(for: 1)
      first.close()
      let second = try #require(await sockets.first { _ in true })
      let request = await second.frame()["requestId"]
      await times.wait(for: 2)
      // That of the first connection passes now, when there is another connection.
      times.pass(0)
      for number in 0..<20 {
        async let other = client.execute(list, at: .test(port: 1))
        second.answer(await second.frame()["requestId"], ["n": JSONValue(number)])
        try await #expect(other.data == ["n": JSONValue(number)])
      }
      #expect(times.count == 2)
      // That of the second one begins the next.
      times.pass(1)
      await times.wait(for: 3)
      second.answer(request, ["n": 1])
      try await #expect(answers.next()?.data == ["n": 1])
    }
  }
}
