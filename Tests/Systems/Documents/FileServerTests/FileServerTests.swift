import FileServer
import Foundation
import HTTPClient
import HTTPServer
import JSON
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `A file server` {
  let folder: ServedFolder

  init() throws { folder = try ServedFolder() }

  private func range(_ value: String) -> [ServerField] { [ServerField("Range", value)] }

  @Test func `gives a file, or the part that is asked for with its place`() throws {
    try folder.write("0123456789", to: "digits")
    #expect(folder.ask("GET", "/digits").text == "0123456789")
    let part = folder.ask("GET", "/digits", range("bytes=2-4"))
    #expect(part.status == 206)
    #expect(part.text == "234")
    #expect(part.header("Content-Range") == "bytes 2-4/10")
    let end = folder.ask("GET", "/digits", range("bytes=8-100"))
    #expect(end.text == "89")
    #expect(end.header("Content-Range") == "bytes 8-9/10")
  }

  @Test func `refuses a part that is not there, with the size`() throws {
    try folder.write("0123456789", to: "digits")
    try folder.write("", to: "empty")
    let past = folder.ask("GET", "/digits", range("bytes=10-12"))
    #expect(past.status == 416)
    #expect(past.header("Content-Range") == "bytes */10")
    #expect(folder.ask("GET", "/empty", range("bytes=0-0")).header("Content-Range") == "bytes */0")
    #expect(folder.ask("GET", "/empty").status == 200)
  }

  @Test(arguments: ["bytes=4-2", "bytes=-5", "bytes=a-b", "bytes=", "bytes=1-2,4-5", "bytes=99999999999999999999-1"])
  func `says what a part looks like to who asks for another`(value: String) throws {
    try folder.write("0123456789", to: "digits")
    let answer = folder.ask("GET", "/digits", range(value))
    #expect(answer.status == 416)
    #expect(answer.text.contains("bytes=FIRST-LAST"))
  }

  @Test func `gives all of a file to who asks for a part in another unit`() throws {
    try folder.write("0123456789", to: "digits")
    #expect(folder.ask("GET", "/digits", range("lines=1-2")).text == "0123456789")
  }

  @Test func `sends a file in parts that is too large for one answer`() throws {
    try folder.write("", to: "large")
    #expect(truncate("\(folder.path)/large", (64 << 20) + 1) == 0)
    #expect(folder.ask("GET", "/large").status == 413)
    let part = folder.ask("GET", "/large", range("bytes=67108860-67108870"))
    #expect(part.status == 206)
    #expect(part.header("Content-Range") == "bytes 67108860-67108864/67108865")
  }

  @Test func `sends 64 MiB in one answer, whole or as a part`() throws {
    try folder.write("", to: "large")
    #expect(truncate("\(folder.path)/large", 64 << 20) == 0)
    let whole = folder.ask("GET", "/large")
    #expect(whole.status == 200 && whole.body.count == 64 << 20)
    #expect(truncate("\(folder.path)/large", (64 << 20) + 1) == 0)
    let part = folder.ask("GET", "/large", range("bytes=1-67108864"))
    #expect(part.status == 206 && part.body.count == 64 << 20)
    #expect(folder.ask("GET", "/large", range("bytes=0-67108864")).status == 413)
    let last = folder.ask("GET", "/large", range("bytes=67108864-67108864"))
    #expect(last.status == 206 && last.header("Content-Range") == "bytes 67108864-67108864/67108865")
    #expect(folder.ask("GET", "/large", range("bytes=67108865-67108865")).status == 416)
  }

  @Test func `ends a list with its last full page`() throws {
    for number in 0..<100 { try folder.write("x", to: "f\(1000 + number)") }
    for (start, count) in [(0, 100), (1, 99), (99, 1), (100, 0), (101, 0)] {
      let list = try JSONCoding.parse(folder.ask("GET", "/?list&after=\(start)").body)
      #expect(list["entries"]?.arrayValue?.count == count && list["next"] == nil, "\(start)")
    }
    try folder.write("x", to: "g")
    #expect(try JSONCoding.parse(folder.ask("GET", "/?list&after=0").body)["next"] == 100)
    #expect(try JSONCoding.parse(folder.ask("GET", "/?list&after=1").body)["next"] == nil)
  }

  @Test(arguments: [("a%20b", "a b"), ("%C3%A9", "é"), ("%2541", "%41"), ("a+b", "a+b"), ("%E2%82%AC;x=1", "€;x=1")])
  func `decodes a name once`(target: String, name: String) {
    #expect(folder.ask("PUT", "/\(target)", body: "text").status == 204)
    #expect(folder.names == [name])
    #expect(folder.ask("GET", "/\(target)").text == "text")
  }

  @Test(arguments: [
    "/../secret", "/a/../../secret", "/%2e%2e/secret", "/%2E%2E%2Fsecret", "/./secret", "/..", "/a%00b", "/%", "/%2",
    "/%zz", "/%+1", "/%ff", "/%2E%2E%2F%CC%81secret", "/a%2F..%2F%CC%81secret",
  ])
  func `takes nothing that leads out of its folder, or is no text, for a path`(target: String) {
    for method in ["GET", "HEAD", "PUT", "DELETE"] { #expect(folder.ask(method, target).status == 400) }
    #expect(folder.names.isEmpty)
  }

  @Test func `follows no link, and opens nothing but files and folders`() throws {
    symlink("../secret", "\(folder.path)/out")
    symlink("..", "\(folder.path)/up")
    mkfifo("\(folder.path)/pipe", 0o600)
    for target in ["/out", "/up/secret", "/pipe", "/out?stat", "/up?list", "/pipe?stat"] {
      #expect(folder.ask("GET", target).status == 404, "\(target)")
    }
    #expect(folder.ask("PUT", "/up/new", body: "x").status == 404)
    let list = try JSONCoding.parse(folder.ask("GET", "/?list").body)
    #expect(list["entries"]?.arrayValue?.isEmpty == true)
    // A link is replaced and removed itself, never what it leads to.
    #expect(folder.ask("PUT", "/out", body: "mine").status == 204)
    #expect(folder.contents(of: "../secret") == "secret")
    #expect(folder.ask("DELETE", "/up").status == 204)
    #expect(folder.contents(of: "../secret") == "secret")
  }

  @Test func `lists files and folders by name, a hundred at a time, and none that is hidden`() throws {
    for number in 0..<101 { try folder.write("x", to: "f\(1000 + number)") }
    try folder.write("x", to: ".hidden")
    try folder.makeFolder("a")
    let first = try JSONCoding.parse(folder.ask("GET", "/?list").body)
    #expect(first["entries"]?.arrayValue?.count == 100)
    #expect(first["entries"]?.arrayValue?.first == ["name": "a", "folder": true, "size": 0])
    #expect(first["entries"]?.arrayValue?[1] == ["name": "f1000", "folder": false, "size": 1])
    #expect(first["next"] == 100)
    let second = try JSONCoding.parse(folder.ask("GET", "/?list&after=100").body)
    #expect(second["entries"]?.arrayValue?.map { $0["name"] } == ["f1099", "f1100"])
    #expect(second["next"] == nil)
    for target in ["/?list&after=-5", "/?list&after=x"] {
      #expect(try JSONCoding.parse(folder.ask("GET", target).body) == first)
    }
    let past = try JSONCoding.parse(folder.ask("GET", "/?list&after=9000000000000000000").body)
    #expect(past["entries"]?.arrayValue?.isEmpty == true)
    #expect(past["next"] == nil)
  }

  @Test func `says what a path is`() throws {
    try folder.makeFolder("a")
    try folder.write("text", to: "a/b.txt")
    #expect(
      try JSONCoding.parse(folder.ask("GET", "/a/b.txt?stat").body) == ["name": "b.txt", "folder": false, "size": 4])
    #expect(try JSONCoding.parse(folder.ask("GET", "/a?stat").body)["folder"] == true)
  }

  @Test func `writes a file at once, whatever its name, and leaves no part of it`() throws {
    try folder.write("old", to: "a")
    #expect(folder.ask("PUT", "/a", body: "new").status == 204)
    #expect(folder.contents(of: "a") == "new")
    let name = String(repeating: "€", count: 85)
    #expect(folder.ask("PUT", "/\(name)", body: "x").status == 204)
    #expect(folder.names == ["a", name])
  }

  @Test func `says what is in the way of a change`() throws {
    try folder.makeFolder("a/b")
    for (method, target, status) in [
      ("GET", "/none", 404), ("GET", "/a", 404), ("GET", "/a/b/c/d", 404), ("PUT", "/none/x", 404), ("PUT", "/a", 409),
      ("PUT", "/", 409), ("DELETE", "/none", 404), ("DELETE", "/a", 409), ("DELETE", "/", 409),
      ("PUT", "/\(String(repeating: "x", count: 256))", 400),
    ] {
      let answer = folder.ask(method, target, body: "x")
      #expect(answer.status == status, "\(method) \(target)")
      #expect(answer.text.hasSuffix(".\n"), "\(method) \(target)")
    }
    #expect(folder.names == ["a"])
  }

  @Test func `names the methods and the queries that it knows`() throws {
    let method = folder.ask("POST", "/a")
    #expect(method.status == 405)
    #expect(method.header("Allow") == "GET, HEAD, PUT, DELETE")
    let query = folder.ask("GET", "/a?sort")
    #expect(query.status == 400)
    #expect(query.text.contains("?list"))
    #expect(folder.ask("DELETE", "/a?stat").status == 400)
  }

  @Test func `serves only who has the token, where there is one`() throws {
    let folder = try ServedFolder(token: "t")
    try folder.write("x", to: "a")
    #expect(folder.ask("GET", "/a").status == 401)
    #expect(folder.ask("GET", "/a", [ServerField("Authorization", "Bearer u")]).status == 401)
    #expect(folder.ask("GET", "/a", [ServerField("Authorization", "Bearer t")]).status == 200)
  }

  @Test func `keeps no file open, whatever it has answered`() throws {
    let outside = String(folder.path.dropLast("/root".utf8.count))
    try folder.write("0123456789", to: "digits")
    try folder.makeFolder("a/b")
    symlink("..", "\(folder.path)/up")
    let held = open("\(folder.path)/digits", O_RDONLY | O_CLOEXEC)
    #expect(OpenFiles.below(outside).count == 1)
    close(held)
    for (method, target, status) in [
      ("GET", "/digits", 200), ("HEAD", "/digits", 200), ("GET", "/a", 404), ("GET", "/none", 404), ("GET", "/up", 404),
      ("GET", "/digits?stat", 200), ("GET", "/a?stat", 200), ("GET", "/?list", 200), ("GET", "/a?list", 200),
      ("GET", "/digits?list", 404), ("PUT", "/new", 204), ("PUT", "/a/new", 204), ("PUT", "/a", 409),
      ("PUT", "/none/new", 404), ("DELETE", "/new", 204), ("DELETE", "/a", 409), ("DELETE", "/none", 404),
    ] {
      #expect(folder.ask(method, target, body: "x").status == status, "\(method) \(target)")
      #expect(OpenFiles.below(outside) == [], "\(method) \(target)")
    }
    #expect(folder.ask("GET", "/digits", range("bytes=1-2")).status == 206)
    #expect(folder.ask("GET", "/digits", range("bytes=10-10")).status == 416)
    #expect(OpenFiles.below(outside) == [])
  }

  @Test func `is not made for what is no folder`() throws {
    try folder.write("x", to: "a")
    for path in ["\(folder.path)/none", "\(folder.path)/a"] {
      let error = #expect(throws: FileTree.Failure.self) {
        try FileServer(configuration: FileServer.Configuration(root: path))
      }
      #expect(error?.message.isEmpty == false)
    }
  }

  @Test func `answers HEAD with the length and without the bytes`() async throws {
    try folder.write("0123456789", to: "digits")
    try await withRunning { url in
      let client = HTTPClient()
      let answer = try await client.send(HTTPRequest("HEAD", "\(url)/digits", timeout: .seconds(50)))
      #expect(answer.status == 200)
      #expect(answer.headers["content-length"] == "10")
      #expect(answer.body.isEmpty)
      let part = HTTPRequest("HEAD", "\(url)/digits", headers: ["Range": "bytes=0-1"], timeout: .seconds(50))
      // A range is for GET only (RFC 9110, 14.2).
      #expect(try await client.send(part).headers["content-length"] == "10")
    }
  }

  /// Runs the body while the server listens at a port of its own.
  private func withRunning(_ body: (_ url: String) async throws -> Void) async throws {
    let (ready, isReady) = AsyncStream.makeStream(of: ServerAddress.self)
    let server = folder.server
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        defer { isReady.finish() }
        try await server.run { isReady.yield($0) }
      }
      defer { group.cancelAll() }
      for await address in ready {
        try await body(address.url)
        return
      }
      try await group.waitForAll()
    }
  }
}
