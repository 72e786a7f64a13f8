import ImageFile

/// The header of an image file.
struct ImageHeader {
  let format: ImageFormat
  /// The size of the pixels in the file, before the orientation is applied.
  let size: PixelSize
  /// The orientation of EXIF, 1 to 8.
  let orientation: Int
  /// The format of a rendition that names none.
  let ownFormat: ImageTransform.Format

  /// The size as people see the picture.
  var uprightSize: PixelSize { Turn(orientation: orientation).size(of: size) }

  init(of file: [UInt8], limits: ImageLimits) throws(ImageError) {
    try limits.check(bytes: file.count)
    guard let format = ImageFormat(file) else {
      throw ImageError(
        "The file is not a picture that is known here.", recovery: "Use a JPEG, PNG, GIF or WebP file.")
    }
    self.format = format
    switch format {
    case .gif:
      (size, orientation, ownFormat) = (try GIFDecoder.size(of: file), 1, .GIF)
    case .png:
      (size, orientation, ownFormat) = (try PNGCodec.size(of: file), 1, .PNG)
    case .jpeg:
      let header = try JPEGHeader(file)
      (size, orientation, ownFormat) = (header.size, header.orientation, .JPG)
    case .webp:
      let features = try WebPCodec.features(of: file)
      (size, orientation, ownFormat) = (features.size, 1, features.isLossless ? .WEBPLL : .WEBP)
    }
    try limits.check(size)
  }
}

/// Width and height in pixels.
struct PixelSize: Equatable, CustomStringConvertible {
  var width: Int
  var height: Int

  var description: String { "\(width) x \(height) pixels" }
  var exchanged: PixelSize { PixelSize(width: height, height: width) }
}
