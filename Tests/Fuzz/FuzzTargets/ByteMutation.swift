/// Makes new inputs of kept ones, the same ones in every run: what libFuzzer does, without its eyes.
package struct ByteMutation {
  private var state: UInt64
  private let kept: [[UInt8]]
  private static let longest = 4096

  /// Texts and numbers at which parsers are known to fail.
  private static let words: [[UInt8]] =
    [
      "-9223372036854775808", "9223372036854775807", "18446744073709551616", "1e300", "-0.0", "1e-400", "NaN", "\u{0}",
      "\\u0000", "\\ud800", "\r\n\r\n", "Content-Length: ", "{", "[", "]", "}", "\"", "'", "\\", "(", ")", "{1,4096}",
      "$(A)",
      "//", "://", "%00", "%", "..", "\u{202E}", "\u{1B}[2J", "<!--", "]]>", "&amp;", "<array>", "null",
    ].map { Array($0.utf8) } + [
      [0xFF, 0xFF, 0xFF, 0xFF], [0x7F, 0xFF, 0xFF, 0xFF], [0x80, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0], [0xC0, 0x80],
      [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F],
    ]

  /// - Parameters:
  ///   - kept: what new inputs are made of.
  ///   - seed: another one gives other inputs.
  package init(of kept: [[UInt8]], seed: UInt64) {
    self.kept = kept.isEmpty ? [[]] : kept
    state = seed
  }

  /// The next input.
  package mutating func next() -> [UInt8] {
    var bytes = pick(kept)
    for _ in 0...Int(number(below: 5)) { change(&bytes) }
    return Array(bytes.prefix(Self.longest))
  }

  private mutating func change(_ bytes: inout [UInt8]) {
    let place = Int(number(below: UInt64(bytes.count) + 1))
    let end = min(bytes.count, place + Int(number(below: 17)))
    switch number(below: 8) {
    case 0 where place < bytes.count: bytes[place] ^= 1 << UInt8(number(below: 8))
    case 1 where place < bytes.count: bytes[place] = UInt8(truncatingIfNeeded: number(below: 256))
    case 2: bytes.removeSubrange(place..<end)
    case 3: bytes.insert(contentsOf: Array(bytes[place..<end]), at: place)
    case 4: bytes.insert(contentsOf: pick(Self.words), at: place)
    case 5:
      let word = pick(Self.words)
      bytes.replaceSubrange(place..<min(bytes.count, place + word.count), with: word)
    case 6:
      let other = pick(kept)
      bytes = Array(bytes[..<place]) + other.dropFirst(Int(number(below: UInt64(other.count) + 1)))
    default: bytes.removeSubrange(place...)
    }
  }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int(number(below: UInt64(elements.count)))]
  }

  /// SplitMix64.
  private mutating func number(below bound: UInt64) -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return (mixed ^ (mixed >> 31)) % bound
  }
}
