package import ImageFile

/// Reads pictures, changes them and writes them, with the libraries of their formats.
///
/// GIF: the first frame, with transparency. JPEG: CMYK becomes RGB, the orientation of EXIF is applied. Colour profiles
/// and everything else that is no pixel are left out; PNG of 16 bits becomes 8 bits. Animated WebP is refused.
package enum ImageRendering {
  static let standardQuality = 80

  /// Renders the picture that a transform describes. A transform without changes returns the file unchanged.
  ///
  /// Decoding and encoding block the calling thread.
  package static func render(
    _ file: [UInt8], as transform: ImageTransform, limits: ImageLimits = .init()
  ) throws(ImageError) -> RenderedImage {
    let header = try ImageHeader(of: file, limits: limits)
    let plan = try ImagePlan(transform, of: header, limits: limits)
    if transform == ImageTransform() {
      let size = header.uprightSize
      return RenderedImage(bytes: file, format: header.format, width: size.width, height: size.height)
    }
    let bitmap = try decode(file, header, reduction: plan.reduction, limits)
    let picture = bitmap.resampled(plan.source(in: bitmap.size), to: plan.unturnedSize).turned(plan.turn)
    let bytes = try encode(picture, as: plan.format, quality: transform.quality ?? standardQuality)
    return RenderedImage(
      bytes: bytes, format: plan.format.imageFormat, width: picture.size.width, height: picture.size.height)
  }

  /// The size in pixels of the upright picture, by what its file says; only the beginning is read.
  package static func size(of file: [UInt8]) throws(ImageError) -> (width: Int, height: Int) {
    let size = try ImageHeader(of: file, limits: ImageLimits(bytes: .max, pixels: .max)).uprightSize
    return (size.width, size.height)
  }

  private static func decode(
    _ file: [UInt8], _ header: ImageHeader, reduction: Int, _ limits: ImageLimits
  ) throws(ImageError) -> Bitmap {
    switch header.format {
    case .gif: try GIFDecoder.decode(file, limits: limits)
    case .png: try PNGCodec.decode(file, size: header.size)
    case .jpeg: try JPEGCodec.decode(file, JPEGHeader(file), reduction: reduction)
    case .webp: try WebPCodec.decode(file, size: header.size)
    }
  }

  private static func encode(
    _ picture: Bitmap, as format: ImageTransform.Format, quality: Int
  ) throws(ImageError) -> [UInt8] {
    switch format {
    case .GIF: try GIFEncoder.encode(picture)
    case .PNG: try PNGCodec.encode(picture)
    case .PNG8: try PNGCodec.encodePalette(picture)
    case .JPG, .BJPG: try JPEGCodec.encode(picture, quality: quality, isProgressive: false)
    case .PJPG: try JPEGCodec.encode(picture, quality: quality, isProgressive: true)
    case .WEBP, .WEBPLY: try WebPCodec.encode(picture, quality: quality)
    case .WEBPLL: try WebPCodec.encodeLossless(picture)
    }
  }
}

/// A picture that was made of another one.
package struct RenderedImage: Sendable, Equatable {
  /// The picture as a file of its format.
  package var bytes: [UInt8]
  /// The format of the file.
  package var format: ImageFormat
  /// The width in pixels.
  package var width: Int
  /// The height in pixels.
  package var height: Int
}
