/// The width and height in pixels that the header of an image file names, as the pixels are stored: an orientation of
/// EXIF is not applied.
package enum ImageSize {
  /// How many bytes of a file are enough to find the size, in all files but those with a longer preamble.
  package static let prefixLength = 512 << 10

  /// Returns the size that the first bytes of a PNG, GIF, JPEG or WebP file name; `nil` when a side is 0 or missing.
  package static func of(_ bytes: [UInt8]) -> (width: Int, height: Int)? {
    let size: (width: Int, height: Int)? =
      switch ImageFormat(bytes) {
      case .png: png(bytes)
      case .gif: gif(bytes)
      case .webp: webP(bytes)
      case .jpeg: jpeg(bytes)
      case nil: nil
      }
    guard let size, size.width > 0, size.height > 0 else { return nil }
    return size
  }

  private static func png(_ bytes: [UInt8]) -> (width: Int, height: Int)? {
    bytes.count < 24 ? nil : (big(bytes[16..<20]), big(bytes[20..<24]))
  }

  private static func gif(_ bytes: [UInt8]) -> (width: Int, height: Int)? {
    bytes.count < 10 ? nil : (little(bytes[6..<8]), little(bytes[8..<10]))
  }

  private static func webP(_ bytes: [UInt8]) -> (width: Int, height: Int)? {
    guard bytes.count >= 30 else { return nil }
    switch String(decoding: bytes[12..<16], as: UTF8.self) {
    case "VP8 ": return (little(bytes[26..<28]) & 0x3FFF, little(bytes[28..<30]) & 0x3FFF)
    case "VP8L":
      let bits = little(bytes[21..<25])
      return ((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
    case "VP8X": return (little(bytes[24..<27]) + 1, little(bytes[27..<30]) + 1)
    default: return nil
    }
  }

  private static func jpeg(_ bytes: [UInt8]) -> (width: Int, height: Int)? {
    for segment in JPEGSegments(bytes, takesCut: true) {
      switch segment.marker {
      // The frames, without the tables that stand among their markers.
      case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
        let frame = Array(segment.content.prefix(5))
        return frame.count < 5 ? nil : (big(frame[3..<5]), big(frame[1..<3]))
      default: break
      }
    }
    return nil
  }

  private static func big(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

  private static func little(_ bytes: ArraySlice<UInt8>) -> Int { big(ArraySlice(bytes.reversed())) }
}
