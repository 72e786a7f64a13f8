/// What a byte can begin or go on, looked up in one step.
enum ByteClass {
  static let space: UInt8 = 1
  static let nameStart: UInt8 = 2
  static let nameRest: UInt8 = 4
  static let digit: UInt8 = 8
  /// Ends a run of plain bytes in a string: a quote, a backslash, a line end, a control character, or no ASCII.
  static let special: UInt8 = 16

  static let table: InlineArray<256, UInt8> = {
    var table = InlineArray<256, UInt8>(repeating: 0)
    for byte in 0..<256 {
      var bits: UInt8 = 0
      switch UInt8(byte) {
      case 0x20, 0x09, 0x0A, 0x0D, 0x2C: bits |= space
      case 0x41...0x5A, 0x61...0x7A, 0x5F: bits |= nameStart | nameRest
      case 0x30...0x39: bits |= nameRest | digit
      default: break
      }
      if byte == 0x22 || byte == 0x5C || byte < 0x20 || byte >= 0x7F { bits |= special }
      table[byte] = bits
    }
    return table
  }()
}
