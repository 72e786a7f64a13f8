import ImageFile
import Testing

@testable import Images

@Suite(.timeLimit(.minutes(1)))
struct `The header of a picture` {
  /// A JPEG of these segments, up to its pixels.
  private static func jpeg(_ segments: [UInt8]..., end: [UInt8] = [0xFF, 0xDA, 0, 0]) -> [UInt8] {
    [0xFF, 0xD8] + segments.flatMap(\.self) + end
  }

  private static func frame(
    _ marker: UInt8 = 0xC0, bits: UInt8 = 8, components: UInt8 = 3, more: [UInt8] = []
  ) -> [UInt8] {
    [0xFF, marker, 0, UInt8(8 + more.count), bits, 1, 2, 3, 4, components] + more
  }

  private static func exif(_ orientation: UInt8, tag: UInt8 = 0x12) -> [UInt8] {
    let block: [UInt8] = [
      0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, tag, 0x01, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0, 0, 0, 0, 0,
    ]
    let content = Array("Exif\0\0".utf8) + block
    return [0xFF, 0xE1, 0, UInt8(content.count + 2)] + content
  }

  private static func message(_ file: [UInt8]) -> String? {
    let error = #expect(throws: ImageError.self) { try JPEGHeader(file) }
    return error?.message
  }

  @Test(arguments: [0xC0, 0xC1, 0xC2, 0xC9, 0xCA] as [UInt8])
  func `is the frame of a JPEG`(marker: UInt8) throws {
    let header = try JPEGHeader(Self.jpeg(Self.frame(marker)))
    #expect(header.size == PixelSize(width: 0x0304, height: 0x0102) && header.components == 3)
    #expect(header.orientation == 1 && !header.hasAdobeMark)
  }

