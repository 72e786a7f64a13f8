import Text

/// The requested size and format of a picture. Only a `_dynamicUrl` honours them: the server sends any other file
/// unchanged.
package struct ImageRendition: Equatable, Sendable {
  /// The maximum width in pixels; nil for no limit.
  package var width: Int?
  /// The maximum height in pixels; nil for no limit.
  package var height: Int?
  /// One of AEM's formats, in any case: GIF, PNG, PNG8, JPG, PJPG, BJPG, WEBP, WEBPLL, WEBPLY; also JPEG.
  package var format: String?
  /// The quality, from 1 to 100; nil for the server's default.
  package var quality: Int?

  /// Pixels that may be asked for.
  package static let sides = 1...16_384
  private static let formats: Set<String> = [
    "GIF", "PNG", "PNG8", "JPG", "PJPG", "BJPG", "WEBP", "WEBPLL", "WEBPLY",
  ]

  /// Creates a rendition from sizes in pixels, a format of AEM and a quality from 1 to 100; nil leaves a value to the
  /// server.
  package init(width: Int? = nil, height: Int? = nil, format: String? = nil, quality: Int? = nil) {
    self.width = width
    self.height = height
    self.format = format
    self.quality = quality
  }

  /// Returns the parameters of the URL, in the order in which they are added.
  ///
  /// - Throws: `invalidPath` for a number out of range, and for an unknown format.
  func parameters() throws(ContentError) -> [(name: String, value: String)] {
    var parameters: [(name: String, value: String)] = []
    for (name, number, range) in [
      ("width", width, Self.sides), ("height", height, Self.sides), ("quality", quality, 1...100),
    ] {
      guard let number else { continue }
      guard range.contains(number) else {
        throw ContentError(
          .invalidPath, "A picture cannot have the \(name) \(number).",
          recovery: "Ask for \(range.lowerBound) to \(range.upperBound).")
      }
      parameters.append((name, String(number)))
    }
    guard let format else { return parameters }
    let name = format.uppercased() == "JPEG" ? "JPG" : format.uppercased()
    guard Self.formats.contains(name) else {
      throw ContentError(
        .invalidPath, "\"\(quotable(format))\" is not a format of pictures.",
        recovery: "Ask for one of \(Self.formats.sorted().joined(separator: ", ")).")
    }
    parameters.append(("format", name))
    return parameters
  }
}
