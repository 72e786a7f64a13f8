/// Where a number lies in the bytes.
package struct NumberSpan {
  /// The offset of the first byte.
  package var start: Int
  /// The offset after the last byte.
  package var end: Int
  /// Without fraction and exponent.
  package var isInteger: Bool
}

extension JSONReader {
  /// Consumes a number, checking its grammar and that a double holds it.
  package mutating func numberSpan() throws(JSONError) -> NumberSpan {
    _ = try peek()
    let start = at
    var index = start
    if byte(index) == 0x2D { index &+= 1 }
    guard index < end, isDigit(byte(index)) else {
      throw JSONError(index == start ? .unexpectedCharacter : .invalidNumber, at: index)
    }
    if byte(index) == 0x30 {
      index &+= 1
      if index < end, isDigit(byte(index)) { throw JSONError(.invalidNumber, at: index) }
    } else {
      index = afterDigits(index)
    }
    var isInteger = true
    var isHuge = index &- start > 300
    if index < end, byte(index) == 0x2E {
      isInteger = false
      let digits = index &+ 1
      index = afterDigits(digits)
      if index == digits { throw JSONError(.invalidNumber, at: index) }
    }
    if index < end, byte(index) | 0x20 == 0x65 {
      isInteger = false
      isHuge = true
      index &+= 1
      if index < end, byte(index) == 0x2B || byte(index) == 0x2D { index &+= 1 }
      let digits = index
      index = afterDigits(digits)
      if index == digits { throw JSONError(.invalidNumber, at: index) }
    }
    at = index
    let span = NumberSpan(start: start, end: index, isInteger: isInteger)
    if isHuge, !slowDouble(start, index).isFinite { throw JSONError(.numberOutOfRange, at: start) }
    return span
  }

