import ImageFile
@testable import Images

/// Pictures that tests are about.
enum TestPicture {
  /// Red grows to the right, green downwards; blue tells the quarters apart.
  static func gradient(_ width: Int, _ height: Int, alpha: (Int, Int) -> UInt8 = { _, _ in 255 }) -> Bitmap {
    var pixels: [Pixel] = []
    for y in 0..<height {
      for x in 0..<width {
        let blue: UInt8 = (x * 2 < width) == (y * 2 < height) ? 40 : 200
        pixels.append(
          Pixel(UInt8(x * 255 / max(1, width - 1)), UInt8(y * 255 / max(1, height - 1)), blue, alpha(x, y)))
      }
    }
    return Bitmap(PixelSize(width: width, height: height), pixels: pixels)
  }

  /// Six colours, two rows: what was where can be seen.
  static let six = Bitmap(
    PixelSize(width: 3, height: 2),
    pixels: [
      Pixel(255, 0, 0, 255), Pixel(0, 255, 0, 255), Pixel(0, 0, 255, 255),
      Pixel(0, 255, 255, 255), Pixel(255, 0, 255, 255), Pixel(255, 255, 0, 255),
    ])

  /// A file of each format that is written.
  static func files(_ bitmap: Bitmap) throws -> [(format: ImageTransform.Format, bytes: [UInt8])] {
    let png = try PNGCodec.encode(bitmap)
    return try ImageTransform.Format.allCases.map {
      ($0, try ImageRendering.render(png, as: ImageTransform(format: $0, quality: 90)).bytes)
    }
  }

  /// The pixels of a file as this library reads them.
  static func pixels(of file: [UInt8]) throws -> Bitmap {
    let limits = ImageLimits()
    let header = try ImageHeader(of: file, limits: limits)
    switch header.format {
    case .gif: return try GIFDecoder.decode(file, limits: limits)
    case .png: return try PNGCodec.decode(file, size: header.size)
    case .jpeg: return try JPEGCodec.decode(file, JPEGHeader(file), reduction: 1)
    case .webp: return try WebPCodec.decode(file, size: header.size)
    }
  }
}

extension Bitmap {
  /// How far the channels of two pictures of one size are apart, on the average.
  func distance(to other: Bitmap) -> Double {
    guard size == other.size else { return .infinity }
    var sum = 0
    for (one, two) in zip(pixels, other.pixels) {
      for channel in 0..<4 { sum += abs(Int(one[channel]) - Int(two[channel])) }
    }
    return Double(sum) / Double(pixels.count * 4)
  }
}
