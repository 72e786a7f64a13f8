/// Base64 as RFC 4648 section 4 has it, strict: padding required, no white space, no stray bits.
package enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 0xFF, count: 256)
    for (value, letter) in alphabet.enumerated() { values[Int(letter)] = UInt8(value) }
    return values
  }()

  /// The text for some bytes.
  package static func encode(_ bytes: some Collection<UInt8>) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    var group: UInt32 = 0
    var count = 0
    func flush() {
      let padded = group << UInt32(8 * (3 - count))
      for position in 0..<4 {
        let index = Int(padded >> UInt32(18 - 6 * position) & 63)
        text.append(position <= count ? alphabet[index] : UInt8(ascii: "="))
      }
    }
    for byte in bytes {
      group = group << 8 | UInt32(byte)
      count += 1
      if count == 3 {
        flush()
        group = 0
        count = 0
      }
    }
    if count > 0 { flush() }
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes of a text, or `nil` when the text is not strict base64.
  package static func decode(_ text: some StringProtocol) -> [UInt8]? {
    let letters = Array(text.utf8)
    guard letters.count.isMultiple(of: 4) else { return nil }
    let padding = letters.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
    var bytes: [UInt8] = []
    bytes.reserveCapacity(letters.count / 4 * 3)
    var group: UInt32 = 0
    for (index, letter) in letters.dropLast(padding).enumerated() {
      let value = values[Int(letter)]
      guard value != 0xFF else { return nil }
      group = group << 6 | UInt32(value)
      if index % 4 == 3 {
        bytes += [UInt8(truncatingIfNeeded: group >> 16), UInt8(truncatingIfNeeded: group >> 8)]
        bytes.append(UInt8(truncatingIfNeeded: group))
        group = 0
      }
    }
    switch padding {
    case 1:
      guard group & 3 == 0 else { return nil }
      bytes += [UInt8(truncatingIfNeeded: group >> 10), UInt8(truncatingIfNeeded: group >> 2)]
    case 2:
      guard group & 15 == 0 else { return nil }
      bytes.append(UInt8(truncatingIfNeeded: group >> 4))
    default: break
    }
    return bytes
  }
}