  @inline(__always)
  private func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 <= 9 }

  @inline(__always)
  private func afterDigits(_ start: Int) -> Int {
    var index = start
    while index < end, byte(index) &- 0x30 <= 9 { index &+= 1 }
    return index
  }

  /// An integer that fits; a double without fraction is one, too (`1.0`, `1e3`).
  @inline(__always)
  package mutating func integer<Value: FixedWidthInteger>(_ type: Value.Type = Value.self) throws(JSONError) -> Value {
    skipSpace()
    if let plain = plainInteger(), let value = Value(exactly: plain.value) {
      at = plain.end
      return value
    }
    return try anyInteger(type)
  }

  /// The same for the common type: callers in other modules need no generic code.
  package mutating func integer() throws(JSONError) -> Int {
    skipSpace()
    if let plain = plainInteger() {
      at = plain.end
      return Int(truncatingIfNeeded: plain.value)
    }
    return try anyInteger(Int.self)
  }

  /// Up to seven digits, in one word; `nil` for more and at the end of the text.
  @inline(__always)
  private func fewDigits(_ start: Int) -> (value: UInt64, count: Int)? {
    guard start &+ 8 <= end else { return nil }
    let word = word(start) ^ 0x3030_3030_3030_3030
    // The high bit of each byte that is no digit; exact up to the first one.
    let others = ((word &+ 0x7676_7676_7676_7676) | word) & 0x8080_8080_8080_8080
    guard others != 0 else { return nil }
    let bits = UInt64(truncatingIfNeeded: others.trailingZeroBitCount & ~7)
    guard bits > 0 else { return (0, 0) }
    // Zeros in front, then pairs, pairs of pairs, and the two halves.
    var digits = word &<< (64 &- bits)
    digits = (digits &* 10 &+ (digits &>> 8)) & 0x00FF_00FF_00FF_00FF
    digits = (digits &* 100 &+ (digits &>> 16)) & 0x0000_FFFF_0000_FFFF
    digits = (digits &* 10_000 &+ (digits &>> 32)) & 0xFFFF_FFFF
    return (digits, Int(truncatingIfNeeded: bits &>> 3))
  }

  /// Up to 18 digits without a leading zero, a fraction and an exponent: nearly every integer there is.
  @inline(__always)
  func plainInteger() -> (value: Int64, end: Int)? {
    var index = at
    let isNegative = index < end && byte(index) == 0x2D
    if isNegative { index &+= 1 }
    let start = index
    if let few = fewDigits(start) {
      guard few.count > 0, byte(start) != 0x30 || few.count == 1 else { return nil }
      let next = byte(start &+ few.count)
      if next == 0x2E || next | 0x20 == 0x65 { return nil }
      let value = Int64(truncatingIfNeeded: few.value)
      return (isNegative ? 0 &- value : value, start &+ few.count)
    }
    return longInteger(start, isNegative)
  }

  /// The same for more digits, and at the end of the text.
  @inline(never)
  private func longInteger(_ start: Int, _ isNegative: Bool) -> (value: Int64, end: Int)? {
    var index = start
    var value: Int64 = 0
    while index < end {
      let digit = byte(index) &- 0x30
      if digit > 9 { break }
      value = value &* 10 &+ Int64(digit)
      index &+= 1
    }
    let digits = index &- start
    guard digits > 0, digits <= 18, byte(start) != 0x30 || digits == 1 else { return nil }
    if index < end, byte(index) == 0x2E || byte(index) | 0x20 == 0x65 { return nil }
    return (isNegative ? 0 &- value : value, index)
  }

  @inline(never)
  mutating func anyInteger<Value: FixedWidthInteger>(_ type: Value.Type) throws(JSONError) -> Value {
    let span = try numberSpan()
    guard let value = integer(of: span, as: type) else {
      let isWhole = span.isInteger || double(of: span).rounded() == double(of: span)
      throw JSONError(isWhole ? .numberOutOfRange : .mismatch(expected: "an integer"), at: span.start)
    }
    return value
  }

  /// The integer of a checked number; `nil` when it does not fit or has a fraction.
  package func integer<Value: FixedWidthInteger>(of span: NumberSpan, as type: Value.Type = Value.self) -> Value? {
    guard span.isInteger else { return Value(exactly: double(of: span)) }
    let isNegative = byte(span.start) == 0x2D
    var index = isNegative ? span.start &+ 1 : span.start
    var magnitude: UInt64 = 0
    if span.end &- index > 18 {
      guard let large = largeMagnitude(index, span.end) else { return nil }
      magnitude = large
    } else {
      while index < span.end {
        magnitude = magnitude &* 10 &+ UInt64(byte(index) &- 0x30)
        index &+= 1
      }
    }
    guard isNegative else { return Value(exactly: magnitude) }
    guard magnitude <= 1 << 63 else { return nil }
    return Value(exactly: Int64(truncatingIfNeeded: 0 &- magnitude))
  }

  private func largeMagnitude(_ start: Int, _ end: Int) -> UInt64? {
    var magnitude: UInt64 = 0
    for index in start..<end {
      let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(UInt64(byte(index) &- 0x30))
      if overflow || carry { return nil }
      magnitude = sum
    }
    return magnitude
  }

  /// Any number, rounded to the nearest double.
  package mutating func double() throws(JSONError) -> Double {
    skipSpace()
    if let plain = plainDouble() {
      at = plain.end
      return plain.value
    }
    let span = try numberSpan()
    return double(of: span)
  }

  /// A number with a fraction, up to 15 digits in all, and no exponent, in one pass.
  @inline(__always)
  private func plainDouble() -> (value: Double, end: Int)? {
    var index = at
    let isNegative = index < end && byte(index) == 0x2D
    if isNegative { index &+= 1 }
    let start = index
    if let whole = fewDigits(start), whole.count > 0, byte(start &+ whole.count) == 0x2E,
      let fraction = fewDigits(start &+ whole.count &+ 1), fraction.count > 0
    {
      let next = start &+ whole.count &+ 1 &+ fraction.count
      guard byte(start) != 0x30 || whole.count == 1, byte(next) | 0x20 != 0x65 else { return nil }
      let power = powerOfTen(fraction.count)
      // Both are whole numbers below 2^53, and so is the sum.
      let value = (Double(whole.value) * power + Double(fraction.value)) / power
      return (isNegative ? -value : value, next)
    }
    return longDouble(start, isNegative)
  }

  /// The same for more digits, and at the end of the text.
  @inline(never)
  private func longDouble(_ start: Int, _ isNegative: Bool) -> (value: Double, end: Int)? {
    var index = start
    var mantissa: UInt64 = 0
    while index < end, byte(index) &- 0x30 <= 9 {
      mantissa = mantissa &* 10 &+ UInt64(byte(index) &- 0x30)
      index &+= 1
    }
    var digits = index &- start
    guard digits > 0, byte(start) != 0x30 || digits == 1, index < end, byte(index) == 0x2E else { return nil }
    let point = index
    index &+= 1
    while index < end, byte(index) &- 0x30 <= 9 {
      mantissa = mantissa &* 10 &+ UInt64(byte(index) &- 0x30)
      index &+= 1
    }
    let decimals = index &- point &- 1
    digits &+= decimals
    guard decimals > 0, digits <= 15, index == end || byte(index) | 0x20 != 0x65 else { return nil }
    let value = Double(mantissa) / powerOfTen(decimals)
    return (isNegative ? -value : value, index)
  }

  /// Clinger's fast path: up to 15 digits and a power of ten up to 22 are exact in one operation.
  package func double(of span: NumberSpan) -> Double {
    let isNegative = byte(span.start) == 0x2D
    var index = isNegative ? span.start &+ 1 : span.start
    var mantissa: UInt64 = 0
    var digits = 0
    var exponent = 0
    var seenPoint = false
    while index < span.end {
      let byte = byte(index)
      if byte == 0x2E {
        seenPoint = true
      } else if byte | 0x20 == 0x65 {
        break
      } else {
        if digits > 15 { return slowDouble(span.start, span.end) }
        mantissa = mantissa &* 10 &+ UInt64(byte &- 0x30)
        if mantissa != 0 { digits &+= 1 }
        if seenPoint { exponent &-= 1 }
      }
      index &+= 1
    }
    if index < span.end {
      guard let power = smallExponent(index &+ 1, span.end) else { return slowDouble(span.start, span.end) }
      exponent &+= power
    }
    guard digits <= 15, exponent >= -22, exponent <= 22 else { return slowDouble(span.start, span.end) }
    let value = exponent < 0 ? Double(mantissa) / powerOfTen(-exponent) : Double(mantissa) * powerOfTen(exponent)
    return isNegative ? -value : value
  }

  private func smallExponent(_ start: Int, _ end: Int) -> Int? {
    let hasSign = byte(start) == 0x2B || byte(start) == 0x2D
    var value = 0
    for index in (hasSign ? start + 1 : start)..<end {
      value = value * 10 + Int(byte(index) &- 0x30)
      if value > 1000 { return nil }
    }
    return byte(start) == 0x2D ? -value : value
  }

  @inline(never)
  private func slowDouble(_ start: Int, _ end: Int) -> Double {
    let text = unsafe String(decoding: bytes(start, end), as: UTF8.self)
    // The grammar has been checked, and it is a part of what `Double` reads; overflow gives an infinity.
    return Double(text) ?? .infinity
  }
}

/// 10^0 to 10^22, the powers that a double holds exactly.
func powerOfTen(_ exponent: Int) -> Double {
  switch exponent {
  case 0: 1
  case 1: 1e1
  case 2: 1e2
  case 3: 1e3
  case 4: 1e4
  case 5: 1e5
  case 6: 1e6
  case 7: 1e7
  case 8: 1e8
  case 9: 1e9
  case 10: 1e10
  case 11: 1e11
  case 12: 1e12
  case 13: 1e13
  case 14: 1e14
  case 15: 1e15
  case 16: 1e16
  case 17: 1e17
  case 18: 1e18
  case 19: 1e19
  case 20: 1e20
  case 21: 1e21
  default: 1e22
  }
}
