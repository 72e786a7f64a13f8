import Glibc

/// Writes JSON into one growing buffer.
///
/// `@safe`, because: it owns its buffer alone (it cannot be copied), and every store is preceded by `reserve`.
@safe
package struct JSONWriter: ~Copyable {
  /// The memory that holds the text.
  package var buffer: UnsafeMutableRawPointer
  var capacity: Int
  /// Where the text begins: the space in front is for a header that is known only afterwards.
  package var start: Int
  /// Where the text ends; the next byte goes here.
  package var count: Int
  /// A number was written that JSON does not have: NaN or an infinity.
  package internal(set) var hasInvalidNumber = false

  /// - Parameter headroom: bytes left free in front.
  package init(capacity: Int = 512, headroom: Int = 0) {
    self.capacity = max(capacity + headroom, 16)
    unsafe buffer = heapMemory(self.capacity)
    start = headroom
    count = headroom
  }

  deinit { unsafe free(buffer) }

  /// Makes room for this many more bytes.
  @inline(__always)
  package mutating func reserve(_ bytes: Int) { if count &+ bytes > capacity { grow(bytes) } }

  @inline(never)
  mutating func grow(_ bytes: Int) {
    // With some space for what follows a long text: mostly a few brackets, which would have it copied again.
    capacity = max(capacity * 2, count + bytes + 512)
    unsafe buffer = heapMemory(capacity, growing: buffer)
  }

  /// Writes one byte.
  @inline(__always)
  package mutating func byte(_ byte: UInt8) {
    reserve(1)
    unsafe buffer.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    count &+= 1
  }

  /// Writes bytes unchanged.
  @inline(__always)
  @unsafe package mutating func bytes(_ bytes: UnsafeRawBufferPointer) {
    guard let base = bytes.baseAddress else { return }
    reserve(bytes.count)
    unsafe copy(base, bytes.count)
  }

  /// Copies into space that was reserved. Nearly all pieces of JSON are short, and a call costs more than their few
  /// words.
  @inline(__always)
  @unsafe mutating func copy(_ source: UnsafeRawPointer, _ size: Int) {
    let target = unsafe buffer + count
    count &+= size
    if size > 16 {
      unsafe target.copyMemory(from: source, byteCount: size)
    } else if size >= 8 {
      unsafe move(UInt64.self, source, target, size)
    } else if size >= 4 {
      unsafe move(UInt32.self, source, target, size)
    } else {
      for index in 0..<size {
        unsafe target.storeBytes(
          of: source.load(fromByteOffset: index, as: UInt8.self), toByteOffset: index, as: UInt8.self)
      }
    }
  }

  /// Two words that may overlap: the first and the last ones of `size` bytes.
  @inline(__always)
  @unsafe func move<Word: FixedWidthInteger & BitwiseCopyable>(
    _ word: Word.Type, _ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer, _ size: Int
  ) {
    let last = size &- MemoryLayout<Word>.size
    let head = unsafe source.loadUnaligned(as: Word.self)
    let tail = unsafe source.loadUnaligned(fromByteOffset: last, as: Word.self)
    unsafe target.storeBytes(of: head, as: Word.self)
    unsafe target.storeBytes(of: tail, toByteOffset: last, as: Word.self)
  }

  /// Text that is JSON already, such as `{"id":`.
  @inline(__always)
  package mutating func raw(_ text: StaticString) {
    unsafe bytes(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// What was written. Valid in `body` only.
  package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try unsafe body(UnsafeRawBufferPointer(start: buffer + start, count: count - start))
  }

  /// Bytes of the text.
  package var length: Int { count &- start }

  /// Forgets everything.
  package mutating func clear() { (count, hasInvalidNumber) = (start, false) }

  /// Forgets everything from offset `count` on.
  package mutating func truncate(to count: Int) { self.count = count }
}

extension JSONWriter {
  /// Writes `null`.
  package mutating func null() { raw("null") }

  /// Writes `true` or `false`.
  package mutating func bool(_ value: Bool) { if value { raw("true") } else { raw("false") } }

  /// The common integer: callers in other modules need no generic code.
  package mutating func integer(_ value: Int) {
    if value < 0 { byte(0x2D) }
    decimal(UInt64(value.magnitude))
  }

  /// An integer of any width.
  package mutating func integer(_ value: some FixedWidthInteger) {
    if let small = UInt8(exactly: value), small < 10 { return byte(0x30 &+ small) }
    if value < 0 { byte(0x2D) }
    if let magnitude = UInt64(exactly: value.magnitude) {
      decimal(magnitude)
    } else {
      string128(String(value.magnitude))
    }
  }

  mutating func string128(_ digits: String) {
    var digits = digits
    digits.withUTF8 { unsafe bytes(UnsafeRawBufferPointer($0)) }
  }

  mutating func decimal(_ magnitude: UInt64) {
    var digits = 1
    var bound: UInt64 = 10
    while digits < 20, magnitude >= bound {
      digits &+= 1
      bound = bound &* 10
      if digits == 20 { break }
    }
    reserve(digits)
    var rest = magnitude
    var index = count &+ digits
    count = index
    repeat {
      let tenth = rest / 10
      index &-= 1
      unsafe buffer.storeBytes(
        of: UInt8(truncatingIfNeeded: 0x30 &+ (rest &- tenth &* 10)), toByteOffset: index, as: UInt8.self)
      rest = tenth
    } while rest > 0
  }

  /// A double, always with a fraction or an exponent, so that it reads back as one: `1.0`, `1e+20`.
  ///
  /// NaN and the infinities have no form in JSON: `null` is written and `hasInvalidNumber` set.
  package mutating func double(_ value: Double) {
    guard value.isFinite else {
      hasInvalidNumber = true
      return null()
    }
    let magnitude = value.magnitude
    // Up to four decimals: a mantissa below 2^53 divided by an exact power of ten reads back as the same double.
    let scaled = (magnitude * 10_000).rounded()
    if scaled < 1e15, scaled / 10_000 == magnitude, scaled > 0 {
      if value < 0 { byte(0x2D) }
      let whole = UInt64(scaled)
      decimal(whole / 10_000)
      byte(0x2E)
      fraction(whole % 10_000)
      return
    }
    var text = value.description
    text.withUTF8 { unsafe bytes(UnsafeRawBufferPointer($0)) }
  }

  /// Ten-thousandths without their trailing zeros, at least one digit.
  private mutating func fraction(_ tenThousandths: UInt64) {
    let value = UInt32(truncatingIfNeeded: tenThousandths)
    reserve(4)
    let target = unsafe buffer + count
    let digits: (UInt32, UInt32, UInt32, UInt32) = (value / 1000, value / 100 % 10, value / 10 % 10, value % 10)
    unsafe target.storeBytes(of: 0x30 &+ UInt8(truncatingIfNeeded: digits.0), as: UInt8.self)
    unsafe target.storeBytes(of: 0x30 &+ UInt8(truncatingIfNeeded: digits.1), toByteOffset: 1, as: UInt8.self)
    unsafe target.storeBytes(of: 0x30 &+ UInt8(truncatingIfNeeded: digits.2), toByteOffset: 2, as: UInt8.self)
    unsafe target.storeBytes(of: 0x30 &+ UInt8(truncatingIfNeeded: digits.3), toByteOffset: 3, as: UInt8.self)
    count &+= digits.3 != 0 ? 4 : digits.2 != 0 ? 3 : digits.1 != 0 ? 2 : 1
  }
}
