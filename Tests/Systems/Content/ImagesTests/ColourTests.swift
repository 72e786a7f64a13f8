import Testing

@testable import Images

@Suite(.timeLimit(.minutes(1)))
struct `The colours of a palette` {
  private static func bitmap(_ pixels: [Pixel], width: Int? = nil) -> Bitmap {
    let width = width ?? pixels.count
    return Bitmap(PixelSize(width: width, height: pixels.count / width), pixels: pixels)
  }

  private static func grey(_ value: Int) -> Pixel { Pixel(UInt8(value), UInt8(value), UInt8(value), 255) }

  private static func greys(_ values: [Int]) -> [Pixel] { values.map { grey($0) } }

  /// Sixty colours, some of them clear.
  private static let picture: [Pixel] = (0..<60).map { place in
    let (x, y): (Int, Int) = (place % 10, place / 10)
    var alpha = 255
    if (x + y) % 4 == 0 { alpha = x % 3 == 0 ? 0 : 90 + x * 12 }
    let (red, green, blue) = (x * 27 + y * 5, y * 45 + x * 3, x * x * 3 + y * 11)
    return Pixel(UInt8(red % 256), UInt8(green % 256), UInt8(blue % 256), UInt8(alpha))
  }

  // MARK: Few colours

  @Test func `are those of the picture when they are few, in their order`() {
    let (red, blue) = (Pixel(255, 0, 0, 255), Pixel(0, 0, 255, 7))
    let indexed = IndexedBitmap(
      Self.bitmap([red, blue, blue, red, Pixel(1, 2, 3, 0), red, Pixel(9, 9, 9, 0)]), colours: 3)
    #expect(indexed.palette == [red, blue, Pixel()] && indexed.indices == [0, 1, 1, 0, 2, 0, 2])
    let clear = IndexedBitmap(Self.bitmap([Pixel(1, 2, 3, 0), Pixel()]), colours: 2)
    #expect(clear.palette == [Pixel()] && clear.indices == [0, 0])
  }

  @Test func `are as many as there may be, and no more`() {
    let all = (0..<256).map(Self.grey)
    let indexed = IndexedBitmap(Self.bitmap(all), colours: 256)
    #expect(indexed.palette == all && indexed.indices == (0...255).map { UInt8($0) })
    let more = IndexedBitmap(Self.bitmap(all + [Pixel(255, 0, 0, 255)]), colours: 256)
    #expect(more.palette.count <= 256 && more.palette != all && more.indices.count == 257)
    let three = IndexedBitmap(Self.bitmap(Self.greys([0, 64, 128])), colours: 3)
    #expect(three.palette == Self.greys([0, 64, 128]))
    #expect(IndexedBitmap(Self.bitmap(Self.greys([0, 64, 128])), colours: 2).palette.count == 2)
  }

  // MARK: Many colours

  @Test(
    arguments: [
      (Pixel(0, 0, 0, 0), 0), (Pixel(7, 7, 7, 31), 0), (Pixel(8, 0, 0, 0), 8_192), (Pixel(0, 8, 0, 0), 256),
      (Pixel(0, 0, 8, 0), 8), (Pixel(0, 0, 0, 32), 1), (Pixel(255, 255, 255, 255), 262_143),
      (Pixel(16, 24, 32, 64), 17_186),
    ] as [(Pixel, Int)])
  func `are known by their highest bits`(pixel: Pixel, cell: Int) {
    #expect(ColourBox.cell(of: pixel) == cell && cell < ColourBox.cells)
  }

  @Test func `are the means of what is near`() {
    func palette(_ values: [Int], _ colours: Int) -> [Pixel] {
      ColourBox.palette(of: Self.bitmap(Self.greys(values)), colours: colours)
    }
    #expect(palette([0, 64, 128, 192], 2) == Self.greys([32, 160]))
    #expect(palette([0, 64, 128, 255], 3) == Self.greys([32, 128, 255]))
    #expect(palette([0, 0, 0, 200], 2) == Self.greys([0, 200]))
    #expect(palette([0, 200, 200, 200], 2) == Self.greys([0, 200]))
    // Half is rounded up; what shares a cell is one.
    #expect(palette([0, 1], 1) == Self.greys([1]))
    #expect(palette([0, 1], 2) == Self.greys([1]))
    #expect(palette([0, 0, 1], 1) == Self.greys([0]))
    #expect(palette([5], 256) == Self.greys([5]))
  }

