import ContentClient
import JSON
import Testing

private let publish = "https://publish.example.com"

@Suite(.timeLimit(.minutes(1)))
struct `The address of a picture` {
  static let dynamic = "/adobe/dynamicmedia/deliver/dm-aid--1/bali.jpg"

  @Test(arguments: [
    ("/content/dam/wknd/a.jpg", "/content/dam/wknd/a.jpg"),
    ("/content/dam/My Photo é.jpg", "/content/dam/My%20Photo%20%C3%A9.jpg"),
    ("/content/dam/My%20Photo.jpg", "/content/dam/My%20Photo.jpg"), ("/a/100%.jpg", "/a/100%25.jpg"),
    ("/a/b.jpg?x=1&y=a b", "/a/b.jpg?x=1&y=a%20b"), ("/a..b/c...jpg", "/a..b/c...jpg"),
    ("/a/\"<>^`{|}", "/a/%22%3C%3E%5E%60%7B%7C%7D"),
    ("https://publish.example.com/a.jpg", "/a.jpg"), ("HTTPS://PUBLISH.example.com:443/a.jpg?w=1", "/a.jpg?w=1"),
    ("\(dynamic)?preferwebp=true&width=100", "\(dynamic)?preferwebp=true&width=100"),
  ])
  func `is that of the configured server`(text: String, target: String) throws {
    #expect(try ImageAddress(text, origin: publish).url == publish + target)
  }

  @Test(arguments: ["http", "https", "HTTP"]) func `may be said whole`(scheme: String) throws {
    let origin = "\(scheme.lowercased())://127.0.0.1:4503"
    #expect(try ImageAddress("\(scheme)://127.0.0.1:4503/a.jpg", origin: origin).url == "\(origin)/a.jpg")
  }

  @Test(arguments: [
    "", "a.jpg", "//evil.example.com/a.jpg", "https://evil.example.com/a.jpg", "http://publish.example.com/a.jpg",
    "https://publish.example.com:444/a.jpg", "https://publish.example.com.evil.com/a.jpg",
    "https://user@publish.example.com/a.jpg", "https://user:pw@publish.example.com/a.jpg",
    "https://publish.example.com@evil.example.com/a.jpg", "https://evil.example.com\\@publish.example.com/a.jpg",
    "/\\evil.example.com/a.jpg", "\\\\evil/a", "/a/../b", "/..", "/a/./b", "/a/%2e%2e/b", "/a/%2E./b",
    "/a/%252e%252e/b",
    "/a/%25252e%25252e/b", "/a%2f..%2fb", "/a%2f\u{301}b", "/%25\u{301}2e/b%2F\u{301}", "//\u{301}a", "/a#\u{301}",
    "/a/b%5c..", "/a%00.jpg", "/a\n.jpg", "/a\r\nHost: x", "/a\u{0}b", "/a#b",
    "javascript:alert(1)", "data:image/png;base64,AAAA", "file:///etc/passwd", "ftp://publish.example.com/a", "/", "//",
    "https://", "https:///a.jpg", "https://publish.example.com", "https://publish.example.com//evil.example.com/a",
    "https:/publish.example.com/a", "?a", "/\(String(repeating: "x", count: 9_000))",
  ])
  func `leads nowhere else`(text: String) {
    let error = #expect(throws: ContentError.self) { try ImageAddress(text, origin: publish) }
    #expect(error?.kind == .invalidPath)
    #expect(error?.recovery.contains("_dynamicUrl") == true)
  }

  @Test func `has 8,000 bytes at most, as it is sent`() throws {
    func size(_ text: String, _ rendition: ImageRendition = ImageRendition()) throws -> Int {
      try ImageAddress(text, origin: publish, rendition: rendition).url.utf8.count - publish.utf8.count
    }
    // Each letter is sent as six bytes.
    let longest = "/a" + String(repeating: "é", count: 1_333)
    #expect(try size(longest) == 8_000)
    let dynamic = "/adobe/" + String(repeating: "x", count: 8_000 - "/adobe/?width=1".utf8.count)
    #expect(try size(dynamic, ImageRendition(width: 1)) == 8_000)
    for (text, rendition) in [(longest + "b", ImageRendition()), (dynamic, ImageRendition(width: 10))] {
      let error = #expect(throws: ContentError.self) { try size(text, rendition) }
      #expect(error?.kind == .invalidPath && error?.message.contains("is longer than a URL may be") == true)
    }
  }

  typealias Case = (query: String, rendition: ImageRendition, result: String)
  static let renditions: [Case] = [
    ("", ImageRendition(width: 200), "?width=200"),
    ("?preferwebp=true&width=1200&quality=80", ImageRendition(width: 200), "?preferwebp=true&width=200&quality=80"),
    ("?width=1&x=2&WIDTH=3", ImageRendition(width: 200, height: 100), "?width=200&x=2&height=100"),
    ("?preferwebp=true&width=5", ImageRendition(format: "jpeg"), "?width=5&format=JPG"),
    (
      "?a=1", ImageRendition(width: 1, height: 2, format: "webp", quality: 3),
      "?a=1&width=1&height=2&quality=3&format=WEBP"
    ),
    ("?crop=1,2,3,4&rotate=90", ImageRendition(quality: 100), "?crop=1,2,3,4&rotate=90&quality=100"),
    ("", ImageRendition(), ""),
  ]

  @Test(arguments: renditions.indices) func `carries what the picture is to be like`(index: Int) throws {
    let (query, rendition, result) = Self.renditions[index]
    #expect(
      try ImageAddress(Self.dynamic + query, origin: publish, rendition: rendition).url == publish + Self.dynamic
        + result)
  }

  @Test func `of a plain file carries nothing of it: the server sends it as it is`() throws {
    let address = try ImageAddress("/content/dam/a.jpg", origin: publish, rendition: ImageRendition(width: 200))
    #expect(address.url == "\(publish)/content/dam/a.jpg")
  }

  @Test(arguments: [
    ImageRendition(width: 0), ImageRendition(width: -1), ImageRendition(height: 16_385), ImageRendition(quality: 0),
    ImageRendition(quality: 101), ImageRendition(width: .max), ImageRendition(format: "tiff"),
    ImageRendition(format: ""),
    ImageRendition(format: "PNG&x=1"),
  ])
  func `is refused for what no picture can be like`(rendition: ImageRendition) {
    let error = #expect(throws: ContentError.self) {
      try ImageAddress(Self.dynamic, origin: publish, rendition: rendition)
    }
    #expect(error?.kind == .invalidPath)
  }

  @Test(
    arguments: [
      (#"{"_path":"/p","_dynamicUrl":"/d"}"#, "/d"), (#"{"_path":"/p","_dynamicUrl":null}"#, "/p"),
      (#"{"_path":"/p"}"#, "/p"),
      (#"{"_path":"/p","_dynamicUrl":""}"#, "/p"), (#"{"_path":"/p","_dynamicUrl":5}"#, "/p"),
      (#"{"_path":null}"#, nil),
      ("{}", nil), ("null", nil), ("[]", nil), (#""/p""#, nil),
    ] as [(String, String?)])
  func `is the dynamic one, else the path, whichever is there`(image: String, path: String?) throws {
    #expect(ImageAddress.path(in: try JSONValue(parsing: image)) == path)
    #expect(ImageAddress.path(in: nil) == nil)
  }
}
