import ImageFile
import ConfigurationFiles
import ContentClient
import Foundation
import HTTPClient
import HTTPServer
import JSON
import Synchronization
import TestSupport
import Testing

/// What a server was asked.
private final class Seen: Sendable {
  private let all = Mutex<[ServerRequest]>([])

  func add(_ request: ServerRequest) { all.withLock { $0.append(request) } }
  var authorizations: [String?] { all.withLock { $0.map { $0.header("Authorization") } } }
  var count: Int { all.withLock { $0.count } }
}

@Suite(.timeLimit(.minutes(1)))
struct `A content client over sockets` {
  private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  private func client(_ port: Int, _ settings: String, _ directory: TemporaryDirectory) throws -> ContentClient {
    let text = "AEM_HOST = 127.0.0.1:\(port)\n" + settings
    let transport: ContentTransport = { request throws(HTTPError) in try await HTTPClient.patient.send(request) }
    var limits = ContentClient.Limits()
    limits.timeout = 50
    return ContentClient(
      configuration: try ContentConfiguration(XCConfig(path: directory.file("Config.xcconfig")) { _ in text }),
      cachePath: { directory.file("content.sqlite") }, imageCachePath: { directory.file("images.sqlite") },
      transport: transport, limits: limits)
  }

  /// A publish server, a server of tokens, and one elsewhere that nobody may be led to.
  private func serve(
    _ seen: Seen, _ elsewhere: String, _ body: (Int) async throws -> Void
  ) async throws {
    let server = HTTPServer { request in
      if request.path == "/ims/exchange/jwt" {
        return ServerResponse(text: #"{"access_token":"issued","expires_in":86400}"#, contentType: "application/json")
      }
      seen.add(request)
      switch request.path {
      case "/moved.png": return ServerResponse(status: 302, headers: [ServerField("Location", "\(elsewhere)/a.png")])
      case "/content/dam/a%20b.png": return ServerResponse(status: 200, headers: [], body: Self.png)
      case "/broken.png":
        return ServerResponse(headers: [ServerField("Content-Encoding", "gzip")], body: Array("no gzip".utf8))
      case let path where path.hasPrefix("/graphql/execute.json/x/broken"):
        return ServerResponse(
          headers: [ServerField("Content-Encoding", "gzip"), ServerField("Content-Type", "application/json")],
          body: Array("no gzip at all".utf8))
      case let path where path.hasPrefix("/graphql/execute.json/x/y"):
        let body = request.method == "POST" ? String(decoding: request.body, as: UTF8.self) : ""
        let data = JSONValue.object(["data": ["yList": ["items": [.string(path), .string(body)]]]])
        return ServerResponse(text: data.description, contentType: "application/json")
      default: return ServerResponse(status: 404)
      }
    }
    try await server.withRunning { try await body($0.port) }
  }

  @Test(
    arguments: [
      ("", nil), ("AEM_AUTH_TYPE = basic\nAEM_USERNAME = admin\nAEM_PASSWORD = pä:ss", "Basic YWRtaW46cOQ6c3M="),
      ("AEM_AUTH_TYPE = token\nAEM_TOKEN = t.t", "Bearer t.t"),
      ("AEM_AUTH_TYPE = service\nAEM_SERVICE_CREDENTIALS = service.json", "Bearer issued"),
    ] as [(String, String?)])
  func `asks with its credentials, and takes them nowhere else`(settings: String, field: String?) async throws {
    let directory = try TemporaryDirectory()
    let (seen, foreign) = (Seen(), Seen())
    let other = HTTPServer { request in
      foreign.add(request)
      return ServerResponse(status: 200, headers: [], body: Self.png)
    }
    try await other.withRunning { elsewhere in
      try await serve(seen, elsewhere.url) { port in
        _ = try directory.write(serviceFile(endpoint: "127.0.0.1:\(port)"), to: "service.json")
        let client = try client(port, settings, directory)
        let result = try await client.execute(query: "x/y", variables: ["v": "a b/é", "w": 1])
        #expect(try result.root().fragments().first == "/graphql/execute.json/x/y%3Bv%3Da%20b%2F%C3%A9%3Bw%3D1;")
        let posted = try await client.execute(query: "x/y", variables: ["v": "a;b"])
        #expect(try posted.root().fragments().last == #"{"variables":{"v":"a;b"}}"#)
        #expect(try await client.image(path: "/content/dam/a b.png").format == .png)
        let error = await #expect(throws: ContentError.self) { try await client.image(path: "/moved.png") }
        #expect(error?.kind == .redirected)
        await #expect(throws: ContentError.self) { try await client.image(path: "\(elsewhere.url)/a.png") }
      }
    }
    #expect(seen.count == 4)
    #expect(seen.authorizations.allSatisfy { $0 == field })
    #expect(foreign.count == 0)
  }

  @Test func `says that a body cannot be decompressed`() async throws {
    let directory = try TemporaryDirectory()
    try await serve(Seen(), "http://127.0.0.1:1") { port in
      let client = try client(port, "", directory)
      for isImage in [false, true] {
        let error = try await #require(throws: ContentError.self) {
          if isImage {
            _ = try await client.image(path: "/broken.png")
          } else {
            _ = try await client.execute(query: "x/broken")
          }
        }
        #expect(error.kind == .invalidAnswer)
        #expect(error.message.contains("cannot be decompressed") && !error.message.contains("speak HTTP"))
      }
    }
  }
}
