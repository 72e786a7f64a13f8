/// The rare parts of strings: escapes and what is not ASCII.
extension JSONReader {
  /// RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF.
  func checkUTF8(_ start: Int, _ end: Int) throws(JSONError) {
    var index = start
    while index < end {
      let lead = byte(index)
      if lead < 0x80 {
        index += 1
        continue
      }
      let (count, low, high): (Int, UInt8, UInt8) =
        switch lead {
        case 0xC2...0xDF: (1, 0x80, 0xBF)
        case 0xE0: (2, 0xA0, 0xBF)
        case 0xED: (2, 0x80, 0x9F)
        case 0xE1...0xEF: (2, 0x80, 0xBF)
        case 0xF0: (3, 0x90, 0xBF)
        case 0xF1...0xF3: (3, 0x80, 0xBF)
        case 0xF4: (3, 0x80, 0x8F)
        default: throw JSONError(.invalidUTF8, at: index)
        }
      guard index + count < end, (low...high).contains(byte(index + 1)) else {
        throw JSONError(.invalidUTF8, at: index)
      }
      for offset in 1...count where byte(index + offset) & 0xC0 != 0x80 { throw JSONError(.invalidUTF8, at: index) }
      index += count + 1
    }
  }

  func checkEscapes(_ start: Int, _ end: Int) throws(JSONError) {
    var index = start
    while index < end {
      guard byte(index) == 0x5C else {
        index += 1
        continue
      }
      guard index + 1 < end else { throw JSONError(.invalidEscape, at: index) }
      switch byte(index + 1) {
      case 0x22, 0x5C, 0x2F, 0x62, 0x66, 0x6E, 0x72, 0x74: index += 2
      case 0x75:
        let unit = try hexUnit(index, end)
        if unit & 0xFC00 == 0xDC00 { throw JSONError(.loneSurrogate, at: index) }
        if unit & 0xFC00 == 0xD800 {
          guard index + 7 < end, byte(index + 6) == 0x5C, byte(index + 7) == 0x75,
            try hexUnit(index + 6, end) & 0xFC00 == 0xDC00
          else { throw JSONError(.loneSurrogate, at: index) }
          index += 6
        }
        index += 6
      default: throw JSONError(.invalidEscape, at: index)
      }
    }
  }

  /// The code unit of the `\uXXXX` at `index`.
  private func hexUnit(_ index: Int, _ end: Int) throws(JSONError) -> UInt32 {
    guard index + 6 <= end else { throw JSONError(.invalidEscape, at: index) }
    var unit: UInt32 = 0
    for offset in 2..<6 {
      let digit: UInt8
      switch byte(index + offset) {
      case let byte where byte >= 0x30 && byte <= 0x39: digit = byte - 0x30
      case let byte where byte >= 0x41 && byte <= 0x46: digit = byte - 0x37
      case let byte where byte >= 0x61 && byte <= 0x66: digit = byte - 0x57
      default: throw JSONError(.invalidEscape, at: index)
      }
      unit = unit << 4 | UInt32(digit)
    }
    return unit
  }

  /// Returns the text of a span whose escapes have been checked.
  package func unescaped(_ span: StringSpan) -> String {
    unsafe String(unsafeUninitializedCapacity: span.end - span.start) { buffer in
      var count = 0
      var index = span.start
      func put(_ byte: UInt8) {
        unsafe buffer[count] = byte
        count += 1
      }
      while index < span.end {
        let current = byte(index)
        guard current == 0x5C else {
          put(current)
          index += 1
          continue
        }
        index += 2
        switch byte(index - 1) {
        case 0x62: put(0x08)
        case 0x66: put(0x0C)
        case 0x6E: put(0x0A)
        case 0x72: put(0x0D)
        case 0x74: put(0x09)
        case 0x75:
          let scalar = scalar(atEscape: index - 2)
          for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { put(byte) }
          index += scalar.value > 0xFFFF ? 10 : 4
        case let plain: put(plain)
        }
      }
      return count
    }
  }

  /// The character of a checked `\uXXXX`, or of a checked pair of them.
  private func scalar(atEscape index: Int) -> Unicode.Scalar {
    guard let high = try? hexUnit(index, end) else { return "\u{FFFD}" }
    if high & 0xFC00 == 0xD800, let low = try? hexUnit(index + 6, end) {
      return Unicode.Scalar(0x10000 + (high & 0x3FF) << 10 + (low & 0x3FF)) ?? "\u{FFFD}"
    }
    return Unicode.Scalar(high) ?? "\u{FFFD}"
  }
}
