/// Red, green, blue, alpha; colours are not multiplied by alpha.
typealias Pixel = SIMD4<UInt8>

/// A picture in memory, row after row.
struct Bitmap {
  let size: PixelSize
  var pixels: [Pixel]
  /// Whether every pixel is known to be opaque.
  let isOpaque: Bool

  /// - Parameter pixels: as many as the size has.
  init(_ size: PixelSize, pixels: [Pixel], isOpaque: Bool? = nil) {
    precondition(pixels.count == size.width * size.height)
    self.size = size
    self.pixels = pixels
    self.isOpaque = isOpaque ?? pixels.allSatisfy { $0.w == 255 }
  }

  /// Creates a picture whose pixels a C library writes; nil when it fails.
  ///
  /// - Parameter write: receives a buffer of four bytes a pixel, all zero, and returns whether it succeeded.
  init?(_ size: PixelSize, isOpaque: Bool? = nil, write: (UnsafeMutableBufferPointer<UInt8>) -> Bool) {
    var pixels = [Pixel](repeating: Pixel(), count: size.width * size.height)
    let isWritten = unsafe pixels.withUnsafeMutableBytes { bytes in
      unsafe write(bytes.assumingMemoryBound(to: UInt8.self))
    }
    guard isWritten else { return nil }
    self.init(size, pixels: pixels, isOpaque: isOpaque)
  }

  /// The picture as it looks on white.
  var onWhite: Bitmap {
    if isOpaque { return self }
    let flat = pixels.map { pixel -> Pixel in
      let alpha = UInt32(pixel.w)
      let mixed = SIMD4<UInt32>(truncatingIfNeeded: pixel) &* alpha &+ 255 &* (255 &- alpha)
      var flat = Pixel(truncatingIfNeeded: (mixed &+ 127) / 255)
      flat.w = 255
      return flat
    }
    return Bitmap(size, pixels: flat, isOpaque: true)
  }

  /// The bytes of all pixels.
  func withBytes<Result>(_ body: (UnsafePointer<UInt8>) -> Result) -> Result {
    unsafe pixels.withUnsafeBytes { bytes in
      guard let start = unsafe bytes.assumingMemoryBound(to: UInt8.self).baseAddress else {
        preconditionFailure("A picture has pixels.")
      }
      return unsafe body(start)
    }
  }
}
