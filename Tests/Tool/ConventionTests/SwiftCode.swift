/// Swift source without its comments and the text of its string literals; interpolated code stays.
///
/// Lines keep their numbers: every newline of the source is in the result.
struct SwiftCode {
  private var written: [UInt8] = []
  private let source: [UInt8]
  private var index = 0

  private static let (slash, star) = (UInt8(ascii: "/"), UInt8(ascii: "*"))
  private static let (quote, pound) = (UInt8(ascii: "\""), UInt8(ascii: "#"))
  private static let (opening, closing, newline) = (UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "\n"))

  init(_ text: String) {
    source = Array(text.utf8)
    written.reserveCapacity(source.count)
    readCode(untilParenthesis: false)
  }

  var code: String { String(decoding: written, as: UTF8.self) }

  private func at(_ offset: Int) -> UInt8? {
    index + offset < source.count ? source[index + offset] : nil
  }

  private func startsWith(_ bytes: [UInt8]) -> Bool {
    for offset in bytes.indices where at(offset) != bytes[offset] { return false }
    return true
  }

  /// Copies code up to the end, or up to the parenthesis that ends an interpolation.
  private mutating func readCode(untilParenthesis: Bool) {
    var depth = 0
    while let byte = at(0) {
      if byte == Self.slash, at(1) == Self.slash {
        while let next = at(0), next != Self.newline { index += 1 }
      } else if byte == Self.slash, at(1) == Self.star {
        skipBlockComment()
      } else if byte == Self.quote || (byte == Self.pound && isRawString) {
        readString()
      } else {
        if byte == Self.opening { depth += 1 }
        if byte == Self.closing {
          if untilParenthesis, depth == 0 { return }
          depth -= 1
        }
        written.append(byte)
        index += 1
      }
    }
  }

  private mutating func skipBlockComment() {
    var depth = 0
    repeat {
      if at(0) == Self.slash, at(1) == Self.star {
        depth += 1
        index += 2
      } else if at(0) == Self.star, at(1) == Self.slash {
        depth -= 1
        index += 2
      } else {
        if at(0) == Self.newline { written.append(Self.newline) }
        index += 1
      }
    } while depth > 0 && index < source.count
  }

  private var isRawString: Bool {
    var offset = 0
    while at(offset) == Self.pound { offset += 1 }
    return at(offset) == Self.quote
  }

  private mutating func readString() {
    var pounds: [UInt8] = []
    while at(0) == Self.pound {
      pounds.append(Self.pound)
      index += 1
    }
    let isLong = at(0) == Self.quote && at(1) == Self.quote && at(2) == Self.quote
    let quotes = [UInt8](repeating: Self.quote, count: isLong ? 3 : 1)
    let (end, escape) = (quotes + pounds, [UInt8(ascii: "\\")] + pounds)
    index += quotes.count
    written.append(Self.quote)
    while let byte = at(0) {
      if byte == Self.quote, startsWith(end) {
        index += end.count
        break
      }
      if byte == escape[0], startsWith(escape) {
        index += escape.count + 1
        guard at(-1) == Self.opening else {
          if at(-1) == Self.newline { written.append(Self.newline) }
          continue
        }
        written += [UInt8(ascii: " "), Self.opening]
        readCode(untilParenthesis: true)
        written.append(Self.closing)
        index += 1
      } else {
        if byte == Self.newline { written.append(byte) }
        index += 1
      }
    }
    written.append(Self.quote)
  }
}
