import CPNG
import CTurboJPEG

/// A picture of four colours, one in each corner, as a file and back.
struct Picture: Equatable {
  enum Corner: CaseIterable { case topLeft, topRight, bottomLeft, bottomRight }
  typealias Colour = [UInt8]

  static let red: Colour = [220, 20, 20]
  static let green: Colour = [20, 200, 20]
  static let blue: Colour = [20, 20, 210]
  static let white: Colour = [240, 240, 240]

  let width: Int
  let height: Int
  /// Four bytes a pixel.
  var pixels: [UInt8]

  /// Red and green above, blue and white below.
  init(width: Int = 64, height: Int = 32) {
    (self.width, self.height) = (width, height)
    pixels = (0..<(width * height)).flatMap { index in
      let (x, y) = (index % width, index / width)
      let upper = x < width / 2 ? Self.red : Self.green
      let lower = x < width / 2 ? Self.blue : Self.white
      return (y < height / 2 ? upper : lower) + [255]
    }
  }

  /// The colour in the middle of a quarter.
  func colour(_ corner: Corner) -> Colour {
    let x = corner == .topLeft || corner == .bottomLeft ? width / 4 : width * 3 / 4
    let y = corner == .topLeft || corner == .topRight ? height / 4 : height * 3 / 4
    return Array(pixels[((y * width + x) * 4)...].prefix(3))
  }

  /// - Parameter orientation: written into an EXIF block.
  func jpeg(orientation: Int? = nil) throws -> [UInt8] {
    let encoder = tjInitCompress()
    defer { tjDestroy(encoder) }
    var buffer: UnsafeMutablePointer<UInt8>?
    var size: UInt = 0
    defer { tjFree(buffer) }
    let status = tjCompress2(
      encoder, pixels, Int32(width), 0, Int32(height), Int32(TJPF_RGBA.rawValue), &buffer, &size,
      Int32(TJSAMP_444.rawValue), 95, 0)
    guard status == 0, let buffer else { throw ProgramFailure(description: String(cString: tjGetErrorStr2(encoder))) }
    let bytes = Array(UnsafeBufferPointer(start: buffer, count: Int(size)))
    guard let orientation else { return bytes }
    let exif: [UInt8] =
      Array("Exif".utf8) + [0, 0] + [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1]
      + [0, UInt8(orientation), 0, 0, 0, 0, 0, 0]
    return bytes.prefix(2) + [0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif + bytes.dropFirst(2)
  }

  init(jpeg bytes: [UInt8]) throws {
    let decoder = tjInitDecompress()
    defer { tjDestroy(decoder) }
    var (width, height, sampling, space): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
    guard tjDecompressHeader3(decoder, bytes, UInt(bytes.count), &width, &height, &sampling, &space) == 0 else {
      throw ProgramFailure(description: String(cString: tjGetErrorStr2(decoder)))
    }
    (self.width, self.height) = (Int(width), Int(height))
    pixels = [UInt8](repeating: 0, count: Int(width * height) * 4)
    tjDecompress2(decoder, bytes, UInt(bytes.count), &pixels, width, 0, height, Int32(TJPF_RGBA.rawValue), 0)
  }

  func writePNG(to path: String) throws {
    var header = cpng_image()
    defer { png_image_free(&header) }
    (header.width, header.height, header.format) = (UInt32(width), UInt32(height), cpng_format_rgba)
    guard png_image_write_to_file(&header, path, 0, pixels, 0, nil) != 0 else {
      throw ProgramFailure(description: "The picture could not be written.")
    }
  }

  init(png path: String) throws {
    var header = cpng_image()
    defer { png_image_free(&header) }
    guard png_image_begin_read_from_file(&header, path) != 0 else {
      throw ProgramFailure(description: "The picture could not be read.")
    }
    header.format = cpng_format_rgba
    (width, height) = (Int(header.width), Int(header.height))
    pixels = [UInt8](repeating: 0, count: width * height * 4)
    png_image_finish_read(&header, nil, &pixels, 0, nil)
  }
}
