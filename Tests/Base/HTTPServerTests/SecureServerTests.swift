import EventLoop
import HTTPClient
import HTTPServer
import TestPrograms
import TestSupport
import Testing

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
