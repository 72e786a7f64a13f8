import Images
import Testing

@testable import ContentServer

@Suite(.timeLimit(.minutes(1)))
struct `The query of a picture` {
  private static func transform(_ query: String?, _ name: String = "hill") throws -> ImageTransform {
    try PictureRequest(name: name, query: query, accept: nil).transform
  }

  @Test(
    arguments: [
      (nil, ImageTransform()), ("", ImageTransform()), ("&&", ImageTransform()),
      ("colour=red&Width=5", ImageTransform()),
      ("width=0", ImageTransform(width: 1)), ("width=-5", ImageTransform(width: 1)),
      ("width=1", ImageTransform(width: 1)), ("width=2", ImageTransform(width: 2)),
      ("width=4095", ImageTransform(width: 4_095)), ("width=4096", ImageTransform(width: 4_096)),
      ("width=4097", ImageTransform(width: 4_096)), ("width=2147483647", ImageTransform(width: 4_096)),
      ("%77idth=%35", ImageTransform(width: 5)), ("width=5&width=6", ImageTransform(width: 6)),
      ("quality=-1", ImageTransform(quality: 1)), ("quality=0", ImageTransform(quality: 1)),
      ("quality=1", ImageTransform(quality: 1)), ("quality=2", ImageTransform(quality: 2)),
      ("quality=99", ImageTransform(quality: 99)), ("quality=100", ImageTransform(quality: 100)),
      ("quality=101", ImageTransform(quality: 100)),
      ("crop=1,2,3,4", ImageTransform(crop: .init(xOrigin: 1, yOrigin: 2, width: 3, height: 4))),
      ("crop=0,0,0,0", ImageTransform(crop: .init(xOrigin: 0, yOrigin: 0, width: 0, height: 0))),
      ("size=3,4", ImageTransform(size: .init(width: 3, height: 4))),
      ("size=4096,4096", ImageTransform(size: .init(width: 4_096, height: 4_096))),
      ("size=4097,5", ImageTransform(size: .init(width: 4_096, height: 5))),
      ("size=5,4097", ImageTransform(size: .init(width: 5, height: 4_096))),
      ("rotate=90", ImageTransform(rotation: .R90)), ("rotate=R90", ImageTransform(rotation: .R90)),
      ("rotate=180", ImageTransform(rotation: .R180)), ("rotate=R180", ImageTransform(rotation: .R180)),
      ("rotate=270", ImageTransform(rotation: .R270)), ("rotate=R270", ImageTransform(rotation: .R270)),
      ("flip=HORIZONTAL", ImageTransform(flip: .HORIZONTAL)), ("flip=vertical", ImageTransform(flip: .VERTICAL)),
      ("flip=HORIZONTAL_AND_VERTICAL", ImageTransform(flip: .HORIZONTAL_AND_VERTICAL)),
      ("format=PNG8", ImageTransform(format: .PNG8)), ("format=jpeg", ImageTransform(format: .JPG)),
      ("format=JPEG", ImageTransform(format: .JPG)), ("format=webply", ImageTransform(format: .WEBPLY)),
      ("format=PNG&format=GIF", ImageTransform(format: .GIF)),
      ("width=3&format=GIF&quality=4", ImageTransform(format: .GIF, quality: 4, width: 3)),
    ] as [(String?, ImageTransform)])
  func `is a transform`(query: String?, transform: ImageTransform) throws {
    #expect(try Self.transform(query) == transform)
  }

  @Test(
    arguments: [
      ("hill.png", .PNG), ("hill.PNG", .PNG), ("hill.jpg", .JPG), ("hill.jpeg", .JPG), ("hill.gif", .GIF),
      ("hill.webp", .WEBP), ("a.gif.png", .PNG), ("hill.bmp", nil), ("hill", nil), ("", nil),
    ] as [(String, ImageTransform.Format?)])
  func `has the format of the name where it says none`(name: String, format: ImageTransform.Format?) throws {
    #expect(try Self.transform(nil, name) == ImageTransform(format: format))
    #expect(try Self.transform("format=BJPG", name) == ImageTransform(format: .BJPG))
  }

  @Test(arguments: [
    ("width=", "width", ""), ("width", "width", ""), ("width=ten", "width", "ten"), ("width=1.5", "width", "1.5"),
    ("width=2147483648", "width", "2147483648"), ("width=5=6", "width", "5=6"), ("quality=", "quality", ""),
    ("quality=-2147483649", "quality", "-2147483649"), ("format=", "format", ""), ("format=BMP", "format", "BMP"),
    ("crop=1,2,3", "crop", "1,2,3"), ("crop=1,2,3,4,5", "crop", "1,2,3,4,5"), ("crop=1,2,,4", "crop", "1,2,,4"),
    ("crop=-1,0,5,5", "crop", "-1,0,5,5"), ("crop=1,2,x,4", "crop", "1,2,x,4"), ("size=1", "size", "1"),
    ("size=1,2,3", "size", "1,2,3"), ("size=1,-2", "size", "1,-2"), ("rotate=45", "rotate", "45"),
    ("rotate=r90", "rotate", "r90"), ("rotate=", "rotate", ""), ("flip=", "flip", ""),
    ("flip=DIAGONAL%1B", "flip", "DIAGONAL\u{FFFD}"), ("width=5&width=x", "width", "x"),
  ])
  func `is refused with what is wrong`(query: String, key: String, value: String) {
    let fault = #expect(throws: PictureFault.self) { try Self.transform(query) }
    #expect(fault?.message == "“\(key)” cannot be “\(value)”.")
  }

  @Test(arguments: ["%FF=1", "width=%FF", "%", "a%2", "x=%g0"])
  func `is refused when it is not UTF-8`(query: String) {
    let fault = #expect(throws: PictureFault.self) { try Self.transform(query) }
    #expect(fault?.message == "The query is not UTF-8.")
  }

  @Test(
    arguments: [
      ("image/webp", true), ("IMAGE/WEBP", true), ("text/html, image/webp", true), ("image/webp ;q=0.1", true),
      ("image/webp;q=1", true), ("image/webp;q=x", true), ("image/webp;v=0", true), ("image/webp;q=0,image/webp", true),
      ("image/webp;q=0", false), ("image/webp;q=0.000", false), ("image/webp ; Q=0", false),
      ("image/webp;v=1;q=0", false), ("image/png", false), ("image/*", false), ("*/*", false), ("webp", false),
      ("image/webpx", false), ("", false), (nil, false),
    ] as [(String?, Bool)])
  func `gives WebP to who takes it`(accept: String?, takes: Bool) throws {
    let request = try PictureRequest(name: "hill.png", query: "preferwebp=true", accept: accept)
    #expect(request.prefersWebP && request.transform.format == (takes ? .WEBP : .PNG))
    for query in ["preferwebp=false", "preferwebp=", "preferwebp=1", "preferwebp=true&preferwebp=no", ""] {
      let other = try PictureRequest(name: "hill.png", query: query, accept: accept)
      #expect(!other.prefersWebP && other.transform.format == .PNG)
    }
  }

  @Test(
    arguments: [
      ("WEBPLL", .WEBPLL), ("WEBPLY", .WEBPLY), ("WEBP", .WEBP), ("GIF", .WEBP), ("JPG", .WEBP), ("PNG8", .WEBP),
    ] as [(String, ImageTransform.Format)])
  func `keeps the sort of WebP that it names`(name: String, format: ImageTransform.Format) throws {
    let query = "preferwebp=TRUE&format=\(name)"
    let request = try PictureRequest(name: "hill.png", query: query, accept: "image/webp")
    #expect(request.prefersWebP && request.transform.format == format)
  }
}
