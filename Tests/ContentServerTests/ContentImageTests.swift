import ContentServer
import Foundation
import HTTPServer
import JSONRPC
import Testing

private func get(_ target: String, of configuration: ContentServer.Configuration = .init()) async throws
  -> ServerResponse
{
  let parts = target.split(separator: "?", maxSplits: 1).map { String($0) }
  let request = ServerRequest(path: parts[0], query: parts.count > 1 ? parts[1] : nil)
  return try await ContentServer(configuration: configuration).respond(to: request)
}

private func images(_ variables: String = "", of configuration: ContentServer.Configuration = .init()) async throws
  -> [JSONValue]
{
  let response = try await get("/graphql/execute.json/wknd-shared/adventures-all" + variables, of: configuration)
  let items = try JSONCoding.parse(response.body)["data"]?["adventureList"]?["items"]?.arrayValue
  return try #require(items).compactMap { $0["primaryImage"] }
}

/// Width and height in the header of a PNG.
private func size(_ png: [UInt8]) -> [Int] {
  [16, 20].map { start in png[start..<(start + 4)].reduce(0) { $0 << 8 | Int($1) } }
}

@Suite(.timeLimit(.minutes(1)))
struct `An image of the content server` {
  @Test func `is a PNG at its path`() async throws {
    let image = try await images()[0]
    let response = try await get(try #require(image["_path"]?.stringValue))
    #expect(response.status == 200)
    #expect(response.header("Content-Type") == "image/png")
    #expect(response.header("Cache-Control") == "max-age=600")
    #expect(response.header("ETag") != nil)
    #expect(Array(response.body.prefix(8)) == [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
    #expect(size(response.body) == [600, 400])
  }

  @Test func `is another for each adventure`() async throws {
    var seen: Set<[UInt8]> = []
    let all = try await images(";imageWidth=60")
    for image in all { seen.insert(try await get(try #require(image["_dynamicUrl"]?.stringValue)).body) }
    #expect(seen.count == all.count)
  }

  @Test func `is the same every time`() async throws {
    let url = try #require(try await images(";imageWidth=60")[0]["_dynamicUrl"]?.stringValue)
    let (first, second) = (try await get(url), try await get(url))
    #expect(first.body == second.body)
  }

  @Test func `has the width of its dynamic URL`() async throws {
    let image = try await images(";imageWidth=51;imageQuality=50;imageFormat=WEBP")[0]
    let url = try #require(image["_dynamicUrl"]?.stringValue)
    #expect(url.hasPrefix("/adobe/dynamicmedia/deliver/dm-aid--"))
    #expect(url.contains(".webp?preferwebp=true&width=51&quality=50"))
    #expect(size(try await get(url).body) == [51, 34])
  }

  @Test func `has no dynamic URL on a local AEM`() async throws {
    let found = try await images(of: .init(hasDynamicURLs: false))
    #expect(found.allSatisfy { $0["_dynamicUrl"] == .null && $0["_path"] != nil })
  }

  @Test func `is not cached on author`() async throws {
    let path = try #require(try await images()[0]["_path"]?.stringValue)
    #expect(try await get(path, of: .init(isAuthor: true)).header("Cache-Control") == nil)
  }

  @Test func `that is not there is not found`() async throws {
    for path in ["/content/dam/x.png", "/adobe/dynamicmedia/deliver/dm-aid--x/y.jpg", "/content/dam/../../etc/passwd"] {
      #expect(try await get(path).status == 404)
    }
  }

  @Test func `comes from the root directory when there is one`() async throws {
    let root = FileManager.default.temporaryDirectory.path + "/annex-content-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: root) }
    try FileManager.default.createDirectory(atPath: root + "/img", withIntermediateDirectories: true)
    let list = """
      [{"slug": "a", "title": "A", "price": null, "primaryImage": {"_path": "/img/a.jpg"}},
       {"slug": "b", "title": "B", "primaryImage": {"_path": "/../secret"}}]
      """
    try Data(list.utf8).write(to: URL(fileURLWithPath: root + "/adventures.json"))
    try Data("jpeg".utf8).write(to: URL(fileURLWithPath: root + "/img/a.jpg"))
    let image = try await get("/img/a.jpg", of: .init(root: root))
    #expect(image.status == 200 && image.body == Array("jpeg".utf8))
    #expect(image.header("Content-Type") == "image/jpeg")
    #expect(try await get("/../secret", of: .init(root: root)).status == 404)
    #expect(try await images(of: .init(root: root)).count == 2)
  }

  @Test(arguments: ["", "[", "{}", "[1]", "[{\"slug\": \"a\"}]"])
  func `cannot come from a directory that is wrong`(text: String) throws {
    let root = FileManager.default.temporaryDirectory.path + "/annex-content-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: root) }
    if !text.isEmpty {
      try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: URL(fileURLWithPath: root + "/adventures.json"))
    }
    let error = #expect(throws: ContentRootError.self) {
      _ = try ContentServer(configuration: .init(root: root))
    }
    #expect(error?.message.contains("adventures.json") == true)
  }
}
