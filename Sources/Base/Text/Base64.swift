/// Base64 as RFC 4648 section 4 has it, strict: padding required, no white space, no stray bits.
package enum Base64 {
  private static let letters: [UInt8] = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let pad: UInt8 = 0x3D
  /// The value of each letter; 0xFF is none.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 0xFF, count: 256)
    for (value, letter) in letters.enumerated() { values[Int(letter)] = UInt8(value) }
    return values
  }()

  // MARK: Text

  /// The text for some bytes.
  package static func encode(_ bytes: some Collection<UInt8>) -> String {
    let whole = bytes.withContiguousStorageIfAvailable { unsafe text(for: UnsafeRawBufferPointer($0)) }
    return unsafe whole ?? Array(bytes).withUnsafeBytes { unsafe text(for: $0) }
  }

  @unsafe private static func text(for bytes: UnsafeRawBufferPointer) -> String {
    let length = length(of: bytes.count)
    return unsafe String(unsafeUninitializedCapacity: length) { buffer in
      guard let base = buffer.baseAddress else { return 0 }
      unsafe encode(bytes, into: UnsafeMutableRawPointer(base))
      return length
    }
  }

  /// The bytes of a text, or `nil` when the text is not strict base64.
  package static func decode(_ text: some StringProtocol) -> [UInt8]? {
    var text = String(text)
    return text.withUTF8 { unsafe decode(UnsafeRawBufferPointer($0)) }
  }

  // MARK: Memory

  /// Letters for so many bytes.
  package static func length(of count: Int) -> Int { (count + 2) / 3 * 4 }

  /// Fills `target`, which has space for `length(of:)` letters.
  @unsafe package static func encode(_ bytes: UnsafeRawBufferPointer, into target: UnsafeMutableRawPointer) {
    unsafe letters.withUnsafeBufferPointer { letters in
      var at = 0
      var out = 0
      func put(_ six: UInt32) {
        unsafe target.storeBytes(of: letters[Int(six & 63)], toByteOffset: out, as: UInt8.self)
        out &+= 1
      }
      while at &+ 3 <= bytes.count {
        let group = unsafe UInt32(bytes[at]) << 16 | UInt32(bytes[at &+ 1]) << 8 | UInt32(bytes[at &+ 2])
        put(group >> 18)
        put(group >> 12)
        put(group >> 6)
        put(group)
        at &+= 3
      }
      let rest = bytes.count &- at
      guard rest > 0 else { return }
      let group = unsafe UInt32(bytes[at]) << 16 | (rest == 2 ? UInt32(bytes[at &+ 1]) << 8 : 0)
      put(group >> 18)
      put(group >> 12)
      if rest == 2 { put(group >> 6) }
      for _ in rest..<3 {
        unsafe target.storeBytes(of: pad, toByteOffset: out, as: UInt8.self)
        out &+= 1
      }
    }
  }

  /// The bytes, or `nil` when the letters are not strict base64: padding required, no white space, no stray bits.
  @unsafe package static func decode(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
    guard text.count.isMultiple(of: 4) else { return nil }
    if text.count == 0 { return [] }
    let (last, secondLast) = unsafe (text[text.count - 1], text[text.count - 2])
    let padding = last != pad ? 0 : secondLast != pad ? 1 : 2
    var seen: UInt8 = 0
    var stray: UInt32 = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: text.count / 4 * 3) { target, count in
      unsafe values.withUnsafeBufferPointer { values in
        func six(_ index: Int) -> UInt32 {
          let value = unsafe values[Int(text[index])]
          seen |= value
          return UInt32(value & 63)
        }
        for at in stride(from: 0, to: text.count &- 4, by: 4) {
          let group = six(at) << 18 | six(at &+ 1) << 12 | six(at &+ 2) << 6 | six(at &+ 3)
          unsafe target[count] = UInt8(truncatingIfNeeded: group >> 16)
          unsafe target[count &+ 1] = UInt8(truncatingIfNeeded: group >> 8)
          unsafe target[count &+ 2] = UInt8(truncatingIfNeeded: group)
          count &+= 3
        }
        let last = text.count &- 4
        var group = six(last) << 18 | six(last &+ 1) << 12
        if padding < 2 { group |= six(last &+ 2) << 6 }
        if padding < 1 { group |= six(last &+ 3) }
        for place in 0..<(3 - padding) {
          unsafe target[count] = UInt8(truncatingIfNeeded: group >> UInt32(16 - 8 * place))
          count &+= 1
        }
        stray = group & (padding == 0 ? 0 : padding == 1 ? 0xFF : 0xFFFF)
      }
    }
    // Letters have values below 64: 0xFF among them leaves a high bit.
    return seen < 64 && stray == 0 ? bytes : nil
  }
}
