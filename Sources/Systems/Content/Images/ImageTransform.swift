package import ImageFile

/// What AEM's `_assetTransform` asks for.
///
/// AEM does not document the order of its operations. Here it is: the orientation of EXIF, crop, rotation, flip, size,
/// width. Offsets of a crop are therefore those of the upright picture.
package struct ImageTransform: Sendable, Equatable {
  /// Spelled as in AEM's `AssetTransformFormat`.
  package enum Format: String, Sendable, CaseIterable {
    case GIF, PNG
    /// PNG with a palette.
    case PNG8
    case JPG
    /// Progressive JPEG.
    case PJPG
    /// Baseline JPEG, as `JPG` is too.
    case BJPG
    case WEBP
    /// Lossless WebP.
    case WEBPLL
    /// Lossy WebP, as `WEBP` is too.
    case WEBPLY

    package var imageFormat: ImageFormat {
      switch self {
      case .GIF: .gif
      case .PNG, .PNG8: .png
      case .JPG, .PJPG, .BJPG: .jpeg
      case .WEBP, .WEBPLL, .WEBPLY: .webp
      }
    }
  }

  /// A rectangle of the picture in pixels. What lies beyond the picture is left out.
  package struct Crop: Sendable, Equatable {
    package var xOrigin: Int
    package var yOrigin: Int
    package var width: Int
    package var height: Int

    package init(xOrigin: Int, yOrigin: Int, width: Int, height: Int) {
      self.xOrigin = xOrigin
      self.yOrigin = yOrigin
      self.width = width
      self.height = height
    }
  }

  /// A size in pixels that the picture is stretched or shrunk to, whatever its proportions.
  package struct Size: Sendable, Equatable {
    package var width: Int
    package var height: Int

    package init(width: Int, height: Int) {
      self.width = width
      self.height = height
    }
  }

  /// Clockwise.
  package enum Rotation: String, Sendable, CaseIterable { case R90, R180, R270 }

  /// `HORIZONTAL` exchanges left and right.
  package enum Flip: String, Sendable, CaseIterable { case HORIZONTAL, VERTICAL, HORIZONTAL_AND_VERTICAL }

  /// nil: the format of the file.
  package var format: Format?
  package var crop: Crop?
  package var size: Size?
  package var rotation: Rotation?
  package var flip: Flip?
  /// 1 to 100, of JPEG and lossy WebP. nil: 80.
  package var quality: Int?
  /// Pixels that the picture is shrunk to, the proportions kept. It is never enlarged.
  package var width: Int?

  package init(
    format: Format? = nil, crop: Crop? = nil, size: Size? = nil, rotation: Rotation? = nil, flip: Flip? = nil,
    quality: Int? = nil, width: Int? = nil
  ) {
    self.format = format
    self.crop = crop
    self.size = size
    self.rotation = rotation
    self.flip = flip
    self.quality = quality
    self.width = width
  }
}