  @Test(arguments: [0xC3, 0xC5, 0xC6, 0xC7, 0xCB, 0xCD, 0xCE, 0xCF] as [UInt8])
  func `is of a JPEG that is supported`(marker: UInt8) {
    #expect(
      Self.message(Self.jpeg(Self.frame(marker)))
        == "The JPEG file cannot be read: this kind of JPEG (lossless or hierarchical) is not supported.")
  }

  @Test func `has colours of eight bits`() throws {
    for components in [1, 3, 4] as [UInt8] {
      #expect(try JPEGHeader(Self.jpeg(Self.frame(components: components))).components == Int(components))
    }
    for components in [2, 5] as [UInt8] {
      let found = Self.message(Self.jpeg(Self.frame(components: components)))
      #expect(found == "The JPEG file cannot be read: it has \(components) colours.")
    }
    for bits in [7, 9, 12] as [UInt8] {
      let found = Self.message(Self.jpeg(Self.frame(bits: bits)))
      #expect(found == "The JPEG file cannot be read: it has \(bits) bits for each colour, and 8 are supported.")
    }
  }

  @Test func `is there once and whole`() throws {
    #expect(try JPEGHeader(Self.jpeg(Self.frame(more: [1, 0x11, 0]))).components == 3)
    let damaged = "The JPEG file cannot be read: its frame is damaged."
    #expect(Self.message(Self.jpeg(Self.frame(), Self.frame())) == damaged)
    #expect(Self.message(Self.jpeg([0xFF, 0xC0, 0, 7, 8, 1, 2, 3, 4])) == damaged)
    #expect(Self.message(Self.jpeg()) == "The JPEG file cannot be read: it does not say its size.")
    #expect(
      Self.message(Self.jpeg(Self.frame(), end: [0xFF, 0xE0, 0xFF, 0xFF]))
        == "The JPEG file cannot be read: a segment is longer than the file.")
    #expect(
      Self.message(Self.jpeg(Self.frame(), end: [])) == "The JPEG file cannot be read: it ends before its pixels.")
    #expect(
      Self.message(Self.jpeg(Self.frame(), end: [0, 0, 0, 0]))
        == "The JPEG file cannot be read: it ends before its pixels.")
  }

  @Test func `has an orientation and a mark of Adobe`() throws {
    let adobe: [UInt8] = [0xFF, 0xEE, 0, 7] + Array("Adobe".utf8)
    let other: [UInt8] = [0xFF, 0xEE, 0, 7] + Array("Adobx".utf8)
    #expect(try JPEGHeader(Self.jpeg(adobe, Self.frame())).hasAdobeMark)
    #expect(try !JPEGHeader(Self.jpeg(other, Self.frame())).hasAdobeMark)
    #expect(try JPEGHeader(Self.jpeg(Self.frame(), Self.exif(6))).orientation == 6)
    // One that says nothing, or nothing of sense, leaves it.
    #expect(try JPEGHeader(Self.jpeg(Self.exif(6), Self.exif(3, tag: 0x13), Self.frame())).orientation == 6)
    #expect(try JPEGHeader(Self.jpeg(Self.exif(6), Self.exif(9), adobe, Self.frame())).orientation == 6)
    #expect(try JPEGHeader(Self.jpeg(Self.exif(0), Self.frame())).orientation == 1)
  }

  @Test func `of a picture without pixels is refused`() {
    var file = Self.jpeg(Self.frame())
    file[7...10] = [0, 0, 3, 4]
    let error = #expect(throws: ImageError.self) { try ImageRendering.size(of: file) }
    #expect(error?.message == "The picture has no pixels: it is 772 x 0 pixels.")
  }

  // MARK: PNG and GIF

  @Test func `is the beginning of a PNG`() throws {
    let file = try PNGCodec.encode(TestPicture.gradient(300, 2))
    #expect(try PNGCodec.size(of: Array(file[..<33])) == PixelSize(width: 300, height: 2))
    let cut = #expect(throws: ImageError.self) { try PNGCodec.size(of: Array(file[..<32])) }
    #expect(cut?.message == "The PNG file cannot be read: it does not say its size.")
    var other = file
    other[15] = 0x53
    let wrong = #expect(throws: ImageError.self) { try PNGCodec.size(of: other) }
    #expect(wrong?.message == cut?.message)
    #expect(throws: ImageError.self) { try PNGCodec.decode(file, size: PixelSize(width: 300, height: 1)) }
    #expect(throws: ImageError.self) { try PNGCodec.decode(file, size: PixelSize(width: 299, height: 2)) }
  }

  @Test func `says whether a PNG has alpha`() throws {
    #expect(try PNGCodec.encode(TestPicture.six)[25] == 2)
    #expect(try PNGCodec.encode(TestPicture.gradient(4, 4) { x, _ in x == 3 ? 254 : 255 })[25] == 6)
  }

  @Test func `is the screen of a GIF`() throws {
    let head = Array("GIF89a".utf8) + [0x2C, 0x01, 0x03, 0x02, 0, 0, 0]
    #expect(try GIFDecoder.size(of: head) == PixelSize(width: 300, height: 515))
    let error = #expect(throws: ImageError.self) { try GIFDecoder.size(of: Array(head.dropLast())) }
    #expect(error?.message == "The GIF file cannot be read: it does not say its size.")
  }

  // MARK: Frames of a GIF

  private static let colours: [[UInt8]] = [[255, 0, 0], [0, 255, 0], [0, 0, 255]]
  /// What stands before the frame: the header and a table of 128 colours.
  private static let start = 13 + 384

  private static func gif(_ extensions: [UInt8]) throws -> [Pixel] {
    var file = TestGIF(screen: (3, 1), frame: (0, 0, 3, 1), colours: colours, indices: [0, 1, 2]).bytes
    file.insert(contentsOf: extensions, at: start)
    return try TestPicture.pixels(of: file).pixels
  }

  @Test func `says which colour of a GIF is none, the last time`() throws {
    let (red, green, blue) = (Pixel(255, 0, 0, 255), Pixel(0, 255, 0, 255), Pixel(0, 0, 255, 255))
    func control(_ flags: UInt8, _ index: UInt8) -> [UInt8] { [0x21, 0xF9, 4, flags, 9, 9, index, 0] }
    #expect(try Self.gif([]) == [red, green, blue])
    #expect(try Self.gif(control(1, 1)) == [red, Pixel(), blue])
    #expect(try Self.gif(control(0, 1)) == [red, green, blue])
    #expect(try Self.gif(control(0xFE, 1)) == [red, green, blue])
    #expect(try Self.gif(control(0xFF, 0)) == [Pixel(), green, blue])
    #expect(try Self.gif(control(1, 1) + control(1, 2)) == [red, green, Pixel()])
    #expect(try Self.gif(control(1, 1) + control(0, 2)) == [red, green, blue])
    // A comment of the same form is none.
    #expect(try Self.gif([0x21, 0xFE, 4, 1, 0, 0, 1, 0]) == [red, green, blue])
    #expect(try Self.gif(control(1, 1) + [0x21, 0xFE, 4, 0, 0, 0, 2, 0]) == [red, Pixel(), blue])
  }

  @Test func `has colours of the frame before those of the screen`() throws {
    var file = TestGIF(screen: (2, 1), frame: (0, 0, 2, 1), colours: Self.colours, indices: [0, 1]).bytes
    file[Self.start + 9] = 0x86
    file.insert(contentsOf: [9, 8, 7, 6, 5, 4] + [UInt8](repeating: 0, count: 378), at: Self.start + 10)
    #expect(try TestPicture.pixels(of: file).pixels == [Pixel(9, 8, 7, 255), Pixel(6, 5, 4, 255)])
    var none = TestGIF(screen: (2, 1), frame: (0, 0, 2, 1), colours: Self.colours, indices: [0, 1]).bytes
    none[10] = 0x76
    none.removeSubrange(13..<Self.start)
    let error = #expect(throws: ImageError.self) { try TestPicture.pixels(of: none) }
    #expect(error?.message == "The GIF file cannot be read: it has no colours.")
  }

  @Test func `has a frame within the limit`() throws {
    let file = TestGIF(
      screen: (1, 1), frame: (0, 0, 10, 5), colours: Self.colours, indices: Array(repeating: 1, count: 50)
    ).bytes
    let read = try GIFDecoder.decode(file, limits: ImageLimits(pixels: 50))
    #expect(read.pixels == [Pixel(0, 255, 0, 255)])
    let error = #expect(throws: ImageError.self) { try GIFDecoder.decode(file, limits: ImageLimits(pixels: 49)) }
    #expect(error?.message == "The picture is 10 x 5 pixels, and 49 pixels are allowed.")
  }

  @Test func `has a frame that begins within the screen`() throws {
    func read(_ left: Int, _ top: Int) throws -> [Int] {
      let file = TestGIF(
        screen: (3, 2), frame: (left, top, 2, 2), colours: Self.colours, indices: [0, 0, 0, 0])
      return try TestPicture.pixels(of: file.bytes).pixels.enumerated().filter { $0.element.w == 255 }.map(\.offset)
    }
    #expect(try read(0, 0) == [0, 1, 3, 4] && read(1, 0) == [1, 2, 4, 5] && read(2, 0) == [2, 5])
    #expect(try read(3, 0) == [] && read(0, 1) == [3, 4] && read(0, 2) == [] && read(2, 1) == [5])
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `The quality of a rendition` {
  private static let picture = TestPicture.gradient(40, 24)

  @Test(arguments: [(1, 0x22), (89, 0x22), (90, 0x11), (100, 0x11)] as [(Int, UInt8)])
  func `decides how fine the colours of a JPEG are`(quality: Int, sampling: UInt8) throws {
    let file = try JPEGCodec.encode(Self.picture, quality: quality, isProgressive: false)
    var segments = JPEGSegments(file)
    var found: UInt8?
    while let segment = segments.next() {
      if segment.marker == 0xC0 { found = Array(segment.content)[7] }
    }
    #expect(found == sampling)
  }

  @Test func `is eighty when nothing is said`() throws {
    let png = try PNGCodec.encode(Self.picture)
    func rendered(_ format: ImageTransform.Format, _ quality: Int? = nil) throws -> [UInt8] {
      try ImageRendering.render(png, as: ImageTransform(format: format, quality: quality)).bytes
    }
    let jpeg = try JPEGCodec.encode(Self.picture, quality: 80, isProgressive: false)
    #expect(try rendered(.JPG) == jpeg && rendered(.BJPG) == jpeg && rendered(.JPG, 80) == jpeg)
    #expect(try rendered(.JPG, 79) != jpeg)
    #expect(try rendered(.PJPG) == JPEGCodec.encode(Self.picture, quality: 80, isProgressive: true))
    let webp = try WebPCodec.encode(Self.picture, quality: 80)
    #expect(try rendered(.WEBP) == webp && rendered(.WEBPLY) == webp && rendered(.WEBP, 30) != webp)
    #expect(
      try rendered(.WEBPLL) == WebPCodec.encodeLossless(Self.picture) && rendered(.WEBPLL, 5) == rendered(.WEBPLL))
    #expect(try rendered(.PNG8) == PNGCodec.encodePalette(Self.picture))
    #expect(try rendered(.GIF) == GIFEncoder.encode(Self.picture) && rendered(.PNG) == png)
  }

  @Test func `makes a file anew, and nothing else keeps it`() throws {
    let jpeg = try JPEGCodec.encode(Self.picture, quality: 95, isProgressive: false)
    let same = try ImageRendering.render(jpeg, as: ImageTransform())
    #expect(same == RenderedImage(bytes: jpeg, format: .jpeg, width: 40, height: 24))
    let other = try ImageRendering.render(jpeg, as: ImageTransform(quality: 10))
    #expect(other.bytes != jpeg && other.format == .jpeg && other.width == 40 && other.height == 24)
    // Also what is not changed has to be possible.
    #expect(throws: ImageError.self) {
      try ImageRendering.render(jpeg, as: ImageTransform(), limits: ImageLimits(renditionPixels: 959))
    }
    _ = try ImageRendering.render(jpeg, as: ImageTransform(), limits: ImageLimits(renditionPixels: 960))
  }
}
