import Text
import PropertyList

/// Images of a few pixels, and pieces of them.
enum SmallImages {
  /// One red pixel.
  static let png =
    Base64.decode(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC") ?? []

  /// What a JPEG begins with, as far as anything but its pixels is concerned: with an EXIF block that names an
  /// orientation, or without one.
  static func jpeg(orientation: Int? = nil, isLittleEndian: Bool = false) -> [UInt8] {
    let end: [UInt8] = [0xFF, 0xDA, 0, 2, 1, 2, 3, 0xFF, 0xD9]
    guard let orientation else { return [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 0, 0] + end }
    let block = exif(orientation, isLittleEndian: isLittleEndian)
    let payload = Array("Exif".utf8) + [0, 0] + block
    let length = payload.count + 2
    return [0xFF, 0xD8, 0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)] + payload + end
  }

  /// A PNG with an `eXIf` chunk, whose check sums nobody here looks at.
  static func png(orientation: Int) -> [UInt8] {
    let block = exif(orientation, isLittleEndian: false)
    let chunk = [0, 0, 0, UInt8(block.count)] + Array("eXIf".utf8) + block + [0, 0, 0, 0]
    return png.prefix(33) + chunk + png.dropFirst(33)
  }

  private static func exif(_ orientation: Int, isLittleEndian: Bool) -> [UInt8] {
    func number(_ value: Int, _ size: Int) -> [UInt8] {
      let bytes = (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
      return isLittleEndian ? bytes : bytes.reversed()
    }
    let head = isLittleEndian ? [0x49, 0x49] : [0x4D, 0x4D] as [UInt8]
    let entries: [[UInt8]] = [
      number(0x0100, 2) + number(3, 2) + number(1, 4) + number(9, 2) + number(0, 2),
      number(0x0112, 2) + number(3, 2) + number(1, 4) + number(orientation, 2) + number(0, 2),
    ]
    return head + number(42, 2) + number(8, 4) + number(entries.count, 2) + entries.joined() + number(0, 4)
  }
}
