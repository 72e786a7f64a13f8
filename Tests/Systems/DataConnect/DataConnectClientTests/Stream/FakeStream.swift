import ConfigurationFiles
import DataConnectClient
import EventLoop
import JSON
import Synchronization
import TestSupport
import Time
import WebSocket

/// A server of streams inside of the test.
final class FakeStream: Sendable {
  /// The connections, as they are opened.
  let sockets: AsyncStream<FakeSocket>
  private let opened: AsyncStream<FakeSocket>.Continuation
  private let refusals = Mutex<[StreamRefusal]>([])
  private let count = Mutex(0)
  private let halfMinutes = Signal()
  private let sleepers = Mutex<UInt64>(0)

  init() { (sockets, opened) = AsyncStream<FakeSocket>.makeStream() }

  /// How many connections were asked for.
  var attempts: Int { count.withLock { $0 } }

  /// Lets the time pass after which a connection looks at its token: for the first who waits for it, or will.
  func passHalfMinute() { halfMinutes.send() }

  /// - Parameter refusals: what the next attempts get.
  func refuse(_ refusals: StreamRefusal...) { self.refusals.withLock { $0 = refusals } }

  func socket() async -> FakeSocket { await sockets.first { _ in true }! }

  /// Runs `body` with a client whose pauses before another attempt are none, and whose other times never pass.
  func run(_ body: (DataConnectClient) async throws -> Void) async throws {
    let client = client()
    try await client.running { try await body(client) }
  }

  private func client() -> DataConnectClient {
    var configuration = DataConnectClient.Configuration(http: .patient)
    configuration.clock = WallClock(
      now: { UnixTime(seconds: 1_000) },
      sleep: { duration in
        if duration == .seconds(30) {
          let earlier = self.sleepers.withLock { count in
            defer { count += 1 }
            return count
          }
          try await self.halfMinutes.wait(past: earlier)
        } else if duration > .seconds(10) {
          try await never()
        }
      }, random: { 0.5 })
    configuration.openStream = { (_, _) throws(StreamRefusal) in
      self.count.withLock { $0 += 1 }
      if let refusal = self.refusals.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { throw refusal }
      let socket = FakeSocket()
      self.opened.yield(socket)
      return socket
    }
    return DataConnectClient(configuration)
  }
}

/// One connection, seen from the server.
final class FakeSocket: StreamSocket {
  /// What the client sends.
  let frames: AsyncStream<JSONValue>
  private let sent: AsyncStream<JSONValue>.Continuation
  private let messages: AsyncStream<WebSocketMessage>
  private let incoming: AsyncStream<WebSocketMessage>.Continuation

  init() {
    (frames, sent) = AsyncStream<JSONValue>.makeStream()
    (messages, incoming) = AsyncStream<WebSocketMessage>.makeStream()
  }

  func send(text: String) async throws(WebSocketError) {
    if let frame = try? JSONValue(parsing: text) { sent.yield(frame) }
  }

  func receive() async throws(WebSocketError) -> WebSocketMessage? { await messages.first { _ in true } }

  func close() {
    incoming.finish()
    sent.finish()
  }

  /// The next frame of the client.
  func frame() async -> JSONValue { await frames.first { _ in true } ?? .null }

  /// Answers to a request, as an emulator does.
  func answer(_ request: JSONValue?, _ data: JSONValue, hints: JSONValue = []) {
    let result: JSONValue = ["requestId": request ?? .null, "data": data, "extensions": ["dataConnect": hints]]
    incoming.yield(.text(JSONValue.object(["result": result]).description))
  }

  func say(_ text: String) { incoming.yield(.text(text)) }
}

extension DataConnectClient {
  /// Runs it while `body` does.
  func running<Value>(_ body: () async throws -> Value) async throws -> Value {
    try await withThrowingDiscardingTaskGroup { group in
      group.addTask { await self.run() }
      defer { group.cancelAll() }
      return try await body()
    }
  }

  /// As a user with a token, or as nobody.
  func subscribe(
    _ operation: DataOperation, at endpoint: DataConnectEndpoint = .test(port: 1), as user: String? = nil,
    cache: CacheSettings? = nil
  ) -> AsyncThrowingStream<DataResponse, any Error> {
    subscribe(operation, at: endpoint, user: user, cache: cache) { _ in
      user.map { IDToken(text: Secret("token-of-\($0)"), user: $0) }
    }
  }
}

extension AsyncThrowingStream<DataResponse, any Error> {
  /// The next response.
  func next() async throws -> DataResponse? { try await first { _ in true } }
}
