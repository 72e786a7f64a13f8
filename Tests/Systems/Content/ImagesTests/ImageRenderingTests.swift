import ImageFile
import Testing

@testable import Images

@Suite(.timeLimit(.minutes(1)))
struct `A rendition` {
  private static let names: [Pixel: Character] = Dictionary(
    uniqueKeysWithValues: zip(TestPicture.six.pixels, "RGBCMY"))

  /// The colours of a rendition of six pixels, `RGB` above `CMY`: a letter for each, a slash after each row.
  private static func letters(_ transform: ImageTransform) throws -> String {
    let made = try ImageRendering.render(PNGCodec.encode(TestPicture.six), as: transform)
    let read = try TestPicture.pixels(of: made.bytes)
    #expect(read.size == PixelSize(width: made.width, height: made.height))
    let letters = read.pixels.map { Self.names[$0] ?? "?" }
    return stride(from: 0, to: letters.count, by: made.width).map { String(letters[$0..<($0 + made.width)]) }
      .joined(separator: "/")
  }

  @Test func `is turned clockwise`() throws {
    #expect(try Self.letters(ImageTransform(rotation: .R90)) == "CR/MG/YB")
    #expect(try Self.letters(ImageTransform(rotation: .R180)) == "YMC/BGR")
    #expect(try Self.letters(ImageTransform(rotation: .R270)) == "BY/GM/RC")
  }

  @Test func `is mirrored`() throws {
    #expect(try Self.letters(ImageTransform(flip: .HORIZONTAL)) == "BGR/YMC")
    #expect(try Self.letters(ImageTransform(flip: .VERTICAL)) == "CMY/RGB")
    #expect(try Self.letters(ImageTransform(flip: .HORIZONTAL_AND_VERTICAL)) == "YMC/BGR")
  }

  @Test func `is cropped, within the picture`() throws {
    let crop = ImageTransform.Crop(xOrigin: 1, yOrigin: 0, width: 2, height: 1)
    #expect(try Self.letters(ImageTransform(crop: crop)) == "GB")
    let beyond = ImageTransform.Crop(xOrigin: 2, yOrigin: 1, width: .max, height: .max)
    #expect(try Self.letters(ImageTransform(crop: beyond)) == "Y")
  }

  @Test func `is cropped before it is turned, and turned before it is mirrored`() throws {
    let crop = ImageTransform.Crop(xOrigin: 0, yOrigin: 0, width: 2, height: 2)
    #expect(try Self.letters(ImageTransform(crop: crop, rotation: .R90)) == "CR/MG")
    #expect(try Self.letters(ImageTransform(crop: crop, rotation: .R90, flip: .HORIZONTAL)) == "RC/GM")
    #expect(try Self.letters(ImageTransform(rotation: .R270, flip: .VERTICAL)) == "RC/GM/BY")
  }

  @Test func `gets its size after it was turned`() throws {
    let file = try PNGCodec.encode(TestPicture.gradient(40, 20))
    func size(_ transform: ImageTransform) throws -> [Int] {
      let made = try ImageRendering.render(file, as: transform)
      return [made.width, made.height]
    }
    #expect(try size(ImageTransform(width: 10)) == [10, 5])
    #expect(try size(ImageTransform(rotation: .R90, width: 10)) == [10, 20])
    #expect(try size(ImageTransform(size: .init(width: 7, height: 9), rotation: .R90)) == [7, 9])
    #expect(try size(ImageTransform(size: .init(width: 80, height: 10))) == [80, 10])
    #expect(try size(ImageTransform(size: .init(width: 30, height: 30), width: 10)) == [10, 10])
    #expect(try size(ImageTransform(width: 1)) == [1, 1])
  }

  @Test func `is never enlarged by a width`() throws {
    let file = try PNGCodec.encode(TestPicture.gradient(40, 20))
    for width in [40, 41, 1_000_000_000, .max] {
      let made = try ImageRendering.render(file, as: ImageTransform(width: width))
      #expect(made.width == 40 && made.height == 20)
    }
  }

  @Test func `has the format of the file when none is asked for, and that which is`() throws {
    for (format, bytes) in try TestPicture.files(TestPicture.gradient(20, 10)) {
      let made = try ImageRendering.render(bytes, as: ImageTransform(width: 5))
      #expect(made.format == format.imageFormat && ImageFormat(made.bytes) == made.format)
      for wanted in ImageTransform.Format.allCases {
        let other = try ImageRendering.render(bytes, as: ImageTransform(format: wanted))
        #expect(other.format == wanted.imageFormat && ImageFormat(other.bytes) == other.format)
        let size = try ImageRendering.size(of: other.bytes)
        #expect(size == (20, 10) && (other.width, other.height) == size, "\(format) as \(wanted)")
      }
    }
  }

  @Test func `is the file itself when nothing is asked for`() throws {
    for (_, bytes) in try TestPicture.files(TestPicture.six) {
      let made = try ImageRendering.render(bytes, as: ImageTransform())
      #expect(made.bytes == bytes && made.width == 3 && made.height == 2)
    }
  }
}
