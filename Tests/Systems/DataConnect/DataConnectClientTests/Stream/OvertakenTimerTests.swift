import DataConnectClient
import EventLoop
import JSON
import Synchronization
import TestSupport
import Testing
import Time

/// The times of one length, each of which passes when the test says so. Other long ones never do.
private final class HeldTimes: Sendable {
  private let length: Duration
  private let gates = Mutex<[Signal]>([])

  init(of length: Duration) { self.length = length }

  var count: Int { gates.withLock { $0.count } }

  func sleep(_ duration: Duration) async throws {
    if duration == length {
      let gate = Signal()
      gates.withLock { $0.append(gate) }
      try await gate.wait(past: 0)
    } else if duration > .seconds(10) {
      try await never()
    }
  }

  func pass(_ index: Int) { gates.withLock { $0[index] }.send() }

  func wait(for count: Int) async { while self.count < count { await Task.yield() } }

  /// A client whose streams these times count for, and the connections that it opens.
  func client() -> (client: DataConnectClient, sockets: AsyncStream<FakeSocket>) {
    let (sockets, opened) = AsyncStream<FakeSocket>.makeStream()
    var configuration = DataConnectClient.Configuration(http: .patient)
    // Another time than the half minutes.
    configuration.limits.timeout = .seconds(50)
    configuration.clock = WallClock(
      now: { UnixTime(seconds: 1_000) }, sleep: { try await self.sleep($0) }, random: { 0.5 })
    configuration.openStream = { (_, _) throws(StreamRefusal) in
      let socket = FakeSocket()
      opened.yield(socket)
      return socket
    }
    return (DataConnectClient(configuration), sockets)
  }
}

private let list = DataOperation("listMovies", kind: .query)

/// Times of a stream that another one has taken the place of.
@Suite(.timeLimit(.minutes(1)))
struct `A time of a stream that was overtaken` {
  @Test func `does nothing, and the one in its place does`() async throws {
    // The half minutes after which connections look at their tokens.
    let times = HeldTimes(of: .seconds(30))
    let (client, sockets) = times.client()
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

/// An operation waits for its answer so long, and no longer.
@Suite(.timeLimit(.minutes(1)))
struct `An operation of a stream that takes too long` {
  @Test func `fails, its late answer is nobody's, and it keeps no place`() async throws {
    let times = HeldTimes(of: .seconds(50))
    let (client, sockets) = times.client()
    try await client.running {
      let answers = client.subscribe(DataOperation("getMovie", kind: .query))
      let socket = try #require(await sockets.first { _ in true })
      let first = await socket.frame()["requestId"]
      // More than a stream carries at one time.
      for number in 0..<40 {
        async let late = failure { try await client.execute(list, at: .test(port: 1)) }
        let request = await socket.frame()["requestId"]
        await times.wait(for: number + 1)
        times.pass(number)
        let end = try await late
        #expect(end.code == .timedOut && end.message == "127.0.0.1:1 did not answer \"listMovies\" in time.")
        socket.answer(request, ["n": 0])
      }
      async let other = client.execute(list, at: .test(port: 1))
      socket.answer(await socket.frame()["requestId"], ["n": 2])
      try await #expect(other.data == ["n": 2])
      socket.answer(first, ["n": 1])
      try await #expect(answers.next()?.data == ["n": 1])
    }
  }
}
