import ConfigurationFiles
import ContentClient
import Foundation
import HTTPClient
import TestSupport
import Testing

private let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3]
private func answer(_ bytes: [UInt8], _ headers: HTTPFields = [:], status: Int = 200) -> FakeAEM.Answer {
  .success(HTTPResponse(status: status, headers: headers, body: bytes, url: "http://fake"))
}

@Suite(.timeLimit(.minutes(1)))
struct `A picture` {
  let directory: TemporaryDirectory
  var path: String { directory.file("images.sqlite") }

  init() throws { directory = try TemporaryDirectory() }

  static let kinds: [([UInt8], String)] = [
    (png, "image/png"), ([0xFF, 0xD8, 0xFF, 0xE0], "image/jpeg"), (Array("GIF89a..".utf8), "image/gif"),
    (Array("GIF87a..".utf8), "image/gif"), (Array("RIFF\u{1}\u{1}\u{1}\u{1}WEBPVP8 ".utf8), "image/webp"),
  ]

  @Test(arguments: kinds.indices) func `is known by its bytes, whatever the server calls it`(index: Int) async throws {
    let (bytes, type) = Self.kinds[index]
    let server = FakeAEM(answer(bytes, ["Content-Type": "application/octet-stream", "Age": "3"]))
    let image = try await server.client().image(path: "/content/dam/a")
    #expect(image.mimeType == type && image.bytes == bytes && image.source == .network && image.ageSeconds == 3)
    let request = try #require(server.requests.first)
    #expect(request.method == "GET" && request.url == "http://127.0.0.1:4503/content/dam/a")
    #expect(request.headers["Content-Type"] == nil && request.headers["Accept"]?.contains("image/png") == true)
    #expect(request.maximumBodyBytes == 16 << 20 && request.timeout == .seconds(15))
  }

  @Test(arguments: [
    ("<svg xmlns=\"x\">", "image/svg+xml", ContentError.Kind.invalidImage, "SVG"),
    ("<svg>", "image/png", .invalidImage, "SVG"),
    ("<html>", "text/html", .signInPage, "sign-in"), ("{}", "application/json", .invalidImage, "application/json"),
    ("", "image/png", .invalidImage, "PNG, JPEG"), ("BM....", "image/bmp", .invalidImage, "image/bmp"),
    ("RIFF....WAVE", "", .invalidImage, "no picture"), ("GIF8", "image/gif", .invalidImage, "image/gif"),
  ])
  func `is nothing else`(body: String, type: String, kind: ContentError.Kind, says: String) async throws {
    let server = FakeAEM(answer(Array(body.utf8), ["Content-Type": type]))
    let error = try await #require(throws: ContentError.self) { try await server.client().image(path: "/a") }
    #expect(error.kind == kind)
    #expect(error.message.contains(says))
  }

  @Test(arguments: [
    (401, ContentError.Kind.unauthorized), (403, .forbidden), (404, .notFound), (429, .rateLimited),
    (500, .serverError), (599, .serverError),
    (206, .unexpectedStatus), (304, .unexpectedStatus), (410, .unexpectedStatus),
  ])
  func `that does not come has a reason`(status: Int, kind: ContentError.Kind) async throws {
    let server = FakeAEM()
    for _ in 0..<3 { server.answer(answer(png, status: status)) }
    let error = try await #require(throws: ContentError.self) { try await server.client().image(path: "/a") }
    #expect(error.kind == kind && error.httpStatus == status && !error.recovery.isEmpty)
  }

  @Test func `that is too large says how to get a smaller one`() async throws {
    let server = FakeAEM(.down(.tooLarge))
    let error = try await #require(throws: ContentError.self) { try await server.client().image(path: "/a") }
    #expect(error.kind == .tooLarge && error.message.contains("16384 KiB") && error.recovery.contains("width"))
  }

  @Test func `comes from the cache while it is fresh, for other clients too`() async throws {
    let control: HTTPFields = ["Cache-Control": "max-age=60, stale-if-error=100", "ETag": "\"1\""]
    let server = FakeAEM(answer(png, control), answer([], status: 304), answer(png + [4], control), .down(.timedOut))
    _ = try await server.client(images: path).image(path: "/a")
    let client = server.client(images: path)
    #expect(try await client.image(path: "/a").source == .cache)
    #expect(server.requests.count == 1)
    server.advance(by: 60)
    #expect(try await client.image(path: "/a").source == .revalidated)
    #expect(server.requests.last?.headers["If-None-Match"] == "\"1\"")
    #expect(try await client.image(path: "/a", policy: .reload).bytes == png + [4])
    #expect(server.requests.last?.headers["If-None-Match"] == nil)
    server.advance(by: 100)
    let stale = try await client.image(path: "/a")
    #expect(stale.source == .stale && stale.bytes == png + [4] && stale.ageSeconds == 100)
    #expect(stale.staleReason == "http://127.0.0.1:4503 did not answer in time.")
  }

