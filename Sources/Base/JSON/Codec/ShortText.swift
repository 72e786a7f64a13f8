import Synchronization

/// 0 before strings were compared, then 1 when they have the expected form and 2 when not.
private let knownForm = Atomic<UInt8>(0)

/// A short ASCII text in two words, as the standard library keeps one of up to 15 bytes in the string itself.
///
/// Making such a string from bytes and looking at its bytes costs some two hundred instructions by way of the library,
/// which checks and copies them, and most texts in JSON are short: names, numbers of things, words. The form is no
/// promise of the library, so each length is compared once with what the library makes, and nothing here is used when
/// one differs.
struct ShortText {
  /// The first eight bytes, the first one lowest; zero behind the end.
  let low: UInt64
  /// The others; zero behind the end.
  let high: UInt64
  /// From 0 to 15.
  let count: Int

  /// The longest short text in bytes.
  static let longest = 15
  /// The bits of bytes that are no ASCII.
  static let highBits: UInt64 = 0x8080_8080_8080_8080

  /// Whether strings have the form that is expected here.
  @inline(__always)
  static var isKnown: Bool {
    let known = knownForm.load(ordering: .relaxed)
    return known == 0 ? learnForm() : known == 1
  }

  @inline(never)
  private static func learnForm() -> Bool {
    let agrees = agrees()
    knownForm.store(agrees ? 1 : 2, ordering: .relaxed)
    return agrees
  }

  @inline(__always)
  init(low: UInt64, high: UInt64, count: Int) {
    self.low = low
    self.high = high
    self.count = count
  }

  /// The text of a string; `nil` for one that is longer, not ASCII, or kept in another way.
  @inline(__always)
  init?(_ text: borrowing String) {
    guard Self.isKnown else { return nil }
    let words = unsafe unsafeBitCast(copy text, to: Words.self)
    guard words.high &>> 60 == 0xE else { return nil }
    self.init(
      low: words.low, high: words.high & 0x00FF_FFFF_FFFF_FFFF,
      count: Int(truncatingIfNeeded: words.high &>> 56 & 15))
  }

  /// Whether there is a quote, a backslash or a control character.
  @inline(__always)
  var hasSpecial: Bool {
    // What is behind the end is zero, and would be a control character.
    if count < 8 { return specialBytes(of: low | ~Self.mask(count)) != 0 }
    return specialBytes(of: low) | specialBytes(of: high | ~Self.mask(count &- 8)) != 0
  }

  /// Whether the bytes at a place begin with this text.
  ///
  /// - Parameter bytes: how many bytes may be read there; with fewer than sixteen the answer is false.
  @inline(__always)
  @unsafe func isText(at place: UnsafeRawPointer, atMost bytes: Int) -> Bool {
    guard bytes >= 16, unsafe place.loadUnaligned(as: UInt64.self) & Self.mask(count) == low else { return false }
    return unsafe count <= 8
      || place.loadUnaligned(fromByteOffset: 8, as: UInt64.self) & Self.mask(count &- 8) == high
  }

  /// The string.
  @inline(__always)
  var string: String { unsafe unsafeBitCast(words, to: String.self) }

  /// Initializes the memory of a string.
  @inline(__always)
  @unsafe func initialize(_ memory: UnsafeMutableRawPointer) { unsafe memory.storeBytes(of: words, as: Words.self) }

  @inline(__always)
  private var words: Words {
    Words(low: low, high: high | (0xE0 | UInt64(truncatingIfNeeded: count)) &<< 56)
  }

  /// The bits of the first `count` bytes of a word; of all of them for 8 and more.
  @inline(__always)
  static func mask(_ count: Int) -> UInt64 { count >= 8 ? ~0 : (1 &<< UInt64(truncatingIfNeeded: count &* 8)) &- 1 }

  /// The two words of a string.
  private struct Words: BitwiseCopyable {
    var low: UInt64
    var high: UInt64
  }

  private static func agrees() -> Bool {
    guard MemoryLayout<String>.size == MemoryLayout<Words>.size else { return false }
    for count in 0...longest {
      let bytes = (0..<count).map { UInt8(0x61 + $0) }
      var words = Words(low: 0, high: 0)
      for (index, byte) in bytes.enumerated() {
        if index < 8 {
          words.low |= UInt64(byte) << UInt64(index * 8)
        } else {
          words.high |= UInt64(byte) << UInt64((index - 8) * 8)
        }
      }
      words.high |= UInt64(0xE0 | count) << 56
      let made = unsafe unsafeBitCast(String(decoding: bytes, as: UTF8.self), to: Words.self)
      if made.low != words.low || made.high != words.high { return false }
    }
    // One byte more, or another character, is not taken for short ASCII text.
    let others = [String(repeating: "a", count: longest + 1), "é", String(repeating: "a", count: 100)]
    return others.allSatisfy { unsafe unsafeBitCast($0, to: Words.self).high >> 60 != 0xE }
  }
}
