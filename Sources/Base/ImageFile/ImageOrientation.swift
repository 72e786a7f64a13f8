/// The orientation that an image file asks a viewer to apply, 1 (none) to 8: tag 0x0112 of the EXIF block (CIPA DC-008,
/// TIFF 6.0), in an APP1 segment of a JPEG or in the `eXIf` chunk of a PNG.
///
/// The bytes come from anybody. What is cut short or contradicts itself has no orientation, as viewers have it.
package enum ImageOrientation {
  /// Returns the orientation of a file, which is 1 where the file names none.
  package static func of(_ file: [UInt8]) -> Int {
    let orientation: Int? =
      switch ImageFormat(file) {
      case .jpeg: JPEGSegments(file).lazy.compactMap(block(of:)).first.flatMap(of(tiff:))
      case .png: exifBlock(ofPNG: file).flatMap(of(tiff:))
      default: nil
      }
    return orientation ?? 1
  }

  /// Returns the EXIF block that a segment of a JPEG holds, which is a TIFF file; `nil` for other segments.
  package static func block(of segment: JPEGSegments.Segment) -> ArraySlice<UInt8>? {
    guard segment.marker == 0xE1, segment.content.starts(with: "Exif\0\0".utf8) else { return nil }
    return segment.content.dropFirst(6)
  }

  /// Returns the orientation that the first directory of a TIFF block names, 1 to 8; `nil` when it names none.
  package static func of(tiff block: ArraySlice<UInt8>) -> Int? {
    let bytes = Array(block)
    guard bytes.count >= 8 else { return nil }
    let isLittle = bytes.starts(with: "II".utf8)
    guard isLittle || bytes.starts(with: "MM".utf8) else { return nil }
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
}
