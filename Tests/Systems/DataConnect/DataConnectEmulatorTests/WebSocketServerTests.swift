import DataConnectClient
import DataConnectEmulator
import EventLoop
import Foundation
import HTTPClient
import HTTPServer
import Synchronization
import TestSupport
import Testing
import WebSocket

extension ServerAddress {
  /// The same with the scheme of WebSockets.
  var socketURL: String { "ws" + url.dropFirst(4) }
}

/// Sends back what comes.
private func echo(
  limits: WebSocketLimits = WebSocketLimits(), _ change: (inout HTTPServer.Configuration) -> Void = { _ in }
) -> HTTPServer {
  var configuration = HTTPServer.Configuration()
  change(&configuration)
  return HTTPServer(configuration: configuration) { request in
    guard request.asksForWebSocket else { return ServerResponse(text: "plain") }
    return .webSocket(answering: request, subprotocols: ["a", "b"], limits: limits) { socket in
      do {
        for try await message in socket.messages {
          switch message {
          case .text("close"): await socket.close(code: 4001, reason: "as you like")
          case .text(let text): try await socket.send(text: text)
          case .binary(let bytes): try await socket.send(binary: bytes)
          default: break
          }
        }
      } catch {}
    }
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A WebSocket of the server` {
  @Test func `carries texts and bytes both ways, small and large`() async throws {
    try await echo().withRunning { address in
      let socket = try await HTTPClient.patient.webSocket(to: address.socketURL + "/path?x", protocols: ["c", "b"])
      #expect(socket.subprotocol == "b")
      let messages: [WebSocketMessage] = [
        .text("hé"), .binary([1, 2, 3]), .text(""), .text(String(repeating: "ab", count: 400_000)),
        .binary([UInt8](repeating: 9, count: 70_000)),
      ]
      for message in messages {
        switch message {
        case .text(let text): try await socket.send(text: text)
        case .binary(let bytes): try await socket.send(binary: bytes)
        default: break
        }
        #expect(try await socket.receive() == message)
      }
      await socket.close()
      #expect(socket.closing?.kind == .closed)
      #expect(try await socket.receive() == nil)
      await #expect(throws: WebSocketError.self) { try await socket.send(text: "late") }
      let plain = try await HTTPClient.patient.send(HTTPRequest("GET", address.url))
      #expect(plain.text == "plain")
      // Of what both have, the server takes what it likes best.
      for (offered, taken) in [(["b", "a"], "a"), (["a", "b"], "a"), (["c"], nil)] as [([String], String?)] {
        let other = try await HTTPClient.patient.webSocket(to: address.socketURL, protocols: offered)
        #expect(other.subprotocol == taken)
        await other.close()
      }
    }
  }

  @Test func `is closed with the code and the reason of its server`() async throws {
    try await echo().withRunning { address in
      let socket = try await HTTPClient.patient.webSocket(to: address.socketURL)
      try await socket.send(text: "close")
      #expect(try await socket.receive() == nil)
      #expect(socket.closing?.code == 4001)
      #expect(socket.closing?.message.contains("as you like") == true)
    }
  }

  @Test func `is closed as usual when its server has no more to say`() async throws {
    let server = HTTPServer { request in
      .webSocket(answering: request) { socket in try? await socket.send(text: "done") }
    }
    try await server.withRunning { address in
      let socket = try await HTTPClient.patient.webSocket(to: address.socketURL)
      #expect(try await socket.receive() == .text("done"))
      #expect(try await socket.receive() == nil)
      #expect(socket.closing?.code == 1000)
    }
  }

  @Test func `ends with the server, with code 1001`() async throws {
    let socket = try await echo().withRunning { address -> WebSocketConnection in
      let socket = try await HTTPClient.patient.webSocket(to: address.socketURL)
      try await socket.send(text: "x")
      #expect(try await socket.receive() == .text("x"))
      return socket
    }
    #expect(try await socket.receive() == nil)
    #expect(socket.closing?.code == 1001)
  }

  @Test func `ends with the server although the peer answers no close`() async throws {
    try await echo({ $0.grace = .milliseconds(200) }).withRunning { address in
      let raw = try RawClient(port: address.port)
      raw.send(Self.upgrade)
      #expect(await raw.received(until: "\r\n\r\n").hasPrefix("HTTP/1.1 101"))
      withExtendedLifetime(raw) {}
    }
  }

  @Test func `cancels who works for it when the peer is gone`() async throws {
    let (ended, source) = AsyncStream<Void>.makeStream()
    let server = HTTPServer { request in
      .webSocket(answering: request) { _ in
        // Waits for something else, as a subscriber does.
        let (silence, _) = AsyncStream<Void>.makeStream()
        for await _ in silence {}
        source.yield(())
      }
    }
    try await server.withRunning { address in
      let client = try RawClient(port: address.port)
      client.send(Self.upgrade)
      #expect(await client.received(until: "\r\n\r\n").hasPrefix("HTTP/1.1 101"))
      client.finish()
      var iterator = ended.makeAsyncIterator()
      #expect(await iterator.next() != nil)
    }
  }

  @Test func `takes fragments, and frames that come with the request`() async throws {
    try await echo().withRunning { address in
      let client = try RawClient(port: address.port)
      let mask: [UInt8] = [1, 2, 3, 4]
      client.send(
        Array(Self.upgrade.utf8)
          + WebSocketWriter.fragment(Array("ab".utf8), isText: true, isFirst: true, isLast: false, mask: mask)
          + WebSocketWriter.frame(.ping([5]), mask: mask))
      client.send(WebSocketWriter.fragment(Array("cd".utf8), isText: true, isFirst: false, isLast: true, mask: mask))
      let answer = await client.receivedBytes(until: "abcd")
      #expect(
        answer.suffix(9) == WebSocketWriter.frame(.pong([5]), mask: nil)
          + WebSocketWriter.frame(.text("abcd"), mask: nil))
    }
  }

  static let upgrade = """
    GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r
    Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n
    """

  @Test(arguments: [
    ("GET /", "POST /", "405"), ("websocket", "h2c", "200"), ("Version: 13", "Version: 12", "426"),
    ("dGhlIHNhbXBsZSBub25jZQ==", "AAAA", "400"), ("Connection: Upgrade", "Connection: close", "426"),
    ("\r\n\r\n", "\r\nOrigin: https://evil.example\r\n\r\n", "403"), ("Host: localhost", "Host: evil.example", "421"),
    ("\r\n\r\n", "\r\nOrigin: http://localhost:3000\r\n\r\n", "403"), ("HTTP/1.1", "HTTP/1.0", "4"),
  ])
  func `is refused to who asks wrongly`(part: String, other: String, status: String) async throws {
    try await echo().withRunning { address in
      let client = try RawClient(port: address.port)
      client.send(Self.upgrade.replacing(part, with: other, maxReplacements: 1))
      let answer = await client.received(until: "\r\n\r\n")
      #expect(answer.hasPrefix("HTTP/1.1 \(status)") || (status == "4" && !answer.contains(" 101 ")), "\(answer)")
    }
  }

  static let faults: [([UInt8], UInt16)] = [
    ([0x81, 0x01, 0x41], 1002), ([0xC1, 0x80, 0, 0, 0, 0], 1002), ([0x81, 0x81, 0, 0, 0, 0, 0xFF], 1007),
    ([0x82, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0], 1009),
    ([0x88, 0x81, 0, 0, 0, 0, 3], 1002),
  ]

  @Test(arguments: faults)
  func `is closed with the fault of its peer, and the server goes on`(bytes: [UInt8], code: UInt16) async throws {
    try await echo().withRunning { address in
      let client = try RawClient(port: address.port)
      client.send(Array(Self.upgrade.utf8) + bytes + [UInt8](repeating: 0, count: 100_000))
      client.finish()
      let answer = await SystemThread.run(name: "raw-client") { client.receivedBytes() }
      let sent = [0x88] as [UInt8]
      let end = WebSocketWriter.frame(.close(code: code, reason: ""), mask: nil).suffix(2)
      let place = try #require(answer.lastIndex(of: sent[0]))
      #expect(Array(answer[(place + 2)...].prefix(2)) == Array(end))
      let socket = try await HTTPClient.patient.webSocket(to: address.socketURL)
      try await socket.send(text: "fine")
      #expect(try await socket.receive() == .text("fine"))
    }
  }

  @Test func `is refused when there are too many`() async throws {
    try await echo({ $0.mostLasting = 2 }).withRunning { address in
      let client = HTTPClient.patient
      let first = try await client.webSocket(to: address.socketURL)
      let second = try await client.webSocket(to: address.socketURL)
      let error = await #expect(throws: HTTPUpgradeError.self) { try await client.webSocket(to: address.socketURL) }
      #expect(error?.status == 503)
      await first.close()
      // The place is free once the library has let the connection go.
      var third: WebSocketConnection?
      while third == nil { third = try? await client.webSocket(to: address.socketURL) }
      withExtendedLifetime((second, third)) {}
    }
  }

  @Test func `takes no places from requests`() async throws {
    try await echo({ $0.mostConnections = 1 }).withRunning { address in
      var sockets: [WebSocketConnection] = []
      for _ in 0..<20 { sockets.append(try await HTTPClient.patient.webSocket(to: address.socketURL)) }
      for _ in 0..<3 {
        let plain = try await HTTPClient.patient.send(HTTPRequest("GET", address.url))
        #expect(plain.text == "plain")
      }
      for socket in sockets {
        try await socket.send(text: "there")
        #expect(try await socket.receive() == .text("there"))
      }
    }
  }

  /// A thousand subscribers who wait: of their requests nothing is kept.
  @Test func `costs at most 16 KiB while nothing happens`() async throws {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    limit.rlim_cur = min(limit.rlim_max, max(limit.rlim_cur, 8192))
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    // Each has two descriptors here.
    let count = min(1_000, Int(limit.rlim_cur) / 2 - 200)
    try await echo().withRunning { address in
      let first = try RawClient(port: address.port)
      first.send(Self.upgrade)
      #expect(await first.received(until: "\r\n\r\n").hasPrefix("HTTP/1.1 101"))
      let before = try Self.residentBytes()
      var clients: [RawClient] = []
      for _ in 0..<count {
        let client = try RawClient(port: address.port)
        client.send(Self.upgrade)
        clients.append(client)
        client.send(WebSocketWriter.frame(.ping([]), mask: [0, 0, 0, 0]))
      }
      for client in clients { #expect(client.hasAnswered(within: 20_000)) }
      let bytes = try Self.residentBytes() - before
      #expect(bytes / count <= 16 << 10, "\(bytes / count) bytes for each")
      withExtendedLifetime(first) {}
    }
  }

  @Test(arguments: [false, true])
  func `carries WebSockets where that is wanted`(isWanted: Bool) async throws {
    let made = try await MadeCertificate.make()
    var configuration = HTTPServer.Configuration()
    configuration.certificate = made.files
    configuration.carriesSecureSockets = isWanted
    let server = HTTPServer(configuration: configuration) { request in
      .webSocket(answering: request) { socket in
        while case .text(let text)? = try? await socket.receive() { try? await socket.send(text: text) }
      }
    }
    let left = try await server.withRunning { address -> WebSocketConnection? in
      let client = made.client
      if !isWanted {
        let error = await #expect(throws: HTTPUpgradeError.self) { try await client.webSocket(to: address.socketURL) }
        #expect(error?.status == 501)
        return nil
      }
      let sockets = try await withThrowingTaskGroup(of: WebSocketConnection.self) { group in
        for _ in 0..<8 { group.addTask { try await client.webSocket(to: address.socketURL) } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      for count in [0, 10, 2_000] {
        let text = String(repeating: "x", count: count)
        for socket in sockets { try await socket.send(text: text) }
        for socket in sockets { #expect(try await socket.receive() == .text(text)) }
      }
      for socket in sockets.dropLast() {
        await socket.close()
        #expect(socket.closing?.code == 1000)
      }
      await #expect(throws: HTTPUpgradeError.self) { try await HTTPClient.patient.webSocket(to: address.socketURL) }
      return sockets.last
    }
    #expect(try await left?.receive() == nil)
    #expect(left?.closing?.code == (isWanted ? 1001 : nil))
  }

  @Test func `is driven on the thread that its server is given`() async throws {
    let thread = try LoopThread(name: "handlers", spin: .zero)
    var configuration = HTTPServer.Configuration()
    configuration.loop = thread
    let server = HTTPServer(configuration: configuration) { request in
      .webSocket(answering: request) { socket in
        try? await socket.send(text: "\(thread.loop.isOnLoop)")
      }
    }
    try await server.withRunning { address in
      let socket = try await HTTPClient.patient.webSocket(to: address.socketURL)
      #expect(try await socket.receive() == .text("true"))
    }
  }

  private static func residentBytes() throws -> Int {
    let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    let pages = try #require(text.split(separator: " ").dropFirst().first.flatMap { Int($0) })
    return pages * 4096
  }
}
