import JSON
import Testing

@testable import ContentRepository

@Suite(.timeLimit(.minutes(1))) struct `The URL of a transformed picture` {
  private static func asset(_ path: String, _ type: String) -> ContentAsset {
    ContentAsset(
      path: path, id: "i", mimeType: type, width: nil, height: nil, size: nil, title: nil, author: nil,
      source: .memory([]), drawing: nil, limit: 0, stamp: "")
  }

  private static func url(_ transform: JSONObject?, _ path: String = "/a/hill.png", _ type: String = "image/png")
    -> String?
  {
    let url = DynamicURL(transform).url(of: asset(path, type))
    return url.map { $0.hasPrefix("/adobe/dynamicmedia/deliver/dm-aid--i/") ? String($0.dropFirst(38)) : $0 }
  }

  @Test(
    arguments: [
      (nil, "hill.png"), ([:], "hill.png"), (["preferWebp": false], "hill.png"), (["preferWebp": .null], "hill.png"),
      // The ending says the format, unless the format is one of several with it.
      (["format": "GIF"], "hill.gif"), (["format": "PNG"], "hill.png"), (["format": "PNG8"], "hill.png?format=PNG8"),
      (["format": "JPG"], "hill.jpg"), (["format": "PJPG"], "hill.jpg?format=PJPG"),
      (["format": "BJPG"], "hill.jpg?format=BJPG"), (["format": "WEBP"], "hill.webp"),
      (["format": "WEBPLL"], "hill.webp?format=WEBPLL"), (["format": "WEBPLY"], "hill.webp?format=WEBPLY"),
      // Numbers.
      (["quality": 0], "hill.png?quality=1"), (["quality": 1], "hill.png?quality=1"),
      (["quality": 100], "hill.png?quality=100"), (["quality": 101], "hill.png?quality=100"),
      (["quality": -5], "hill.png?quality=1"), (["quality": .null], "hill.png"), (["width": 0], "hill.png?width=0"),
      (["width": -1], "hill.png?width=0"), (["width": 1], "hill.png?width=1"), (["width": "1"], "hill.png"),
      // Sizes: one side is taken for both.
      (["size": ["width": 3]], "hill.png?size=3,3"), (["size": ["height": 4]], "hill.png?size=4,4"),
      (["size": ["width": 3, "height": 4]], "hill.png?size=3,4"), (["size": [:]], "hill.png"),
      (["size": ["width": .null, "height": .null]], "hill.png"), (["size": ["width": -3]], "hill.png?size=0,0"),
      (["crop": ["xOrigin": 1, "yOrigin": 2, "width": 3]], "hill.png?crop=1,2,3,3"),
      (["crop": ["xOrigin": 1, "yOrigin": 2, "height": 4]], "hill.png?crop=1,2,4,4"),
      (["crop": ["width": 3, "height": 4]], "hill.png?crop=0,0,3,4"),
      (["crop": ["xOrigin": 1, "yOrigin": 2]], "hill.png"),
      (["crop": ["xOrigin": -1, "yOrigin": 2, "width": 3]], "hill.png?crop=0,2,3,3"),
      (["rotation": "R90"], "hill.png?rotate=90"), (["rotation": "R180"], "hill.png?rotate=180"),
      (["rotation": "R270"], "hill.png?rotate=270"), (["flip": "VERTICAL"], "hill.png?flip=VERTICAL"),
      (
        [
          "quality": 9, "width": 8, "flip": "HORIZONTAL", "rotation": "R90", "size": ["width": 1], "format": "PNG8",
          "crop": ["xOrigin": 0, "yOrigin": 0, "width": 2], "preferWebp": true,
        ],
        "hill.png?preferwebp=true&format=PNG8&crop=0,0,2,2&size=1,1&rotate=90&flip=HORIZONTAL&width=8&quality=9"
      ),
      // Names.
      (["seoName": ""], "hill.png"), (["seoName": "é/?"], "%C3%A9%2F%3F.png"), (["seoName": "a.b"], "a.b.png"),
    ] as [(JSONObject?, String)])
  func `has all of the transform`(transform: JSONObject?, url: String) {
    #expect(Self.url(transform) == url)
  }

  @Test(
    arguments: [
      ("/a/b.c.jpeg", "image/jpeg", "b.c.jpg"), ("/a/b", "image/gif", "b.gif"), ("/a/b.x", "image/webp", "b.webp"),
      ("/a/.png", "image/png", ".png"), ("/a/b.svg", "image/svg+xml", nil), ("/a/b.tif", "image/tiff", nil),
      ("/a/b.avif", "image/avif", nil), ("/a/b.pdf", "application/pdf", nil), ("/a/b.png", "", nil),
    ] as [(String, String, String?)])
  func `has the name of the picture, when it can be transformed`(path: String, type: String, url: String?) {
    #expect(Self.url(nil, path, type) == url)
  }

  @Test func `cuts long names`() {
    func name(_ text: String) -> String? { Self.url(["seoName": .string(text)]) }
    let most = String(repeating: "a", count: 200)
    #expect(name(most) == most + ".png" && name(most + "a") == most + ".png")
    // Of the last letter one byte is left.
    #expect(name(String(repeating: "a", count: 199) + "é") == String(repeating: "a", count: 199) + "%C3.png")
  }
}
