import AppExtensions
import CPNG
import CTurboJPEG
import Glibc

/// An image in memory: four bytes a pixel (red, green, blue, alpha), row after row.
struct Bitmap {
  private(set) var width: Int
  private(set) var height: Int
  private var pixels: [UInt8]

  init(contentsOf path: String, type: String) throws {
    switch type {
    case "public.jpeg": self = try Self.jpeg(path)
    case "public.png": self = try Self.png(path)
    default: throw ExtensionError(.editingFailed, "This editor knows JPEG and PNG, not \(type).")
    }
  }

  private init(width: Int, height: Int) {
    self.width = width
    self.height = height
    pixels = [UInt8](repeating: 0, count: width * height * 4)
  }

  /// Changes the colour of every pixel.
  mutating func change(_ body: (inout UInt8, inout UInt8, inout UInt8) -> Void) {
    for start in stride(from: 0, to: pixels.count, by: 4) {
      var (red, green, blue) = (pixels[start], pixels[start + 1], pixels[start + 2])
      body(&red, &green, &blue)
      (pixels[start], pixels[start + 1], pixels[start + 2]) = (red, green, blue)
    }
  }

  /// The image as it is to be seen.
  ///
  /// - Parameter orientation: EXIF orientation, 1 to 8.
  func upright(from orientation: Int) -> Bitmap {
    guard orientation > 1 else { return self }
    let isTurned = orientation >= 5
    var turned = Bitmap(width: isTurned ? height : width, height: isTurned ? width : height)
    for y in 0..<turned.height {
      for x in 0..<turned.width {
        let (column, row): (Int, Int) =
          switch orientation {
          case 2: (width - 1 - x, y)
          case 3: (width - 1 - x, height - 1 - y)
          case 4: (x, height - 1 - y)
          case 5: (y, x)
          case 6: (y, height - 1 - x)
          case 7: (width - 1 - y, height - 1 - x)
          default: (width - 1 - y, x)
          }
        let (from, to) = ((row * width + column) * 4, (y * turned.width + x) * 4)
        for channel in 0..<4 { turned.pixels[to + channel] = pixels[from + channel] }
      }
    }
    return turned
  }

  func write(to path: String, type: String) throws {
    if type == "public.png" { try writePNG(to: path) } else { try writeJPEG(to: path) }
  }
}

// MARK: libjpeg-turbo

extension Bitmap {
  /// More pixels than this are not decoded: they would not fit into the memory that an editor gets.
  private static let pixelLimit = 40_000_000

  private static func jpeg(_ path: String) throws -> Bitmap {
    let bytes = try read(path)
    guard let decoder = tjInitDecompress() else { throw failure("libjpeg-turbo does not start") }
    defer { tjDestroy(decoder) }
    var (width, height, sampling, space): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
    guard tjDecompressHeader3(decoder, bytes, UInt(bytes.count), &width, &height, &sampling, &space) == 0 else {
      throw failure(String(cString: tjGetErrorStr2(decoder)))
    }
    try checkSize(width, height)
    var image = Bitmap(width: Int(width), height: Int(height))
    let status = tjDecompress2(
      decoder, bytes, UInt(bytes.count), &image.pixels, width, 0, height, Int32(TJPF_RGBA.rawValue), 0)
    // A warning (a file that is cut short, for example) still gives an image.
    guard status == 0 || tjGetErrorCode(decoder) == Int32(TJERR_WARNING.rawValue) else {
      throw failure(String(cString: tjGetErrorStr2(decoder)))
    }
    return image
  }

  private func writeJPEG(to path: String) throws {
    guard let encoder = tjInitCompress() else { throw Self.failure("libjpeg-turbo does not start") }
    defer { tjDestroy(encoder) }
    var buffer: UnsafeMutablePointer<UInt8>?
    var size: UInt = 0
    defer { tjFree(buffer) }
    let status = tjCompress2(
      encoder, pixels, Int32(width), 0, Int32(height), Int32(TJPF_RGBA.rawValue), &buffer, &size,
      Int32(TJSAMP_420.rawValue), 92, 0)
    guard status == 0, let buffer else { throw Self.failure(String(cString: tjGetErrorStr2(encoder))) }
    try Self.write(UnsafeBufferPointer(start: buffer, count: Int(size)), to: path)
  }

  private static func checkSize(_ width: Int32, _ height: Int32) throws {
    guard width > 0, height > 0, Int(width) * Int(height) <= pixelLimit else {
      throw failure("an image of \(width) x \(height) pixels is too large")
    }
  }
}

// MARK: libpng

extension Bitmap {
  private static func png(_ path: String) throws -> Bitmap {
    var header = cpng_image()
    defer { png_image_free(&header) }
    guard png_image_begin_read_from_file(&header, path) != 0 else { throw failure(message(of: header)) }
    header.format = cpng_format_rgba
    guard header.width <= 1 << 20, header.height <= 1 << 20 else { throw failure("the image is too large") }
    try checkSize(Int32(header.width), Int32(header.height))
    var image = Bitmap(width: Int(header.width), height: Int(header.height))
    guard png_image_finish_read(&header, nil, &image.pixels, 0, nil) != 0 else { throw failure(message(of: header)) }
    return image
  }

  private func writePNG(to path: String) throws {
    var header = cpng_image()
    defer { png_image_free(&header) }
    (header.width, header.height, header.format) = (UInt32(width), UInt32(height), cpng_format_rgba)
    guard png_image_write_to_file(&header, path, 0, pixels, 0, nil) != 0 else {
      throw Self.failure(Self.message(of: header))
    }
  }

  private static func message(of image: png_image) -> String {
    withUnsafeBytes(of: image.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}

// MARK: Files

extension Bitmap {
  private static func read(_ path: String) throws -> [UInt8] {
    guard let file = fopen(path, "re") else { throw failure("the photo cannot be opened") }
    defer { fclose(file) }
    fseek(file, 0, SEEK_END)
    var bytes = [UInt8](repeating: 0, count: max(0, ftell(file)))
    rewind(file)
    guard fread(&bytes, 1, bytes.count, file) == bytes.count else { throw failure("the photo cannot be read") }
    return bytes
  }

  private static func write(_ bytes: UnsafeBufferPointer<UInt8>, to path: String) throws {
    guard let file = fopen(path, "we") else { throw failure("the edited photo cannot be written") }
    let written = fwrite(bytes.baseAddress, 1, bytes.count, file)
    guard fclose(file) == 0, written == bytes.count else { throw failure("the edited photo cannot be written") }
  }

  private static func failure(_ message: String) -> ExtensionError {
    ExtensionError(.editingFailed, "The photo cannot be edited: \(message).", recovery: "Check that the file is whole.")
  }
}