  @Test func `have one for what is clear`() {
    let pixels = [Self.grey(0), Self.grey(64), Pixel(9, 9, 9, 0), Self.grey(128), Self.grey(192)]
    #expect(ColourBox.palette(of: Self.bitmap(pixels), colours: 3) == [Pixel(), Self.grey(32), Self.grey(160)])
    let all = ColourBox.palette(of: Self.bitmap(pixels), colours: 9)
    #expect(all.first == Pixel() && Array(all.dropFirst()) == Self.greys([0, 128, 64, 192]))
  }

  @Test func `are cut at the middle, one box after another`() {
    let palette = ColourBox.palette(of: Self.bitmap(Self.picture, width: 10), colours: 6)
    #expect(
      palette == [
        Pixel(), Pixel(63, 48, 31, 235), Pixel(190, 69, 159, 243), Pixel(29, 195, 43, 233), Pixel(186, 202, 164, 228),
        Pixel(113, 159, 54, 255),
      ])
  }

  @Test func `are spread over their neighbours`() {
    let clear = IndexedBitmap(Self.bitmap(Self.picture, width: 10), colours: 6)
    #expect(
      clear.indices == [
        0, 1, 1, 1, 1, 2, 1, 2, 2, 2,
        1, 1, 1, 0, 1, 2, 2, 2, 2, 2,
        1, 1, 1, 5, 1, 2, 0, 2, 2, 2,
        3, 3, 3, 5, 5, 5, 4, 2, 4, 0,
        0, 3, 5, 5, 4, 5, 4, 4, 4, 3,
        3, 3, 3, 0, 5, 4, 4, 4, 4, 3,
      ])
    let opaque = Self.picture.map { Pixel($0.x, $0.y, $0.z, 255) }
    let indexed = IndexedBitmap(Self.bitmap(opaque, width: 10), colours: 3)
    #expect(indexed.palette == [Pixel(22, 133, 29, 255), Pixel(183, 136, 155, 255), Pixel(96, 100, 45, 255)])
    #expect(
      indexed.indices == [
        2, 2, 2, 2, 2, 2, 2, 1, 1, 1,
        2, 2, 2, 2, 2, 2, 1, 1, 1, 1,
        0, 2, 2, 2, 2, 2, 1, 1, 1, 1,
        0, 0, 0, 2, 2, 1, 1, 1, 1, 2,
        0, 0, 0, 2, 1, 1, 1, 1, 1, 0,
        0, 0, 1, 0, 1, 1, 1, 1, 1, 0,
      ])
  }

  // MARK: Alpha

  @Test func `are mixed with white where they are not opaque`() {
    let pixels = [
      Pixel(0, 0, 0, 255), Pixel(0, 100, 255, 0), Pixel(0, 255, 100, 127), Pixel(255, 0, 0, 128), Pixel(10, 20, 30, 1),
    ]
    let white = Self.bitmap(pixels).onWhite
    #expect(
      white.pixels == [
        Pixel(0, 0, 0, 255), Pixel(255, 255, 255, 255), Pixel(128, 255, 178, 255), Pixel(255, 127, 127, 255),
        Pixel(254, 254, 254, 255),
      ])
    #expect(white.isOpaque && !Self.bitmap(pixels).isOpaque && Self.bitmap([pixels[0]]).isOpaque)
  }

  @Test func `are clear in a GIF below one half`() throws {
    let pixels = [Pixel(255, 0, 0, 127), Pixel(255, 0, 0, 128), Pixel(0, 255, 0, 255), Pixel(1, 2, 3, 0)]
    let read = try TestPicture.pixels(of: GIFEncoder.encode(Self.bitmap(pixels)))
    #expect(read.pixels == [Pixel(), Pixel(255, 0, 0, 255), Pixel(0, 255, 0, 255), Pixel()])
    for one in [Pixel(1, 2, 3, 255), Pixel()] {
      #expect(try TestPicture.pixels(of: GIFEncoder.encode(Self.bitmap([one]))).pixels == [one])
    }
  }

  @Test func `keep their alpha in a PNG with a palette`() throws {
    let pixels = [Pixel(255, 0, 0, 127), Pixel(255, 0, 0, 128), Pixel(0, 255, 0, 255), Pixel()]
    let file = try PNGCodec.encodePalette(Self.bitmap(pixels))
    #expect(file[25] == 3)
    #expect(try TestPicture.pixels(of: file).pixels == pixels)
  }
}
