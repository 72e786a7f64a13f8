import ImageFile
import ContentServer
import HTTPServer
import Images
import JSON
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `A picture of the content server` {
  private let site: TestSite
  private let server: ContentServer

  init() throws {
    site = try TestSite()
    server = try ContentServer(configuration: .init(root: site.root))
  }

  private func picture(_ variables: String = "", of server: ContentServer? = nil) async throws -> JSONValue {
    let answer = try json(await ask("\(TestSite.list);limit=1\(variables)", of: server ?? self.server))
    return try #require(answer["data"]?["tripList"]?["items"]?[0]?["picture"])
  }

  private func url(_ variables: String = "") async throws -> String {
    try #require(try await picture(variables)["_dynamicUrl"]?.stringValue)
  }

  @Test func `is the file at its path`() async throws {
    let response = await ask("/content/dam/site/hill.png?width=3", of: server)
    #expect(response.status == 200 && response.body == Landscape.bytes)
    #expect(response.header("Content-Type") == "image/png")
    #expect(response.header("Cache-Control") == "max-age=600")
    let tag = try #require(response.header("ETag"))
    let again = await ask("/content/dam/site/hill.png", headers: [ServerField("If-None-Match", tag)], of: server)
    #expect(again.status == 304)
    var author = ContentServer.Configuration(root: site.root)
    author.isAuthor = true
    #expect(
      await ask("/content/dam/site/hill.png", of: try ContentServer(configuration: author)).header("Cache-Control")
        == nil)
  }

  @Test(arguments: [
    ("GIF", ImageFormat.gif, "gif"), ("PNG", .png, "png"), ("PNG8", .png, "png"), ("JPG", .jpeg, "jpg"),
    ("PJPG", .jpeg, "jpg"), ("BJPG", .jpeg, "jpg"), ("WEBP", .webp, "webp"), ("WEBPLL", .webp, "webp"),
    ("WEBPLY", .webp, "webp"),
  ])
  func `has the format and the width of its dynamic URL`(name: String, format: ImageFormat, ending: String) async throws
  {
    let url = try await url(";format=\(name);width=30;quality=50")
    #expect(url.hasPrefix("/adobe/dynamicmedia/deliver/dm-aid--") && url.contains("/hill.\(ending)?"))
    let response = await ask(url, of: server)
    #expect(response.status == 200)
    #expect(response.header("Content-Type") == format.mimeType)
    #expect(ImageFormat(response.body) == format)
    let size = try ImageRendering.size(of: response.body)
    #expect(size.width == 30 && size.height == 20)
    #expect(await ask(url, of: server).body == response.body)
  }

  @Test(arguments: [
    ("image/avif,image/webp,image/*;q=0.8", "image/webp"), ("IMAGE/WEBP ; q=0.5", "image/webp"), ("*/*", "image/jpeg"),
    ("image/webp;q=0", "image/jpeg"), ("image/webpx", "image/jpeg"), ("", "image/jpeg"),
  ])
  func `is WebP for who takes that`(accept: String, type: String) async throws {
    let url = try await url(";format=JPG;width=30")
    #expect(url.contains("preferwebp=true"))
    let response = await ask(url, headers: [ServerField("Accept", accept)], of: server)
    #expect(response.header("Content-Type") == type && response.header("Vary") == "Accept")
    #expect(ImageFormat(response.body)?.mimeType == type)
    let plain = url.replacing("preferwebp=true", with: "preferwebp=false")
    let other = await ask(plain, headers: [ServerField("Accept", accept)], of: server)
    #expect(other.header("Content-Type") == "image/jpeg" && other.header("Vary") == nil)
  }

  @Test(arguments: [
    ("crop=10,5,20,10", 20, 10), ("size=7,9", 7, 9), ("rotate=90", 40, 60), ("rotate=R180", 60, 40),
    ("flip=HORIZONTAL_AND_VERTICAL&width=6", 6, 4), ("crop=0%2C0%2C30%2C30&width=10", 10, 10), ("width=99999", 60, 40),
    ("width=0&quality=0", 1, 1), ("quality=1000", 60, 40), ("colour=red&&x", 60, 40), ("width=5&width=6", 6, 4),
  ])
  func `is changed as its query says`(query: String, width: Int, height: Int) async throws {
    let path = try await url().split(separator: "?")[0]
    let response = await ask("\(path)?\(query)", of: server)
    #expect(response.status == 200, "\(text(response))")
    let size = try ImageRendering.size(of: response.body)
    #expect(size.width == width && size.height == height)
  }

  @Test(arguments: [
    "width=", "width=ten", "width=99999999999999999999", "quality=x", "format=BMP", "crop=1,2,3", "crop=-1,0,5,5",
    "crop=0,0,0,0", "size=1", "rotate=45", "flip=DIAGONAL", "%FF=1", "size=x,y", "crop=1,1,1,1,1",
    "crop=9223372036854775807,0,9223372036854775807,1", "crop=1000,1000,5,5",
  ])
  func `is refused with words when its query makes no sense`(query: String) async throws {
    let path = try await url().split(separator: "?")[0]
    let response = await ask("\(path)?\(query)", of: server)
    #expect(response.status == 400 && !response.body.isEmpty)
    #expect(response.header("Content-Type")?.hasPrefix("text/plain") == true)
  }

  @Test func `is no more than this server makes`() async throws {
    let path = try await url().split(separator: "?")[0]
    let response = await ask("\(path)?size=1000000,2&format=GIF", of: server)
    #expect(try ImageRendering.size(of: response.body).width == 4096)
  }

  @Test(arguments: [
    "/content/dam/x.png", "/adobe/dynamicmedia/deliver/dm-aid--x/y.jpg", "/adobe/dynamicmedia/deliver/dm-aid--",
    "/content/dam/site", "/content/dam/site/", "/content/dam/site/../site/hill.png",
  ])
  func `that is not there is not found`(path: String) async throws {
    #expect(await ask(path, of: server).status == 404)
  }

  @Test func `that is none any more is an error, and no rendition of the old one`() async throws {
    let url = try await url(";width=30;format=PNG")
    #expect(await ask(url, of: server).status == 200)
    try site.write("content/dam/site/hill.png", Array(Landscape.bytes.prefix(100)))
    server.reload()
    let broken = await ask(url, of: server)
    #expect(broken.status == 400)
    #expect(text(broken).contains("PNG"))
  }

  @Test func `of a kind that is not changed is sent as it is, whatever is asked for`() async throws {
    let id = "01234567-89ab-cdef-0123-456789abcdef"
    try site.write("content/dam/site/line.svg", "<svg/>")
    try site.write("content/dam/site/line.svg.json", #"{"id": "\#(id)"}"#)
    server.reload()
    let accept = [ServerField("Accept", "image/webp")]
    for query in ["", "?width=5&format=PNG&preferwebp=true", "?width=none"] {
      let target = "/adobe/dynamicmedia/deliver/dm-aid--\(id)/line.svg\(query)"
      let response = await ask(target, headers: accept, of: server)
      #expect(response.status == 200 && text(response) == "<svg/>", "\(query)")
      #expect(response.header("Content-Type") == "image/svg+xml" && response.header("Vary") == nil)
      #expect(response.header("X-Content-Type-Options") == "nosniff")
    }
  }

  @Test func `has no dynamic URL on a local AEM`() async throws {
    let server = try ContentServer(configuration: .init(root: site.root, hasDynamicURLs: false))
    let picture = try await picture(of: server)
    #expect((picture["_dynamicUrl"] ?? .null).isNull && picture["_path"] == "/content/dam/site/hill.png")
  }
}
