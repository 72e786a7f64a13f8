import ImageFile
import Testing

@testable import Images

@Suite(.timeLimit(.minutes(1)))
struct `A WebP file` {
  private static let picture = TestPicture.gradient(40, 30) { x, y in UInt8(255 - x - y) }

  @Test func `is lossless or lossy, as asked`() throws {
    let png = try PNGCodec.encode(Self.picture)
    let exact = try ImageRendering.render(png, as: ImageTransform(format: .WEBPLL))
    #expect(try TestPicture.pixels(of: exact.bytes).pixels == Self.picture.pixels)
    #expect(try WebPCodec.features(of: exact.bytes).isLossless)
    for format in [ImageTransform.Format.WEBP, .WEBPLY] {
      let made = try ImageRendering.render(png, as: ImageTransform(format: format, quality: 90))
      #expect(try !WebPCodec.features(of: made.bytes).isLossless)
      #expect(try TestPicture.pixels(of: made.bytes).distance(to: Self.picture) < 4)
      #expect(made.format == .webp && made.width == 40 && made.height == 30)
    }
  }

  @Test func `stays lossless when no format is asked for`() throws {
    let exact = try WebPCodec.encodeLossless(Self.picture)
    let made = try ImageRendering.render(exact, as: ImageTransform(flip: .VERTICAL))
    #expect(try TestPicture.pixels(of: made.bytes).pixels == Self.picture.turned(Turn(.VERTICAL)).pixels)
  }

  @Test func `that is animated is refused with its reason`() throws {
    // VP8X with the bit of animation, and an ANIM chunk.
    let header: [UInt8] = [0x02, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    let body =
      Array("WEBPVP8X".utf8) + [10, 0, 0, 0] + header + Array("ANIM".utf8) + [6, 0, 0, 0] + [0, 0, 0, 0, 0, 0]
    let file = Array("RIFF".utf8) + [UInt8(body.count), 0, 0, 0] + body
    let error = #expect(throws: ImageError.self) { try ImageRendering.size(of: file) }
    #expect(error?.message.contains("animated") == true)
  }

  @Test func `has sides of at most 16383 pixels`() throws {
    let line = Bitmap(PixelSize(width: 16_384, height: 1), pixels: Array(repeating: Pixel(1, 2, 3, 255), count: 16_384))
    let png = try PNGCodec.encode(line)
    let error = #expect(throws: ImageError.self) {
      try ImageRendering.render(png, as: ImageTransform(format: .WEBP))
    }
    #expect(error?.message.contains("16383") == true)
    _ = try ImageRendering.render(png, as: ImageTransform(format: .WEBP, width: 16_383))
  }
}
