/// A file format of pictures, by what the first bytes say.
package enum ImageFormat: String, Sendable, CaseIterable {
  case gif, png, jpeg, webp

  package var mimeType: String { "image/\(rawValue)" }

  /// The format whose signature a file begins with, or nil.
  package static func recognize(_ bytes: [UInt8]) -> ImageFormat? {
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
    if bytes.starts(with: "GIF87a".utf8) || bytes.starts(with: "GIF89a".utf8) { return .gif }
    if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) { return .webp }
    return nil
  }

  /// As people write it.
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
