import DataConnectClient
import DataConnectEmulator
import HTTPClient
import HTTPServer
import TestSupport
import Testing
import WebSocket

@Suite(.timeLimit(.minutes(1)))
struct `A WebSocket of the client` {
  private let client = HTTPClient.patient

  private func error(
    _ url: String, headers: HTTPFields = [:], protocols: [String] = [], reaches: Set<AddressReach>? = nil,
    on client: HTTPClient? = nil
  ) async -> HTTPUpgradeError? {
    do throws(HTTPUpgradeError) {
      _ = try await (client ?? self.client).webSocket(
        to: url, headers: headers, protocols: protocols, allowedReaches: reaches)
      return nil
    } catch {
      return error
    }
  }

  @Test func `sends the fields of its caller, and its own`() async throws {
    var configuration = HTTPServer.Configuration()
    configuration.door.allowedOrigins = ["https://a.example"]
    let server = HTTPServer(configuration: configuration) { request in
      .webSocket(answering: request, origins: .any) { socket in
        let names = ["Authorization", "Origin", "User-Agent", "Host", "Sec-WebSocket-Version"]
        try? await socket.send(text: names.map { request.header($0) ?? "-" }.joined(separator: "|"))
        try? await socket.send(text: "\(request.path)?\(request.query ?? "-")")
      }
    }
    try await server.withRunning { address in
      let socket = try await client.webSocket(
        to: "ws://127.0.0.1:\(address.port)/a%20b/../c?d=%2F#fragment",
        headers: ["Authorization": "Bearer x", "Origin": "https://a.example", "Sec-WebSocket-Version": "7"])
      #expect(
        try await socket.receive() == .text("Bearer x|https://a.example|annex|127.0.0.1:\(address.port)|13"))
      #expect(try await socket.receive() == .text("/a%20b/../c?d=%2F"))
      #expect(try await socket.receive() == nil)
      #expect(socket.closing?.code == 1000)
    }
  }

  @Test(arguments: [
    "http://", "ftp://127.0.0.1/", "ws://user:secret@127.0.0.1/", "wss:/x", "ws://127.0.0.1/a b", "",
    "ws://127.0.0.1/\r\nX: y",
  ])
  func `needs a URL that can be sent as it is`(url: String) async {
    #expect(await error(url)?.cause.kind == .invalidURL)
  }

  @Test func `refuses fields and subprotocols that would be another request`() async {
    for headers: HTTPFields in [["X-A": "a\r\nX-B: b"], ["X A": "b"]] {
      #expect(await error("ws://127.0.0.1:1", headers: headers)?.cause.kind == .invalidRequest)
    }
    #expect(await error("ws://127.0.0.1:1", protocols: ["a\r\nX-B: b"])?.cause.kind == .invalidRequest)
  }

  @Test func `connects to allowed addresses only`() async throws {
    let server = HTTPServer { .webSocket(answering: $0) { _ in } }
    try await server.withRunning { address in
      let url = "ws://localhost:\(address.port)"
      #expect(await error(url, reaches: [.global])?.cause.kind == .forbiddenAddress)
      #expect(await error(url, reaches: [.loopback]) == nil)
    }
  }

  @Test func `says that nobody listens`() async throws {
    let port = try await HTTPServer { _ in ServerResponse() }.withRunning { $0.port }
    #expect(await error("ws://127.0.0.1:\(port)")?.cause.kind == .refused)
  }

  @Test(arguments: [
    ("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n", 401), ("HTTP/1.1 200 OK\r\n\r\n", 200),
    ("SSH-2.0-x\r\n", nil),
    ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n", 101),
  ])
  func `takes no other answer for a WebSocket`(answer: String, status: Int?) async throws {
    let server = try RawServer([.bytes(answer)])
    let error = try #require(await error("ws://127.0.0.1:\(server.port)/secret?token=x"))
    #expect(error.cause.kind == .invalidResponse)
    #expect(error.status == status)
    #expect(!error.description.contains("token"))
  }

  @Test func `waits for a handshake no longer than for a connection`() async throws {
    let server = try RawServer([.bytesThenSilence("HTTP/1.1 101 Switching")])
    var configuration = HTTPClient.Configuration()
    configuration.connectTimeout = .milliseconds(300)
    let impatient = HTTPClient(configuration: configuration)
    #expect(await error("ws://127.0.0.1:\(server.port)", on: impatient)?.cause.kind == .timedOut)
    server.hangUp()
  }

  @Test func `stops opening when its task is cancelled`() async throws {
    let server = try RawServer([.bytesThenSilence("")])
    let opening = Task { await error("ws://127.0.0.1:\(server.port)") }
    while server.heard.isEmpty { await Task.yield() }
    opening.cancel()
    #expect(await opening.value?.cause.kind == .cancelled)
    server.hangUp()
  }

  @Test func `outlives its client`() async throws {
    let server = HTTPServer { request in
      .webSocket(answering: request) { socket in
        while case .text(let text)? = try? await socket.receive() { try? await socket.send(text: text) }
      }
    }
    try await server.withRunning { address in
      let socket = try await HTTPClient.patient.webSocket(to: "ws://127.0.0.1:\(address.port)")
      try await socket.send(text: "alone")
      #expect(try await socket.receive() == .text("alone"))
      await socket.close()
    }
  }
}
