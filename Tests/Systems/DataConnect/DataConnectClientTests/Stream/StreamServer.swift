import DataConnectClient
import DataConnectEmulator
import HTTPServer
import JSON
import Synchronization
import TestSupport
import Time
import WebSocket

/// A server with the stream of an emulator: it answers each subscription and each execution with its variables.
final class StreamServer: Sendable {
  private struct State {
    var connections: [WebSocketConnection] = []
    var requests: [ServerRequest] = []
  }

  private let state = Mutex(State())
  /// What clients send, in order.
  let frames: AsyncStream<JSONValue>
  private let received: AsyncStream<JSONValue>.Continuation

  init() { (frames, received) = AsyncStream<JSONValue>.makeStream() }

  var requests: [ServerRequest] { state.withLock { $0.requests } }

  /// The connections that were made so far, those that ended too.
  var connections: [WebSocketConnection] { state.withLock { $0.connections } }

  func frame() async -> JSONValue { await frames.first { _ in true } ?? .null }

  func push(_ request: JSONValue?, _ data: JSONValue) async throws {
    let result: JSONValue = ["result": ["requestId": request ?? .null, "data": data]]
    try await connections.last?.send(text: result.description)
  }

  /// Runs `body` with a client that waits for nothing before it connects again.
  func run<Value>(_ body: (DataConnectClient, DataConnectEndpoint) async throws -> Value) async throws -> Value {
    let server = HTTPServer { request in
      self.state.withLock { $0.requests.append(request) }
      guard request.asksForWebSocket else { return ServerResponse.json(["data": ["alone": true]]) }
      return .webSocket(answering: request) { connection in await self.serve(connection) }
    }
    var configuration = DataConnectClient.Configuration(http: .patient)
    configuration.clock.sleep = { if $0 > .seconds(10) { try await never() } }
    let client = DataConnectClient(configuration)
    return try await server.withRunning { address in
      try await client.running { try await body(client, .test(port: address.port, apiKey: "k")) }
    }
  }

  private func serve(_ connection: WebSocketConnection) async {
    state.withLock { $0.connections.append(connection) }
    while case .text(let text)? = try? await connection.receive() {
      guard let frame = try? JSONValue(parsing: text) else { continue }
      received.yield(frame)
      guard let asked = frame["subscribe"] ?? frame["execute"] else { continue }
      let result: JSONValue = ["requestId": frame["requestId"] ?? .null, "data": asked["variables"] ?? .null]
      try? await connection.send(text: JSONValue.object(["result": result]).description)
    }
  }
}
