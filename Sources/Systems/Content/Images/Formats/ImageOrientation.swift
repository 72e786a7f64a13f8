/// The orientation that EXIF asks a viewer to apply: tag 0x0112 of the first directory of a TIFF block.
enum ImageOrientation {
  /// - Returns: 1 to 8, and nil where the block is cut short, contradicts itself or has none.
  static func of(tiff block: ArraySlice<UInt8>) -> Int? {
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
}
