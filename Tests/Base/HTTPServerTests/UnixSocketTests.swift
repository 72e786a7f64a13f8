import Foundation
import HTTPServer
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `A server at a Unix socket` {
  private let folder: TemporaryDirectory
  private var path: String { "\(folder.path)/page.sock" }

  init() throws { folder = try TemporaryDirectory() }

  private func server(_ path: String, behind origin: String? = nil) -> HTTPServer {
    var configuration = HTTPServer.Configuration()
    configuration.socketPath = path
    if let origin {
      let isTaken = configuration.serve(behind: origin)
      #expect(isTaken)
    }
    return HTTPServer(configuration: configuration) { request in ServerResponse(text: "\(request.method) here") }
  }

  /// The status and the text of an answer.
  private func ask(_ fields: String..., method: String = "GET") async throws -> (status: String, text: String) {
    let client = try RawClient(socket: path)
    client.send("\(method) / HTTP/1.1\r\nConnection: close\r\n\(fields.joined(separator: "\r\n"))\r\n\r\n")
    let text = await client.received(until: "no text ends with this")
    return (text.split(separator: " ").dropFirst().first.map(String.init) ?? "none", text)
  }

  private func refusal(_ path: String) async -> HTTPServerError? {
    await #expect(throws: HTTPServerError.self) { try await server(path).withRunning { _ in } }
  }

  @Test func `answers there, and to this user alone, and removes it at the end`() async throws {
    try await server(path).withRunning { address in
      #expect(address.url == "http://localhost" && address.socketPath == path)
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(mode == 0o600)
      let answer = try await ask("Host: localhost")
      #expect(answer.status == "200" && answer.text.contains("GET here"), "\(answer)")
      #expect(try await ask("Host: evil.example").status == "421")
    }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `takes the place of a socket at which nobody listens, and of nothing else`() async throws {
    try await server(path).withRunning { _ in
      #expect(await refusal(path)?.kind == .pathTaken, "somebody listens")
      // As a process leaves it that was killed.
      try FileManager.default.moveItem(atPath: path, toPath: "\(folder.path)/left.sock")
    }
    try await server("\(folder.path)/left.sock").withRunning { address in #expect(address.port == 0) }
    for name in ["file", "link", "folder"] {
      let place = "\(folder.path)/\(name)"
      switch name {
      case "file": try Data("mine".utf8).write(to: URL(fileURLWithPath: place))
      case "link": try FileManager.default.createSymbolicLink(atPath: place, withDestinationPath: "nowhere")
      default: try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
      }
      let error = await refusal(place)
      #expect(error?.kind == .pathTaken && error?.message.contains(place) == true, "\(name)")
      #expect((try? FileManager.default.attributesOfItem(atPath: place)) != nil, "\(name) is still there")
    }
    #expect(try String(contentsOfFile: "\(folder.path)/file", encoding: .utf8) == "mine")
  }

  @Test func `leaves what another program has put in its place`() async throws {
    try await server(path).withRunning { _ in
      try FileManager.default.removeItem(atPath: path)
      try Data("other".utf8).write(to: URL(fileURLWithPath: path))
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "other")
  }

  @Test(arguments: ["", "/nonexistent/folder/a.sock", "/tmp/" + String(repeating: "x", count: 120)])
  func `cannot be where no socket can be`(path: String) async { #expect(await refusal(path)?.kind == .invalidPath) }

  @Test func `takes the pages of a proxy that is named for its own, and of no other`() async throws {
    try await server(path, behind: "https://Page.example.com").withRunning { _ in
      for host in ["page.example.com", "localhost"] {
        let own = try await ask("Host: \(host)", "Origin: https://page.example.com", method: "POST")
        #expect(own.status == "200" && !own.text.contains("Access-Control-Allow"), "\(own)")
      }
      for origin in [
        "http://page.example.com", "https://evil.example", "https://page.example.com.evil.example", "null",
        "https://page.example.com:444",
      ] {
        #expect(
          try await ask("Host: page.example.com", "Origin: \(origin)", method: "POST").status == "403", "\(origin)")
      }
      #expect(try await ask("Host: other.example.com").status == "421")
    }
  }

  @Test(arguments: [
    "page.example.com", "ftp://a", "https://a/b", "https://a/", "https://", "https://a@b", "https://a b", "",
  ])
  func `is behind nothing that is no origin`(text: String) {
    var configuration = HTTPServer.Configuration()
    let isTaken = configuration.serve(behind: text)
    #expect(!isTaken)
    #expect(configuration.additionalHostNames.isEmpty)
  }
}
