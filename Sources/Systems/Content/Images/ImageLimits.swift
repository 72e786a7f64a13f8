import ImageFile

/// Limits on the size of pictures.
package struct ImageLimits: Sendable, Equatable {
  /// The most bytes of a file that is read.
  package var bytes: Int
  /// The most pixels of a picture that is read. Each takes four bytes of memory, for progressive JPEG up to ten.
  package var pixels: Int
  /// The most pixels of a rendition.
  package var renditionPixels: Int

  /// Creates limits in bytes and pixels.
  package init(bytes: Int = 64 << 20, pixels: Int = 50_000_000, renditionPixels: Int = 50_000_000) {
    self.bytes = bytes
    self.pixels = pixels
    self.renditionPixels = renditionPixels
  }

  func check(bytes count: Int) throws(ImageError) {
    guard count > bytes else { return }
    throw ImageError("The picture has \(count) bytes, and \(bytes) are allowed.", recovery: "Use a smaller file.")
  }

  func check(_ size: PixelSize) throws(ImageError) {
    guard size.width > 0, size.height > 0 else { throw ImageError("The picture has no pixels: it is \(size).") }
    guard size.width > pixels / size.height else { return }
    throw ImageError(
      "The picture is \(size), and \(pixels) pixels are allowed.", recovery: "Use a picture of fewer pixels.")
  }

  func check(rendition size: PixelSize, as format: ImageFormat) throws(ImageError) {
    let side = format.longestSide
    guard size.width <= side, size.height <= side else {
      throw ImageError("A \(format.name) file of \(size) is not possible: a side has at most \(side) pixels.")
    }
    guard size.width > renditionPixels / max(size.height, 1) else { return }
    throw ImageError("A picture of \(size) is asked for, and \(renditionPixels) pixels are allowed.")
  }
}

extension ImageFormat {
  /// The name that messages use.
  var name: String {
    switch self {
    case .gif: "GIF"
    case .png: "PNG"
    case .jpeg: "JPEG"
    case .webp: "WebP"
    }
  }

  /// The most pixels that a side has in this format.
  var longestSide: Int {
    switch self {
    case .gif: 65_535
    case .png: 1_000_000
    case .jpeg: 65_500
    case .webp: 16_383
    }
  }
}
