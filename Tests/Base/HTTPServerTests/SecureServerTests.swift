import EventLoop
import HTTPClient
import HTTPServer
import TestPrograms
import TestSupport
import Testing
import WebSocket

/// A certificate for this machine with its key, made by openssl.
private struct MadeCertificate {
  let directory: TemporaryDirectory
  let files: ServerCertificate

  /// On a thread of its own: commands block.
  static func make(_ algorithm: String = curve, options: String = "-nodes") async throws -> MadeCertificate {
    try await SystemThread.run(name: "openssl") { Result { try MadeCertificate(algorithm, options: options) } }.get()
  }

  static let curve = "ec -pkeyopt ec_paramgen_curve:prime256v1"

  private init(_ algorithm: String, options: String) throws {
    directory = try TemporaryDirectory()
    files = ServerCertificate(certificateFile: directory.file("certificate.pem"), keyFile: directory.file("key.pem"))
    let made = try ShellCommand.output(
      of: """
        openssl req -x509 -newkey \(algorithm) \(options) -days 2 -subj /CN=localhost \
        -addext 'subjectAltName=DNS:localhost,IP:127.0.0.1' \
        -out '\(files.certificateFile)' -keyout '\(files.keyFile)' 2>&1
        """)
    try #require(made.status == 0, "\(made.text)")
  }

  func server(_ change: (inout HTTPServer.Configuration) -> Void = { _ in }) -> HTTPServer {
    var configuration = HTTPServer.Configuration()
    configuration.certificate = files
    change(&configuration)
    return HTTPServer(configuration: configuration) { request in
      ServerResponse(
        text: "\(request.method) \(request.body.count)\n" + String(repeating: "x", count: request.body.count))
    }
  }

  var client: HTTPClient {
    var configuration = HTTPClient.Configuration()
    configuration.certificateFile = files.certificateFile
    configuration.timeout = .seconds(50)
    return HTTPClient(configuration: configuration)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `An HTTP server with TLS` {
  @Test(arguments: ["rsa:2048", MadeCertificate.curve])
  func `answers who trusts its certificate`(algorithm: String) async throws {
    let made = try await MadeCertificate.make(algorithm)
    let client = made.client
    try await made.server().withRunning { address in
      #expect(address.url == "https://127.0.0.1:\(address.port)")
      for count in [0, 1, 500_000] {
        let body = [UInt8](repeating: 7, count: count)
        let response = try await client.send(HTTPRequest("POST", address.url, body: body))
        #expect(response.status == 200)
        #expect(response.body.count == "POST \(count)\n".utf8.count + count)
      }
      let name = try await client.send(HTTPRequest("GET", "https://localhost:\(address.port)/"))
      #expect(name.text == "GET 0\n")
    }
  }

  @Test func `is not believed by who trusts others, and goes on`() async throws {
    let made = try await MadeCertificate.make()
    let other = try await MadeCertificate.make()
    try await made.server().withRunning { address in
      await #expect(throws: HTTPError.self) { try await other.client.send(HTTPRequest("GET", address.url)) }
      let answer = try await made.client.send(HTTPRequest("GET", address.url))
      #expect(answer.status == 200)
    }
  }

  @Test func `answers many at a time`() async throws {
    let made = try await MadeCertificate.make()
    let client = made.client
    try await made.server().withRunning { address in
      try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<40 {
          group.addTask { try await client.send(HTTPRequest("POST", address.url, body: [1, 2, 3])).status }
        }
        for try await status in group { #expect(status == 200) }
      }
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
        let error = await #expect(throws: HTTPSocketError.self) { try await client.webSocket(to: address.socketURL) }
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
      await #expect(throws: HTTPSocketError.self) { try await HTTPClient.patient.webSocket(to: address.socketURL) }
      return sockets.last
    }
    #expect(try await left?.receive() == nil)
    #expect(left?.closing?.code == (isWanted ? 1001 : nil))
  }

  @Test func `is hurt by no bad handshake`() async throws {
    let made = try await MadeCertificate.make()
    try await made.server().withRunning { address in
      let silent = try RawClient(port: address.port)
      let half = try RawClient(port: address.port)
      half.send([22, 3, 1, 2, 0, 1, 0, 1, 0xFC, 3, 3])
      for bytes: [UInt8] in [
        Array("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8), [UInt8](repeating: 0, count: 5_000),
        [22, 3, 1, 0xFF, 0xFF], [22, 3, 1, 0, 4, 1, 0xFF, 0xFF, 0xFF], [21, 3, 3, 0, 2, 2, 40],
      ] {
        let client = try RawClient(port: address.port)
        client.send(bytes)
        client.finish()
        let answer = client.received()
        #expect(!answer.contains("HTTP/1.1 200"))
      }
      let answer = try await made.client.send(HTTPRequest("GET", address.url))
      #expect(answer.status == 200)
      withExtendedLifetime((silent, half)) {}
    }
  }

  @Test func `keeps its place for others when clients never end their handshake`() async throws {
    let made = try await MadeCertificate.make()
    try await made.server({ $0.mostConnections = 4 }).withRunning { address in
      let idle = try (0..<12).map { _ in try RawClient(port: address.port) }
      for client in idle { client.send([22, 3, 1]) }
      let answer = try await made.client.send(HTTPRequest("GET", address.url))
      #expect(answer.status == 200)
      withExtendedLifetime(idle) {}
    }
  }

  @Test(arguments: [("-tls1_1", false), ("-tls1_2", true), ("-tls1_3", true)])
  func `speaks version 1.2 and above`(version: String, isSpoken: Bool) async throws {
    let made = try await MadeCertificate.make()
    try await made.server().withRunning { address in
      let command =
        "openssl s_client -connect 127.0.0.1:\(address.port) \(version) -cipher 'ALL:@SECLEVEL=0' </dev/null 2>&1"
      let tried = try await SystemThread.run(name: "openssl") { Result { try ShellCommand.output(of: command) } }.get()
      #expect(tried.text.contains("New, TLSv") == isSpoken, "\(tried.text)")
    }
  }

  @Test func `does not start with files that are no pair, and says which`() async throws {
    let (one, other) = (try await MadeCertificate.make(), try await MadeCertificate.make())
    let locked = try await MadeCertificate.make(options: "-passout pass:abc")
    let text = try one.directory.write("-----BEGIN CERTIFICATE-----\nno\n", to: "text")
    let (certificate, key) = (one.files.certificateFile, one.files.keyFile)
    let cases: [(String, String, names: [String])] = [
      ("/nonexistent", key, ["/nonexistent"]), (certificate, "/nonexistent", ["/nonexistent"]),
      (text, key, ["\(text) holds no certificate"]), (certificate, text, ["\(text) holds no private key"]),
      (key, key, ["\(key) holds no certificate"]),
      (certificate, other.files.keyFile, [certificate, other.files.keyFile]),
      (locked.files.certificateFile, locked.files.keyFile, ["\(locked.files.keyFile) holds no private key"]),
      ("/dev/zero", key, ["/dev/zero"]),
    ]
    for (certificate, key, names) in cases {
      var configuration = HTTPServer.Configuration()
      configuration.certificate = ServerCertificate(certificateFile: certificate, keyFile: key)
      let server = HTTPServer(configuration: configuration) { _ in ServerResponse() }
      let error = await #expect(throws: HTTPServerError.self) { try await server.withRunning { _ in } }
      #expect(error?.kind == .badCertificate)
      for name in names { #expect(error?.message.contains(name) == true, "\(error?.message ?? "")") }
    }
  }
}
