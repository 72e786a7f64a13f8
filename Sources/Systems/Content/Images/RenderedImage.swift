package import ImageFile

/// A picture that was made of another one.
package struct RenderedImage: Sendable, Equatable {
  /// The file.
  package var bytes: [UInt8]
  package var format: ImageFormat
  /// In pixels.
  package var width: Int
  /// In pixels.
  package var height: Int
}
