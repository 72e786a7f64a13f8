import Testing

@testable import Images

@Suite(.timeLimit(.minutes(1)))
struct `A GIF file` {
  private static let colours: [[UInt8]] = [[255, 0, 0], [0, 255, 0], [0, 0, 255]]
  private static let clear = Pixel()
  private static let red = Pixel(255, 0, 0, 255)
  private static let green = Pixel(0, 255, 0, 255)

  @Test func `is read with the colour that is none`() throws {
    let file = TestGIF(
      screen: (3, 1), frame: (0, 0, 3, 1), colours: Self.colours, transparentIndex: 2, indices: [0, 1, 2])
    let read = try TestPicture.pixels(of: file.bytes)
    #expect(read.pixels == [Self.red, Self.green, Self.clear])
  }

  @Test func `has a frame that covers a part of the screen, or more than it`() throws {
    let file = TestGIF(screen: (3, 2), frame: (2, 1, 2, 2), colours: Self.colours, indices: [0, 1, 1, 1])
    let read = try TestPicture.pixels(of: file.bytes)
    #expect(read.pixels == [Self.clear, Self.clear, Self.clear, Self.clear, Self.clear, Self.red])
    let beyond = TestGIF(screen: (2, 1), frame: (9, 9, 1, 1), colours: Self.colours, indices: [0])
    #expect(try TestPicture.pixels(of: beyond.bytes).pixels == [Self.clear, Self.clear])
  }

  @Test func `is read with its rows in another order`() throws {
    let order = [0, 8, 4, 2, 6, 10, 1, 3, 5, 7, 9]
    let colours = (0..<11).map { [UInt8($0 * 20), 0, 0] }
    let file = TestGIF(
      screen: (2, 11), frame: (0, 0, 2, 11), colours: colours, isInterlaced: true,
      indices: order.flatMap { [UInt8($0), UInt8($0)] })
    let read = try TestPicture.pixels(of: file.bytes)
    for (index, pixel) in read.pixels.enumerated() { #expect(Int(pixel.x) == index / 2 * 20) }
  }

  @Test func `shows nothing for an index that has no colour`() throws {
    var bytes = TestGIF(screen: (1, 1), frame: (0, 0, 1, 1), colours: Self.colours, indices: [100]).bytes
    // A table of four colours.
    bytes[10] = 0xF1
    bytes.removeSubrange(13 + 12..<13 + 384)
    #expect(try TestPicture.pixels(of: bytes).pixels == [Self.clear])
  }

  @Test func `is written with at most 256 colours, and is clear or not`() throws {
    let picture = TestPicture.gradient(60, 60) { x, _ in x < 20 ? 0 : x < 40 ? 100 : 200 }
    let read = try TestPicture.pixels(of: GIFEncoder.encode(picture))
    #expect(Set(read.pixels).count <= 256)
    for (index, pixel) in read.pixels.enumerated() { #expect(pixel.w == (index % 60 < 40 ? 0 : 255)) }
  }

  @Test func `keeps few colours as they are`() throws {
    #expect(try TestPicture.pixels(of: GIFEncoder.encode(TestPicture.six)).pixels == TestPicture.six.pixels)
  }

  @Test func `without a frame is refused`() {
    let file = Array("GIF89a".utf8) + [1, 0, 1, 0, 0, 0, 0, 0x3B]
    #expect(throws: ImageError.self) { try ImageRendering.render(file, as: ImageTransform(format: .PNG)) }
  }
}
