package import ImageFile

/// The changes to a picture that `_assetTransform` of AEM describes.
///
/// AEM does not document the order of its operations. The order here is: the orientation of EXIF, crop, rotation, flip,
/// size, width. The offsets of a crop are therefore those of the upright picture.
package struct ImageTransform: Sendable, Equatable {
  /// Spelled as in AEM's `AssetTransformFormat`.
  package enum Format: String, Sendable, CaseIterable {
    case GIF, PNG
    /// PNG with a palette.
    case PNG8
    case JPG
    /// JPEG, progressive.
    case PJPG
    /// Baseline JPEG, as `JPG` is too.
    case BJPG
    case WEBP
    /// WebP, lossless.
    case WEBPLL
    /// Lossy WebP, as `WEBP` is too.
    case WEBPLY

    /// The format of the file that results.
    package var imageFormat: ImageFormat {
      switch self {
      case .GIF: .gif
      case .PNG, .PNG8: .png
      case .JPG, .PJPG, .BJPG: .jpeg
      case .WEBP, .WEBPLL, .WEBPLY: .webp
      }
    }
  }

  /// A rectangle of the picture in pixels. The part beyond the picture is ignored.
  package struct Crop: Sendable, Equatable {
    /// The distance from the left edge.
    package var xOrigin: Int
    /// The distance from the upper edge.
    package var yOrigin: Int
    /// The width in pixels.
    package var width: Int
    /// The height in pixels.
    package var height: Int

    /// Creates a rectangle from its upper left corner and its size, in pixels.
    package init(xOrigin: Int, yOrigin: Int, width: Int, height: Int) {
      self.xOrigin = xOrigin
      self.yOrigin = yOrigin
      self.width = width
      self.height = height
    }
  }

  /// A size in pixels that the picture is scaled to, regardless of its proportions.
  package struct Size: Sendable, Equatable {
    /// The width in pixels.
    package var width: Int
    /// The height in pixels.
    package var height: Int

    /// Creates a size in pixels.
    package init(width: Int, height: Int) {
      self.width = width
      self.height = height
    }
  }

  /// A rotation in degrees, clockwise.
  package enum Rotation: String, Sendable, CaseIterable { case R90, R180, R270 }

  /// `HORIZONTAL` exchanges left and right.
  package enum Flip: String, Sendable, CaseIterable { case HORIZONTAL, VERTICAL, HORIZONTAL_AND_VERTICAL }

  /// The format of the result; nil for the format of the file.
  package var format: Format?
  /// The part of the picture to keep; nil for all of it.
  package var crop: Crop?
  /// The size to scale to; nil for no scaling.
  package var size: Size?
  /// The rotation; nil for none.
  package var rotation: Rotation?
  /// The mirroring; nil for none.
  package var flip: Flip?
  /// The quality of JPEG and lossy WebP, 1 to 100; nil for 80.
  package var quality: Int?
  /// The largest width in pixels, with the proportions kept. A smaller picture is not enlarged; nil for no limit.
  package var width: Int?

  /// Creates a transform; nil leaves a property of the picture unchanged.
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
