import CTurboJPEG
import Testing

@testable import Images

@Suite(.timeLimit(.minutes(1)))
struct `A JPEG file` {
  private static let photo = TestPicture.gradient(64, 48)

  /// A file that asks to be turned.
  private static func file(_ picture: Bitmap, orientation: UInt8, isLittle: Bool = true) throws -> [UInt8] {
    let block: [UInt8] =
      isLittle
      ? [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0, 0, 0, 0, 0]
      : [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]
    let content = Array("Exif\0\0".utf8) + block
    let jpeg = try JPEGCodec.encode(picture, quality: 100, isProgressive: false)
    return jpeg[..<2] + [0xFF, 0xE1, 0, UInt8(content.count + 2)] + content + jpeg[2...]
  }

  @Test(arguments: UInt8(1)...8, [true, false])
  func `is upright, whatever its camera was`(orientation: UInt8, isLittle: Bool) throws {
    let file = try Self.file(Self.photo, orientation: orientation, isLittle: isLittle)
    let made = try ImageRendering.render(file, as: ImageTransform(format: .PNG))
    let size = try ImageRendering.size(of: file)
    #expect(size == (orientation < 5 ? (64, 48) : (48, 64)))
    #expect((made.width, made.height) == size)
    let read = try TestPicture.pixels(of: made.bytes)
    // Where red and green grow to, by the meaning of the tag: the side of row 0 and that of column 0.
    let first = read.pixels[0]
    let corner: (red: Bool, green: Bool) =
      [
        (false, false), (true, false), (true, true), (false, true), (false, false), (false, true), (true, true),
        (true, false),
      ][Int(orientation) - 1]
    #expect((first.x > 128) == corner.red && (first.y > 128) == corner.green)
    let right = read.pixels[made.width - 1]
    #expect((first.x > 128) != (right.x > 128) || orientation >= 5)
    #expect((first.y > 128) != (right.y > 128) || orientation < 5)
  }

  @Test func `is progressive or baseline, as asked`() throws {
    let png = try PNGCodec.encode(Self.photo)
    for (format, marker) in [(ImageTransform.Format.JPG, UInt8(0xC0)), (.BJPG, 0xC0), (.PJPG, 0xC2)] {
      let made = try ImageRendering.render(png, as: ImageTransform(format: format))
      #expect(zip(made.bytes, made.bytes.dropFirst()).contains { $0 == 0xFF && $1 == marker }, "\(format)")
      #expect(try TestPicture.pixels(of: made.bytes).distance(to: Self.photo) < 4)
    }
  }

  @Test func `has no alpha, but what is on white`() throws {
    let picture = Bitmap(
      PixelSize(width: 16, height: 16), pixels: Array(repeating: Pixel(255, 0, 0, 127), count: 256))
    let read = try TestPicture.pixels(of: JPEGCodec.encode(picture, quality: 95, isProgressive: false))
    let expected = Bitmap(picture.size, pixels: Array(repeating: Pixel(255, 128, 128, 255), count: 256))
    #expect(read.distance(to: expected) < 2)
  }

  @Test func `of four inks is read as colours`() throws {
    let inks: [UInt8] = Array(repeating: [255, 100, 50, 128], count: 256).flatMap(\.self)
    guard let encoder = tjInitCompress() else { throw ImageError("no encoder") }
    var (buffer, count): (UnsafeMutablePointer<UInt8>?, UInt) = (nil, 0)
    defer {
      tjFree(buffer)
      tjDestroy(encoder)
    }
    let status = tjCompress2(
      encoder, inks, 16, 0, 16, Int32(TJPF_CMYK.rawValue), &buffer, &count, Int32(TJSAMP_444.rawValue), 100, 0)
    #expect(status == 0)
    let file = Array(UnsafeBufferPointer(start: buffer, count: Int(count)))
    let expected = Bitmap(
      PixelSize(width: 16, height: 16), pixels: Array(repeating: Pixel(128, 50, 25, 255), count: 256))
    #expect(try TestPicture.pixels(of: file).distance(to: expected) < 2)
    // Without the mark of Adobe, 255 is all of an ink.
    let mark = try #require(file.indices.first { file[$0...].starts(with: [0xFF, 0xEE]) })
    let plain = Array(file[..<mark] + file[(mark + 16)...])
    let header = try JPEGHeader(plain)
    #expect(header.components == 4 && !header.hasAdobeMark)
    #expect(try JPEGHeader(file).hasAdobeMark)
  }

  @Test(arguments: [1, 2, 3, 4, 5, 7, 8, 13, 31, 63])
  func `is read smaller and looks the same`(width: Int) throws {
    let jpeg = try JPEGCodec.encode(TestPicture.gradient(256, 192), quality: 95, isProgressive: false)
    let direct = try ImageRendering.render(jpeg, as: ImageTransform(format: .PNG, width: width))
    let png = try ImageRendering.render(jpeg, as: ImageTransform(format: .PNG)).bytes
    let other = try ImageRendering.render(png, as: ImageTransform(width: width))
    #expect((direct.width, direct.height) == (other.width, other.height))
    #expect(direct.width == width)
    #expect(try TestPicture.pixels(of: direct.bytes).distance(to: TestPicture.pixels(of: other.bytes)) < 4)
  }

  @Test func `that is cut short is refused, and one that has more at its end is not`() throws {
    let file = try JPEGCodec.encode(Self.photo, quality: 80, isProgressive: false)
    for count in 0..<(file.count - 4) {
      #expect(throws: ImageError.self, "\(count)") {
        try ImageRendering.render(Array(file[..<count]), as: ImageTransform(format: .PNG))
      }
    }
    _ = try ImageRendering.render(file + [0, 1, 2, 3], as: ImageTransform(format: .PNG))
  }

  @Test func `is smaller in bytes when its quality is`() throws {
    let png = try PNGCodec.encode(Self.photo)
    let sizes = try [1, 40, 80, 100].map {
      try ImageRendering.render(png, as: ImageTransform(format: .JPG, quality: $0)).bytes.count
    }
    #expect(sizes == sizes.sorted() && Set(sizes).count == 4)
  }
}