  @Test func `is forgotten when somebody refreshes`() async throws {
    let control: HTTPFields = ["Cache-Control": "max-age=60"]
    let server = FakeAEM(answer(png, control), answer(png + [5], control))
    let client = server.client(images: path)
    _ = try await client.image(path: "/a")
    #expect(try await server.client(images: path).image(path: "/a").source == .cache)
    await client.forgetImages()
    #expect(try await client.image(path: "/a").bytes == png + [5])
    await server.client().forgetImages()
  }

  @Test func `has a copy for each rendition and each who asks, bounded in all`() async throws {
    var limits = ContentClient.Limits()
    limits.maximumImageCacheBytes = 100_000
    let server = FakeAEM()
    let large = png + [UInt8](repeating: 0, count: 30_000)
    let client = server.client(images: path, limits: limits)
    for width in 1...5 {
      server.answer(answer(large, ["Cache-Control": "max-age=600"]))
      _ = try await client.image(path: "/adobe/x.jpg", rendition: ImageRendition(width: width))
      server.advance(by: 1)
    }
    #expect(try await client.image(path: "/adobe/x.jpg", rendition: ImageRendition(width: 5)).source == .cache)
    server.answer(answer(png), answer(png))
    #expect(try await client.image(path: "/adobe/x.jpg", rendition: ImageRendition(width: 1)).source == .network)
    let other = try ContentConfiguration(scheme: "", host: "", authentication: .token(Secret("t")))
    let theirs = try await server.client(other, images: path).image(
      path: "/adobe/x.jpg", rendition: ImageRendition(width: 5))
    #expect(theirs.source == .network)
  }

  @Test func `is written whole or not at all`() async throws {
    let image = try await FakeAEM(answer(png)).client().image(path: "/a")
    let file = directory.file("a.png")
    try Data("old".utf8).write(to: URL(fileURLWithPath: file))
    try image.write(to: file)
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == Data(png))
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["a.png"])
    let error = #expect(throws: ContentError.self) { try image.write(to: directory.file("none/a.png")) }
    #expect(error?.kind == .notWritten)
    let descriptor = open(directory.file("b.png"), O_WRONLY | O_CREAT, 0o600)
    defer { close(descriptor) }
    try image.write(to: descriptor)
    #expect(try Data(contentsOf: URL(fileURLWithPath: directory.file("b.png"))) == Data(png))
    #expect(throws: ContentError.self) { try image.write(to: -1) }
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A redirect of a picture` {
  private func redirect(_ location: String, _ status: Int = 302) -> FakeAEM.Answer {
    answer([], ["Location": location], status: status)
  }

  static let token = try? ContentConfiguration(
    scheme: "https", host: "publish.example.com", authentication: .token(Secret("s3cr3t-token")))
  static let anonymous = try? ContentConfiguration(scheme: "https", host: "publish.example.com")

  @Test func `on the same server is followed, with the credentials`() async throws {
    let server = FakeAEM(redirect("/b"), redirect("https://publish.example.com/c", 307), answer(png))
    _ = try await server.client(try #require(Self.token)).image(path: "/a")
    #expect(server.requests.map(\.url) == ["/a", "/b", "/c"].map { "https://publish.example.com\($0)" })
    #expect(server.requests.allSatisfy { $0.headers["Authorization"] == "Bearer s3cr3t-token" })
    #expect(server.requests.allSatisfy { $0.maximumRedirects == 0 })
  }

  @Test(arguments: [
    "https://evil.example.com/a", "//evil.example.com/a", "http://publish.example.com/a",
    "https://publish.example.com:8443/a",
    "https://user@publish.example.com/a", "ftp://x/",
  ])
  func `to another server is not followed, with credentials or without`(location: String) async throws {
    for configuration in [Self.token, Self.anonymous] {
      let server = FakeAEM(redirect(location), answer(png))
      await #expect(throws: ContentError.self) {
        try await server.client(try #require(configuration)).image(path: "/a")
      }
      #expect(server.requests.allSatisfy { HTTPOrigin(url: $0.url)?.host == "publish.example.com" })
      #expect(server.requests.allSatisfy { HTTPOrigin(url: $0.url)?.port == 443 })
    }
  }

  @Test(arguments: [
    ("LOGIN", true), ("a/Sign-In.html#x", true), ("signin", true), ("a?login", false), ("a#signin", false),
  ])
  func `to another server is a sign-in where its path says so`(target: String, isSignIn: Bool) async throws {
    let server = FakeAEM(redirect("https://ims.example.com/\(target)"))
    let error = await #expect(throws: ContentError.self) { try await server.client().image(path: "/a") }
    #expect(error?.kind == (isSignIn ? .signInPage : .redirected))
  }

  @Test func `does not go round for ever, and to a sign-in page is told as such`() async throws {
    let server = FakeAEM()
    for _ in 0..<20 { server.answer(redirect("/a")) }
    let error = await #expect(throws: ContentError.self) { try await server.client().image(path: "/a") }
    #expect(error?.kind == .redirected)
    #expect(server.requests.count == 4)
    let closed = FakeAEM(redirect("https://ims.example.com/login?x"))
    let page = await #expect(throws: ContentError.self) { try await closed.client().image(path: "/a") }
    #expect(page?.kind == .signInPage)
  }
}
