/// Finds the size of a picture in the first bytes of its file: PNG, GIF, JPEG or WebP.
enum ImageHeader {
  /// How many bytes are looked at.
  static let length = 512 << 10

  static func size(_ bytes: [UInt8]) -> (width: Int, height: Int)? {
    guard let size = png(bytes) ?? gif(bytes) ?? webP(bytes) ?? jpeg(bytes), size.width > 0, size.height > 0 else {
      return nil
    }
    return size
  }

  private static func png(_ bytes: [UInt8]) -> (width: Int, height: Int)? {
    guard bytes.count >= 24, bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) else { return nil }
    return (big(bytes[16..<20]), big(bytes[20..<24]))
  }

  private static func gif(_ bytes: [UInt8]) -> (width: Int, height: Int)? {
    guard bytes.count >= 10, bytes.starts(with: Array("GIF8".utf8)) else { return nil }
    return (little(bytes[6..<8]), little(bytes[8..<10]))
  }

  private static func webP(_ bytes: [UInt8]) -> (width: Int, height: Int)? {
    guard bytes.count >= 30, bytes.starts(with: Array("RIFF".utf8)), bytes[8..<12].elementsEqual(Array("WEBP".utf8))
    else { return nil }
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
    guard bytes.starts(with: [0xFF, 0xD8]) else { return nil }
    var at = 2
    while at + 9 <= bytes.count {
      guard bytes[at] == 0xFF else { return nil }
      let marker = bytes[at + 1]
      switch marker {
      case 0xFF: at += 1
      case 0x01, 0xD0...0xD7: at += 2
      // The frames, without the tables that stand among their markers.
      case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
        return (big(bytes[(at + 7)..<(at + 9)]), big(bytes[(at + 5)..<(at + 7)]))
      default: at += 2 + max(2, big(bytes[(at + 2)..<(at + 4)]))
      }
    }
    return nil
  }

  private static func big(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

  private static func little(_ bytes: ArraySlice<UInt8>) -> Int { big(ArraySlice(bytes.reversed())) }
}
