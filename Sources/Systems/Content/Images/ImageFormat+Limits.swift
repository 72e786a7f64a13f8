import ImageFile

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
