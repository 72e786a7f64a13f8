/// The orientation that an image file asks a viewer to apply, 1 (none) to 8: tag 0x0112 of the EXIF block (CIPA DC-008,
/// TIFF 6.0), in a JPEG's first APP1 segment or a PNG's `eXIf` chunk.
///
/// The bytes come from anybody. Whatever is cut short or contradicts itself reads as 1, as viewers do.
package enum ImageOrientation {
  package static func of(_ bytes: [UInt8]) -> Int {
    let block: ArraySlice<UInt8>? =
      switch ImageFormat(bytes) {
      case .jpeg: exifBlock(ofJPEG: bytes)
      case .png: exifBlock(ofPNG: bytes)
      default: nil
      }
    return block.flatMap(orientation) ?? 1
  }

  /// Walks the segments before the image data.
  private static func exifBlock(ofJPEG bytes: [UInt8]) -> ArraySlice<UInt8>? {
    var position = 2
    while position + 4 <= bytes.count, bytes[position] == 0xFF {
      let marker = bytes[position + 1]
      if marker == 0xFF {
        position += 1
        continue
      }
      if marker == 0xDA || marker == 0xD9 { return nil }
      let length = Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
      let end = position + 2 + length
      guard length >= 2, end <= bytes.count else { return nil }
      let payload = bytes[(position + 4)..<end]
      if marker == 0xE1, payload.starts(with: [0x45, 0x78, 0x69, 0x66, 0, 0]) { return payload.dropFirst(6) }
      position = end
    }
    return nil
  }

  /// Walks the chunks before the image data.
  private static func exifBlock(ofPNG bytes: [UInt8]) -> ArraySlice<UInt8>? {
    var position = 8
    while position + 12 <= bytes.count {
      let length = bytes[position..<(position + 4)].reduce(0) { $0 << 8 | Int($1) }
      let type = bytes[(position + 4)..<(position + 8)]
      guard length <= bytes.count - position - 12 else { return nil }
      if type.elementsEqual("eXIf".utf8) { return bytes[(position + 8)..<(position + 8 + length)] }
      if type.elementsEqual("IEND".utf8) { return nil }
      position += 12 + length
    }
    return nil
  }

  /// Reads the first directory of a TIFF block.
  private static func orientation(_ block: ArraySlice<UInt8>) -> Int? {
    let bytes = Array(block)
    guard bytes.count >= 8 else { return nil }
    let isLittle = bytes[0] == 0x49 && bytes[1] == 0x49
    guard isLittle || (bytes[0] == 0x4D && bytes[1] == 0x4D) else { return nil }
    func number(_ offset: Int, _ size: Int) -> Int? {
      guard offset >= 0, offset + size <= bytes.count else { return nil }
      let field = bytes[offset..<(offset + size)]
      return isLittle ? field.reversed().reduce(0) { $0 << 8 | Int($1) } : field.reduce(0) { $0 << 8 | Int($1) }
    }
    guard number(2, 2) == 42, let directory = number(4, 4), let count = number(directory, 2) else { return nil }
    for index in 0..<count {
      let entry = directory + 2 + 12 * index
      guard let tag = number(entry, 2) else { return nil }
      guard tag == 0x0112 else { continue }
      guard number(entry + 2, 2) == 3, let value = number(entry + 8, 2), 1...8 ~= value else { return nil }
      return value
    }
    return nil
  }
}
